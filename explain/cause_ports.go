package explain

import (
	"fmt"
	"strings"
)

// targetPorts tells which port of a Service goes to a name that no container of
// its Pods has. One that is a number is not checked: Pods need not declare it.
func targetPorts(n *node) (all []found) {
	pods := n.scene.standing(n.selectedBy("spec.selector"))
	if len(pods) == 0 || len(n.labels("spec.selector")) == 0 {
		return nil
	}
	for p := range n.each("spec.ports") {
		name := p.text("targetPort")
		if name == "" || offersPort(pods, name, first(p.text("protocol"), "TCP")) {
			continue
		}
		all = append(all, found{
			kind:     "PortNotFound",
			text:     fmt.Sprintf("service %s: no container of its Pods has a port named %s", n.called(), quoted(name)),
			evidence: []Evidence{p.evidence("targetPort"), {From: FromSpec, Object: pods[0].ID, Path: ".spec.containers[*].ports", Value: pods[0].portNames()}},
			next:     []string{n.kubectl("edit service " + n.ID.Name)},
		})
	}
	return all
}

// offersPort reports whether a container of a Pod has a port of that name.
func offersPort(pods []*node, name, protocol string) bool {
	for _, p := range pods {
		for _, list := range containerLists {
			for c := range p.each(list.spec) {
				for port := range c.each("ports") {
					if port.text("name") == name && first(port.text("protocol"), "TCP") == protocol {
						return true
					}
				}
			}
		}
	}
	return false
}

// portNames renders the ports that the containers of a Pod declare.
func (n *node) portNames() string {
	var names []string
	for c := range n.each("spec.containers") {
		for port := range c.each("ports") {
			names = append(names, first(port.text("name"), "unnamed")+" "+shown(port.get("containerPort")))
		}
	}
	if len(names) == 0 {
		return "not set"
	}
	return bounded("[" + strings.Join(names, ", ") + "]")
}

// unservedPorts returns the ports of a Service that go to a name, and that none
// of its EndpointSlices has.
func (n *node) unservedPorts() (all []fields) {
	served := map[string]bool{}
	for _, s := range n.scene.among(n.slices()) {
		for p := range s.each("ports") {
			served[p.text("name")] = true
		}
	}
	for p := range n.each("spec.ports") {
		if p.text("targetPort") != "" && !served[p.text("name")] {
			all = append(all, p)
		}
	}
	return all
}

// hasPort reports whether a Service has a port of that name or number.
func (n *node) hasPort(name string, number int64) bool {
	for p := range n.each("spec.ports") {
		if name != "" && p.text("name") == name || number > 0 && p.whole("port", 0) == number {
			return true
		}
	}
	return false
}

// servicePorts renders the ports of a Service.
func (n *node) servicePorts() string {
	var all []string
	for p := range n.each("spec.ports") {
		all = append(all, strings.TrimSpace(p.text("name")+" "+shown(p.get("port"))))
	}
	return bounded("[" + strings.Join(all, ", ") + "]")
}
