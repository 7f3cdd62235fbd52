package explain

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"kstatus.dev/explain/internal/show"
	"kstatus.dev/internal/text"
)

// backends yields the backends of an Ingress.
func (o *object) backends() iter.Seq[section] {
	return func(yield func(section) bool) {
		if o.Has("spec.defaultBackend") && !yield(o.Under("spec.defaultBackend")) {
			return
		}
		for rule := range o.Each("spec.rules") {
			for path := range rule.Each("http.paths") {
				if !yield(path.Under("backend")) {
					return
				}
			}
		}
	}
}

// ingressRefs returns the class of an Ingress, the Services behind it, and the Secrets
// with its certificates.
func ingressRefs(o *object) (all []objectRef) {
	if class := o.Text("spec.ingressClassName"); class != "" {
		all = append(all, objectRef{Path: "spec.ingressClassName", ID: o.refer(ingressClass, "", class)})
	}
	for b := range o.backends() {
		if name := b.Text("service.name"); name != "" {
			all = append(all, objectRef{Path: b.Path + "service.name", ID: o.refer(service, o.ID.Namespace, name), FollowCurrent: true})
		}
		if r, ok := b.reference("resource"); ok {
			all = append(all, r)
		}
	}
	for t := range o.Each("spec.tls") {
		if name := t.Text("secretName"); name != "" {
			all = append(all, objectRef{Path: t.Path + "secretName", ID: o.refer(secret, o.ID.Namespace, name)})
		}
	}
	return all
}

// ingressPorts finds backends of an Ingress with a port that their Service does not have.
func ingressPorts(o *object) (all []finding) {
	for b := range o.backends() {
		to := o.index.find(o.refer(service, o.ID.Namespace, b.Text("service.name")))
		name, number := b.Text("service.port.name"), b.Int("service.port.number", 0)
		if to == nil || to.Object == nil || name == "" && number == 0 || to.hasPort(name, number) {
			continue
		}
		path := "service.port.name"
		if name == "" {
			name, path = fmt.Sprint(number), "service.port.number"
		}
		all = append(all, finding{
			kind: "PortNotFound", text: kindAndName(to.ID) + " has no port " + show.Line(name),
			evidence: []Evidence{b.evidence(path), to.evidenceAs("spec.ports", to.servicePorts())},
		})
	}
	return all
}

// noIngressClass finds that no controller serves an Ingress, because it names no class
// and no class is the default.
func noIngressClass(o *object) []finding {
	if !o.hasNoClass() || !o.index.isListed(o.list(ingressClass, "", nil)) {
		return nil
	}
	classes := o.index.objectsIn(o.list(ingressClass, "", nil))
	if slices.ContainsFunc(classes, func(c *object) bool {
		return c.Text("metadata.annotations[ingressclass.kubernetes.io/is-default-class]") == "true"
	}) || o.Has("status.loadBalancer.ingress") {
		return nil
	}
	f := finding{
		kind: "IngressClassMissing", text: "it names no IngressClass, and no IngressClass is the default",
		evidence: []Evidence{o.evidence("spec.ingressClassName"), o.lookupEvidence(text.Count(len(classes), "IngressClass") + ", none is the default")},
		next:     []string{commandForAll(o.ID, "get", "ingressclasses")},
	}
	if len(classes) == 0 {
		f.evidence[1].Value = "the cluster has no IngressClass"
	}
	return []finding{f}
}

// ingressWithoutAddress finds that an Ingress without other problems has no address, and names the
// controller of its class. Some controllers publish no addresses.
func ingressWithoutAddress(o *object) []finding {
	if o.Has("status.loadBalancer.ingress") || len(latestWarning(o)) > 0 || o.index.age(o.Text("metadata.creationTimestamp")) < controllerDelay {
		return nil
	}
	class := o.index.find(o.refer(ingressClass, "", cmp.Or(o.Text("spec.ingressClassName"), o.Text("metadata.annotations[kubernetes.io/ingress.class]"))))
	if class == nil || class.Object == nil {
		return nil
	}
	return []finding{{
		kind: "AddressMissing", text: "controller " + show.Line(class.Text("spec.controller")) + " has not published an address (not every controller does)", weak: true,
		evidence: []Evidence{o.evidence("status.loadBalancer.ingress"), class.evidence("spec.controller")},
		next:     []string{commandFor(o.ID, "describe", slash(o.ID))},
	}}
}

// latestWarning finds the latest recent warning about an object, for kinds without
// conditions.
func latestWarning(o *object) []finding {
	for _, e := range o.events {
		if e.Type == "Warning" && o.index.isRecent(e.Last) {
			return []finding{{kind: "Reported", text: cmp.Or(e.Message, e.Reason), weak: true, evidence: []Evidence{o.eventEvidence(e)}, next: []string{commandFor(o.ID, "describe", slash(o.ID))}}}
		}
	}
	return nil
}

// hasNoClass reports whether an Ingress names no class.
func (o *object) hasNoClass() bool {
	return o.Text("spec.ingressClassName") == "" && o.Text("metadata.annotations[kubernetes.io/ingress.class]") == ""
}

// ingressLists returns the list of classes if an Ingress names none.
func ingressLists(o *object) []List {
	if !o.hasNoClass() {
		return nil
	}
	return []List{o.list(ingressClass, "", nil)}
}
