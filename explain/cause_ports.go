package explain

import (
	"cmp"
	"fmt"
	"strings"

	"kstatus.dev/explain/internal/kubectl"
	"kstatus.dev/explain/internal/podspec"
	"kstatus.dev/explain/internal/show"
)

// targetPorts finds ports of a Service whose named target port no container of its Pods
// has. Numbers are not checked, since containers need not declare their ports.
func targetPorts(o *object) (all []finding) {
	pods := o.index.livePods(o.selectedBy("spec.selector"))
	if len(pods) == 0 || len(o.Labels("spec.selector")) == 0 {
		return nil
	}
	for p := range o.Each("spec.ports") {
		name := p.Text("targetPort")
		if name == "" || hasNamedPort(pods, name, cmp.Or(p.Text("protocol"), "TCP")) {
			continue
		}
		all = append(all, finding{
			kind:     "PortNotFound",
			text:     fmt.Sprintf("service %s: no container of its Pods has a port named %s", o.fullName(), show.Quoted(name)),
			evidence: append([]Evidence{p.evidence("targetPort")}, pods[0].portEvidence()...),
			next:     []string{commandFor(o.ID, "edit", "service", kubectl.Name(o.ID.Name))},
		})
	}
	return all
}

// hasNamedPort reports whether a container of a Pod has a port of that name.
func hasNamedPort(pods []*object, name, protocol string) bool {
	for _, p := range pods {
		for _, list := range podspec.ContainerLists {
			for c := range p.Each(list.Spec) {
				for port := range c.Each("ports") {
					if port.Text("name") == name && cmp.Or(port.Text("protocol"), "TCP") == protocol {
						return true
					}
				}
			}
		}
	}
	return false
}

// portEvidence returns the declared ports of the containers of a Pod as evidence, for at
// most three containers.
func (o *object) portEvidence() (all []Evidence) {
	for c := range o.Each("spec.containers") {
		var names []string
		for port := range c.Each("ports") {
			names = append(names, cmp.Or(port.Text("name"), "unnamed")+" "+show.Value(port.Get("containerPort")))
		}
		if len(all) < 3 {
			all = append(all, c.evidenceAs("ports", "["+strings.Join(names, ", ")+"]"))
		}
	}
	return all
}

// unservedPorts returns the ports of a Service with a named target port that no
// EndpointSlice of it has.
func (o *object) unservedPorts() (all []section) {
	served := map[string]bool{}
	for _, s := range o.index.objectsIn(o.sliceList()) {
		for p := range s.Each("ports") {
			served[p.Text("name")] = true
		}
	}
	for p := range o.Each("spec.ports") {
		if p.Text("targetPort") != "" && !served[p.Text("name")] {
			all = append(all, p)
		}
	}
	return all
}

// hasPort reports whether a Service has a port of that name or number.
func (o *object) hasPort(name string, number int64) bool {
	for p := range o.Each("spec.ports") {
		if name != "" && p.Text("name") == name || number > 0 && p.Int("port", 0) == number {
			return true
		}
	}
	return false
}

// servicePorts renders the ports of a Service.
func (o *object) servicePorts() string {
	var all []string
	for p := range o.Each("spec.ports") {
		all = append(all, strings.TrimSpace(p.Text("name")+" "+show.Value(p.Get("port"))))
	}
	return show.Line("[" + strings.Join(all, ", ") + "]")
}
