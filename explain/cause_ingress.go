package explain

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"kstatus.dev/explain/internal/show"
	"kstatus.dev/internal/text"
)

// backends yields what an Ingress sends its requests to.
func (n *node) backends() iter.Seq[section] {
	return func(yield func(section) bool) {
		if n.Has("spec.defaultBackend") && !yield(n.Under("spec.defaultBackend")) {
			return
		}
		for rule := range n.Each("spec.rules") {
			for path := range rule.Each("http.paths") {
				if !yield(path.Under("backend")) {
					return
				}
			}
		}
	}
}

// ingressRefs are the class of an Ingress, its backends and the Secrets with its
// certificates.
func ingressRefs(n *node) (all []Ref) {
	if class := n.Text("spec.ingressClassName"); class != "" {
		all = append(all, Ref{Path: "spec.ingressClassName", ID: n.refer(ingressClass, "", class)})
	}
	for b := range n.backends() {
		if name := b.Text("service.name"); name != "" {
			all = append(all, Ref{Path: b.Path + "service.name", ID: n.refer(service, n.ID.Namespace, name), Anyway: true})
		}
		if r, ok := b.reference("resource"); ok {
			all = append(all, r)
		}
	}
	for t := range n.Each("spec.tls") {
		if name := t.Text("secretName"); name != "" {
			all = append(all, Ref{Path: t.Path + "secretName", ID: n.refer(secret, n.ID.Namespace, name)})
		}
	}
	return all
}

// ingressPorts tells which backend of an Ingress names a port that its Service
// does not have.
func ingressPorts(n *node) (all []found) {
	for b := range n.backends() {
		to := n.scene.find(n.refer(service, n.ID.Namespace, b.Text("service.name")))
		name, number := b.Text("service.port.name"), b.Int("service.port.number", 0)
		if to == nil || to.Object == nil || name == "" && number == 0 || to.hasPort(name, number) {
			continue
		}
		path := "service.port.name"
		if name == "" {
			name, path = fmt.Sprint(number), "service.port.number"
		}
		all = append(all, found{
			kind: "PortNotFound", text: lowerKind(to.ID) + " has no port " + show.Line(name),
			evidence: []Evidence{b.evidence(path), {From: FromSpec, Object: to.ID, Path: ".spec.ports", Value: to.servicePorts()}},
		})
	}
	return all
}

// noIngressClass tells of an Ingress that nobody serves, since it names no class
// and there is no default.
func noIngressClass(n *node) []found {
	if !n.classless() || !n.scene.listed(n.list(ingressClass, "", nil)) {
		return nil
	}
	classes := n.scene.among(n.list(ingressClass, "", nil))
	if slices.ContainsFunc(classes, func(c *node) bool {
		return c.Text("metadata.annotations[ingressclass.kubernetes.io/is-default-class]") == "true"
	}) || n.Has("status.loadBalancer.ingress") {
		return nil
	}
	f := found{
		kind: "IngressClassMissing", text: "it names no IngressClass, and none is the default",
		evidence: []Evidence{n.evidence("spec.ingressClassName"), n.lookup(text.Count(len(classes), "IngressClass") + ", none of them the default")},
		next:     []string{n.everywhere("get ingressclasses")},
	}
	if len(classes) == 0 {
		f.evidence[1].Value = "the cluster has no IngressClass"
	}
	return []found{f}
}

// unaddressed tells, where nothing else is wrong, that an Ingress has no address,
// and whose controller is to give it one. Not every controller does.
func unaddressed(n *node) []found {
	if n.Has("status.loadBalancer.ingress") || len(warned(n)) > 0 || n.scene.age(n.Text("metadata.creationTimestamp")) < heardWithin {
		return nil
	}
	class := n.scene.find(n.refer(ingressClass, "", cmp.Or(n.Text("spec.ingressClassName"), n.Text("metadata.annotations[kubernetes.io/ingress.class]"))))
	if class == nil || class.Object == nil {
		return nil
	}
	return []found{{
		kind: "AddressMissing", text: "no address is published by controller " + show.Line(class.Text("spec.controller")) + ", which not every controller does", echo: true,
		evidence: []Evidence{n.evidence("status.loadBalancer.ingress"), class.evidence("spec.controller")},
		next:     []string{n.ID.kubectl("describe", n.ID.slash())},
	}}
}

// warned tells of the latest warning about an object whose status cannot tell of it.
func warned(n *node) []found {
	for _, e := range n.events {
		if e.Type == "Warning" && n.scene.recent(e.Last) {
			return []found{{kind: "Reported", text: e.Message, echo: true, evidence: []Evidence{n.event(e)}, next: []string{n.ID.kubectl("describe", n.ID.slash())}}}
		}
	}
	return nil
}

// classless reports whether an Ingress names no class.
func (n *node) classless() bool {
	return n.Text("spec.ingressClassName") == "" && n.Text("metadata.annotations[kubernetes.io/ingress.class]") == ""
}

// ingressLists are the classes, where an Ingress names none.
func ingressLists(n *node) []List {
	if !n.classless() {
		return nil
	}
	return []List{n.list(ingressClass, "", nil)}
}
