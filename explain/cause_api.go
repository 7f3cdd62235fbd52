package explain

import (
	"cmp"
	"strings"

	"kstatus.dev/explain/internal/show"
	"kstatus.dev/internal/text"
	"kstatus.dev/status"
)

// notServed tells that the cluster does not serve the kind of an object: which
// definition would, and what that one serves.
func notServed(n *node) []found {
	if n.Object != nil || n.Result.Status != status.UnknownStatus || n.Result.Reason != "NoMatch" {
		return nil
	}
	f := found{
		kind: "KindNotServed", text: "the cluster does not serve " + n.ID.GroupKind().String(),
		evidence: []Evidence{n.lookup(n.Result.Message)},
		next:     []string{n.everywhere("api-resources --api-group=" + n.ID.Group)},
	}
	def := n.definition()
	switch to := n.scene.find(def); {
	case def.Name == "" || to == nil:
	case to.Object == nil && to.Result.Status == status.NotFoundStatus:
		f.evidence = append(f.evidence, Evidence{From: FromLookup, Object: def, Value: "not found"})
	case to.Object != nil:
		for v := range to.Each("spec.versions") {
			f.evidence = append(f.evidence, v.evidence("served"))
		}
		f.echo = true // the definition tells why it is not established
	}
	return []found{f}
}

// definition names the CustomResourceDefinition of a kind, as far as its plural
// can be told from its name; none for the kinds of Kubernetes' own.
func (n *node) definition() ID {
	if n.ID.Group == "" || !strings.Contains(n.ID.Group, ".") || strings.HasSuffix(n.ID.Group, ".k8s.io") && builtinGroup(n.ID.Group) {
		return ID{}
	}
	return n.refer(crd, "", text.Plural(strings.ToLower(n.ID.Kind))+"."+n.ID.Group)
}

// builtinGroup reports whether the API server itself serves a group.
func builtinGroup(group string) bool {
	switch group {
	case "admissionregistration.k8s.io", "apiextensions.k8s.io", "apiregistration.k8s.io", "authentication.k8s.io",
		"authorization.k8s.io", "certificates.k8s.io", "coordination.k8s.io", "discovery.k8s.io", "events.k8s.io",
		"flowcontrol.apiserver.k8s.io", "internal.apiserver.k8s.io", "networking.k8s.io", "node.k8s.io",
		"rbac.authorization.k8s.io", "resource.k8s.io", "scheduling.k8s.io", "storage.k8s.io", "storagemigration.k8s.io":
		return true
	}
	return false
}

// crdRefused tells why the API of a CustomResourceDefinition is not served.
func crdRefused(n *node) (all []found) {
	for _, is := range [...]struct{ condition, bad, kind string }{
		{"NamesAccepted", "False", "NameConflict"},
		{"KubernetesAPIApprovalPolicyConformant", "False", "DefinitionRefused"},
		{"NonStructuralSchema", "True", "DefinitionRefused"},
		{"Established", "False", "DefinitionRefused"},
	} {
		c := n.condition(is.condition)
		if c.Text("status") != is.bad || len(all) > 0 && is.condition == "Established" {
			continue
		}
		all = append(all, found{
			kind: is.kind, text: n.ID.Name + " is not served: " + c.says(), echo: c.Text("reason") == "Installing",
			evidence: c.conditionEvidence(),
		})
	}
	return all
}

// apiUnavailable tells why an API behind a Service does not answer.
func apiUnavailable(n *node) []found {
	c := n.condition("Available")
	if c.Text("status") != "False" {
		return nil
	}
	return []found{{
		kind: "APIUnavailable", text: "the API " + n.ID.Name + " does not answer: " + c.says(), echo: true, evidence: c.conditionEvidence(),
		next: []string{n.everywhere("get --raw /apis/" + show.Line(n.Text("spec.group")+"/"+n.Text("spec.version")))},
	}}
}

// apiServiceRefs are the Service that answers for an API.
func apiServiceRefs(n *node) []Ref {
	if name := n.Text("spec.service.name"); name != "" {
		return []Ref{{Path: "spec.service.name", ID: n.refer(service, n.Text("spec.service.namespace"), name), Anyway: true}}
	}
	return nil
}

// webhookRefs are the Services that the webhooks of a configuration, or the
// conversion of a CustomResourceDefinition, call.
func webhookRefs(n *node) (all []Ref) {
	for at := range n.webhooks() {
		if name := at.Text("service.name"); name != "" {
			all = append(all, Ref{Path: at.Path + "service.name", ID: n.refer(service, at.Text("service.namespace"), name), Anyway: true})
		}
	}
	return all
}

// namespaceRef is the namespace of an object that does not exist: that may be
// what is missing.
func (n *node) namespaceRef() []Ref {
	if n.ID.Namespace == "" || n.Object != nil || n.Result.Status != status.NotFoundStatus {
		return nil
	}
	return []Ref{{ID: n.refer(namespace, "", n.ID.Namespace), Optional: true}}
}

// absent tells that an object that was asked about does not exist, and whether
// its namespace does.
func absent(n *node) []found {
	if n.Object != nil || n.Result.Status != status.NotFoundStatus {
		return nil
	}
	if n.ID.Namespace != "" {
		in := n.scene.find(n.refer(namespace, "", n.ID.Namespace))
		if in != nil && in.Object == nil && in.Result.Status == status.NotFoundStatus {
			return []found{{
				kind: "NamespaceMissing", text: "namespace " + n.ID.Namespace + " does not exist",
				evidence: []Evidence{{From: FromLookup, Object: in.ID, Value: "not found"}},
				next:     []string{n.everywhere("create namespace " + show.Line(n.ID.Namespace))},
			}}
		}
	}
	return []found{{
		kind: "NotFound", text: lowerKind(n.ID) + " does not exist", evidence: []Evidence{n.lookup(cmp.Or(n.Result.Message, "not found"))},
	}}
}

// unread tells that an object could not be read, so that nothing is known of it.
func unread(n *node) []found {
	if n.Object != nil || n.Result.Status != status.UnknownStatus || n.Result.Reason != "Forbidden" {
		return nil
	}
	return []found{{kind: "Unreadable", text: "it may not be read: " + n.Result.Message, evidence: []Evidence{n.lookup(n.Result.Message)}}}
}
