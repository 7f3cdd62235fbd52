package explain

import (
	"cmp"
	"fmt"

	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

const gatewayGroup = "gateway.networking.k8s.io"

var gatewayClass = status.Kind{Group: gatewayGroup, Kind: "GatewayClass"}

// routeRefs are the parents of a route and its backends.
func routeRefs(n *node) (all []Ref) {
	for p := range n.Each("spec.parentRefs") {
		all = append(all, p.gatewayReference(gatewayGroup, "Gateway", false))
	}
	for rule := range n.Each("spec.rules") {
		for b := range rule.Each("backendRefs") {
			all = append(all, b.gatewayReference("", "Service", true))
		}
	}
	return all
}

// gatewayReference reads a reference of the Gateway API, in which group and kind
// may be left out.
func (f section) gatewayReference(group, kind string, anyway bool) Ref {
	if f.Has("group") {
		group = f.Text("group")
	}
	kind = cmp.Or(f.Text("kind"), kind)
	id := ID{f.node.ID.Cluster, group, kind, cmp.Or(f.Text("namespace"), f.node.ID.Namespace), f.Text("name")}
	return Ref{Path: f.Path + "name", ID: id, Anyway: anyway}
}

// gatewayRefs are the class of a Gateway and the Secrets with the certificates of
// its listeners.
func gatewayRefs(n *node) (all []Ref) {
	if class := n.Text("spec.gatewayClassName"); class != "" {
		all = append(all, Ref{Path: "spec.gatewayClassName", ID: n.refer(gatewayClass, "", class)})
	}
	for l := range n.Each("spec.listeners") {
		for c := range l.Each("tls.certificateRefs") {
			all = append(all, c.gatewayReference("", "Secret", false))
		}
	}
	return all
}

// routeRefused tells what the parents of a route say against it. That a backend
// is missing is told by the reference itself, if that is among the facts.
func routeRefused(n *node) (all []found) {
	for p := range n.Each("status.parents") {
		parent := cmp.Or(p.Text("parentRef.kind"), "Gateway") + " " + cmp.Or(p.Text("parentRef.namespace"), n.ID.Namespace) + "/" + p.Text("parentRef.name")
		for _, is := range [...]string{"Accepted", "ResolvedRefs"} {
			c := n.conditionAt(p.Path + "conditions[" + is + "]")
			if c.Text("status") != "False" {
				continue
			}
			f := found{
				kind: "RouteNotAccepted", text: fmt.Sprintf("%s does not accept it: %s", parent, c.says()),
				evidence: c.conditionEvidence(),
			}
			switch c.Text("reason") {
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
	for l := range n.Each("status.listeners") {
		for _, t := range listenerTroubles {
			c := n.conditionAt(l.Path + "conditions[" + t.is + "]")
			if reason := c.Text("reason"); c.Text("status") != t.bad || reason == "Pending" {
				continue
			}
			f := found{kind: "ListenerRefused", text: "listener " + show.Line(l.Text("name")) + ": " + c.says(), evidence: c.conditionEvidence()}
			if c.Text("reason") == "RefNotPermitted" {
				f.kind = "ReferenceNotPermitted"
				f.next = []string{n.everywhere("get referencegrants -A")}
			}
			f.echo = c.Text("reason") == "InvalidCertificateRef"
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
	if name := n.Text("spec.controllerName"); name != "" && (c.Text("reason") == "Pending" || c.Text("reason") == "Waiting" || !n.Has("status.conditions")) {
		f := found{kind: "ControllerSilent", text: "controller " + show.Line(name) + " has not taken it on", evidence: []Evidence{n.evidence("spec.controllerName")}}
		if c.Has("status") {
			f.evidence = append(f.evidence, c.conditionEvidence()...)
		}
		return []found{f}
	}
	return nil
}
