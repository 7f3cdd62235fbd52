package explain

import (
	"fmt"

	"kstatus.dev/status"
)

const gatewayGroup = "gateway.networking.k8s.io"

var gatewayClass = status.Kind{Group: gatewayGroup, Kind: "GatewayClass"}

// routeRefs are the parents of a route and its backends.
func routeRefs(n *node) (all []Ref) {
	for p := range n.each("spec.parentRefs") {
		all = append(all, p.gatewayReference(gatewayGroup, "Gateway", false))
	}
	for rule := range n.each("spec.rules") {
		for b := range rule.each("backendRefs") {
			all = append(all, b.gatewayReference("", "Service", true))
		}
	}
	return all
}

// gatewayReference reads a reference of the Gateway API, in which group and kind
// may be left out.
func (f fields) gatewayReference(group, kind string, anyway bool) Ref {
	if f.has("group") {
		group = f.text("group")
	}
	kind = first(f.text("kind"), kind)
	id := ID{f.node.ID.Cluster, group, kind, first(f.text("namespace"), f.node.ID.Namespace), f.text("name")}
	return Ref{Path: f.path + "name", ID: id, Anyway: anyway}
}

// gatewayRefs are the class of a Gateway and the Secrets with the certificates of
// its listeners.
func gatewayRefs(n *node) (all []Ref) {
	if class := n.text("spec.gatewayClassName"); class != "" {
		all = append(all, Ref{Path: "spec.gatewayClassName", ID: n.refer(gatewayClass, "", class)})
	}
	for l := range n.each("spec.listeners") {
		for c := range l.each("tls.certificateRefs") {
			all = append(all, c.gatewayReference("", "Secret", false))
		}
	}
	return all
}

// routeRefused tells what the parents of a route say against it. That a backend
// is missing is told by the reference itself, if that is among the facts.
func routeRefused(n *node) (all []found) {
	for p := range n.each("status.parents") {
		parent := first(p.text("parentRef.kind"), "Gateway") + " " + first(p.text("parentRef.namespace"), n.ID.Namespace) + "/" + p.text("parentRef.name")
		for _, is := range [...]string{"Accepted", "ResolvedRefs"} {
			c := n.conditionAt(p.path + "conditions[" + is + "]")
			if c.text("status") != "False" {
				continue
			}
			f := found{
				kind: "RouteNotAccepted", text: fmt.Sprintf("%s does not accept it: %s", parent, c.says()),
				evidence: c.conditionEvidence(),
			}
			switch c.text("reason") {
			case "RefNotPermitted":
				f.kind, f.text = "ReferenceNotPermitted", "no ReferenceGrant lets it refer to another namespace: "+c.says()
				f.next = []string{n.everywhere("get referencegrants -A")}
			case "BackendNotFound", "InvalidKind", "UnsupportedProtocol":
				f.kind, f.text, f.echo = "ReferenceUnresolved", "a reference of it does not resolve: "+c.says(), true
			}
			all = append(all, f)
		}
	}
	return all
}

// The conditions of a listener that tell of trouble, with the status that does.
var listenerTroubles = [...]struct{ is, bad string }{
	{"Conflicted", "True"}, {"Accepted", "False"}, {"ResolvedRefs", "False"}, {"Programmed", "False"},
}

// listenerRefused tells what is wrong with a listener of a Gateway: the first
// condition that says so, since the others follow from it.
func listenerRefused(n *node) (all []found) {
	for l := range n.each("status.listeners") {
		for _, t := range listenerTroubles {
			c := n.conditionAt(l.path + "conditions[" + t.is + "]")
			if reason := c.text("reason"); c.text("status") != t.bad || reason == "Pending" {
				continue
			}
			f := found{kind: "ListenerRefused", text: "listener " + bounded(l.text("name")) + ": " + c.says(), evidence: c.conditionEvidence()}
			if c.text("reason") == "RefNotPermitted" {
				f.kind = "ReferenceNotPermitted"
				f.next = []string{n.everywhere("get referencegrants -A")}
			}
			f.echo = c.text("reason") == "InvalidCertificateRef"
			all = append(all, f)
			break
		}
	}
	return all
}

// classUnclaimed tells that the controller which a GatewayClass names has not
// looked at it: its condition is the one that the API gives every new class.
func classUnclaimed(n *node) []found {
	c := n.condition("Accepted")
	if name := n.text("spec.controllerName"); name != "" && (c.text("reason") == "Pending" || c.text("reason") == "Waiting" || !n.has("status.conditions")) {
		f := found{kind: "ControllerSilent", text: "controller " + bounded(name) + " has not taken it on", evidence: []Evidence{n.fields.evidence("spec.controllerName")}}
		if c.has("status") {
			f.evidence = append(f.evidence, c.conditionEvidence()...)
		}
		return []found{f}
	}
	return nil
}
