package explain

import (
	"cmp"
	"fmt"

	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

const gatewayGroup = "gateway.networking.k8s.io"

var gatewayClass = status.Kind{Group: gatewayGroup, Kind: "GatewayClass"}

// routeRefs returns the parents of a route and its backends.
func routeRefs(o *object) (all []objectRef) {
	for p := range o.Each("spec.parentRefs") {
		all = append(all, p.gatewayReference(gatewayGroup, "Gateway", false))
	}
	for rule := range o.Each("spec.rules") {
		for b := range rule.Each("backendRefs") {
			all = append(all, b.gatewayReference("", "Service", true))
		}
	}
	return all
}

// gatewayReference reads a reference of the Gateway API, in which group and kind are
// optional.
func (s section) gatewayReference(group, kind string, followCurrent bool) objectRef {
	if s.Has("group") {
		group = s.Text("group")
	}
	kind = cmp.Or(s.Text("kind"), kind)
	id := s.object.refer(status.Kind{Group: group, Kind: kind}, cmp.Or(s.Text("namespace"), s.object.ID.Namespace), s.Text("name"))
	return objectRef{Path: s.Path + "name", ID: id, FollowCurrent: followCurrent}
}

// gatewayRefs returns the class of a Gateway and the Secrets with the certificates of its
// listeners.
func gatewayRefs(o *object) (all []objectRef) {
	if class := o.Text("spec.gatewayClassName"); class != "" {
		all = append(all, objectRef{Path: "spec.gatewayClassName", ID: o.refer(gatewayClass, "", class)})
	}
	for l := range o.Each("spec.listeners") {
		for c := range l.Each("tls.certificateRefs") {
			all = append(all, c.gatewayReference("", "Secret", false))
		}
	}
	return all
}

// routeRefused finds the problems that the parents of a route report. A missing backend
// is found by its reference, if that is among the facts.
func routeRefused(o *object) (all []finding) {
	for p := range o.Each("status.parents") {
		parent := cmp.Or(p.Text("parentRef.kind"), "Gateway") + " " + cmp.Or(p.Text("parentRef.namespace"), o.ID.Namespace) + "/" + p.Text("parentRef.name")
		for _, is := range [...]string{"Accepted", "ResolvedRefs"} {
			c := o.conditionAt(p.Path + "conditions[" + is + "]")
			if c.Text("status") != "False" {
				continue
			}
			f := finding{
				kind: "RouteNotAccepted", text: fmt.Sprintf("%s does not accept it: %s", parent, c.conditionText()),
				evidence: c.conditionEvidence(),
			}
			switch c.Text("reason") {
			case "RefNotPermitted":
				f.kind, f.text = "ReferenceNotPermitted", "no ReferenceGrant allows its reference to another namespace: "+c.conditionText()
				f.next = []string{commandForAll(o.ID, "get", "referencegrants", "-A")}
			case "BackendNotFound", "InvalidKind", "UnsupportedProtocol":
				f.kind, f.text, f.weak = "ReferenceUnresolved", "one of its references cannot be resolved: "+c.conditionText(), true
			}
			all = append(all, f)
		}
	}
	return all
}

// The conditions of a listener that report problems, with the status that does.
var listenerTroubles = [...]struct{ is, bad string }{
	{"Conflicted", "True"}, {"Accepted", "False"}, {"ResolvedRefs", "False"}, {"Programmed", "False"},
}

// listenerRefused finds the problem of a Gateway listener: the first condition that
// reports one, since others follow from it.
func listenerRefused(o *object) (all []finding) {
	for l := range o.Each("status.listeners") {
		for _, t := range listenerTroubles {
			c := o.conditionAt(l.Path + "conditions[" + t.is + "]")
			if reason := c.Text("reason"); c.Text("status") != t.bad || reason == "Pending" {
				continue
			}
			f := finding{kind: "ListenerRefused", text: "listener " + show.Line(l.Text("name")) + ": " + c.conditionText(), evidence: c.conditionEvidence()}
			if c.Text("reason") == "RefNotPermitted" {
				f.kind = "ReferenceNotPermitted"
				f.next = []string{commandForAll(o.ID, "get", "referencegrants", "-A")}
			}
			f.weak = c.Text("reason") == "InvalidCertificateRef"
			all = append(all, f)
			break
		}
	}
	return all
}

// gatewayClassNotAccepted finds that the controller of a GatewayClass has not reported: its
// condition is still the API's default.
func gatewayClassNotAccepted(o *object) []finding {
	c := o.condition("Accepted")
	if name := o.Text("spec.controllerName"); name != "" && (c.Text("reason") == "Pending" || c.Text("reason") == "Waiting" || !o.Has("status.conditions")) {
		f := finding{kind: "ControllerSilent", text: "controller " + show.Line(name) + " has not accepted it", evidence: []Evidence{o.evidence("spec.controllerName")}}
		if c.Has("status") {
			f.evidence = append(f.evidence, c.conditionEvidence()...)
		}
		return []finding{f}
	}
	return nil
}
