package explain

import (
	"fmt"
	"strings"

	"kstatus.dev/explain/internal/kubectl"
	"kstatus.dev/explain/internal/reference"
	"kstatus.dev/internal/text"
	"kstatus.dev/status"
)

// notServed finds that the cluster does not serve the kind of an object. It names the
// definition of the kind, and the versions that the definition serves.
func notServed(o *object) []finding {
	if o.isTypeUnknown() {
		return []finding{{
			kind: "KindNotServed", text: o.Result.Message, evidence: []Evidence{o.lookupEvidence(o.Result.Message)},
			next: []string{commandForAll(o.ID, "api-resources")},
		}}
	}
	if o.Object != nil || o.Result.Status != status.UnknownStatus || o.Result.Reason != status.ReasonNoMatch {
		return nil
	}
	f := finding{
		kind: "KindNotServed", text: "the cluster does not serve " + o.ID.Kind.String(),
		evidence: []Evidence{o.lookupEvidence(o.Result.Message)},
		next:     []string{commandForAll(o.ID, "api-resources", kubectl.Word("--api-group=").With(kubectl.Group(o.ID.Group)))},
	}
	def := o.definition()
	switch to := o.index.find(def); {
	case def.Name == "" || to == nil:
	case to.Object == nil && to.Result.Status == status.NotFoundStatus:
		f.evidence = append(f.evidence, Evidence{From: OriginLookup, Object: def, Value: "not found"})
	case to.Object != nil:
		for v := range to.Each("spec.versions") {
			f.evidence = append(f.evidence, v.evidence("served"))
		}
		f.weak = true // the definition shows why it is not established
	}
	return []finding{f}
}

// isTypeUnknown reports whether an object was requested by a TYPE that the server does not have.
// Its ID then has the TYPE instead of a kind.
func (o *object) isTypeUnknown() bool {
	return o.Object == nil && o.Result.Status == status.NotFoundStatus && strings.HasPrefix(o.Result.Message, "the server has no resource type ")
}

// definition returns the ID of the CustomResourceDefinition of a kind, with the plural
// guessed from the name of the kind. It is zero for built-in kinds.
func (o *object) definition() status.ID {
	if o.ID.Group == "" || !strings.Contains(o.ID.Group, ".") || strings.HasSuffix(o.ID.Group, ".k8s.io") && reference.IsBuiltinGroup(o.ID.Group) {
		return status.ID{}
	}
	return o.refer(crd, "", text.Plural(strings.ToLower(o.ID.Kind.Kind))+"."+o.ID.Group)
}

// crdRefused finds why the API of a CustomResourceDefinition is not served.
func crdRefused(o *object) (all []finding) {
	for _, is := range [...]struct{ condition, bad, kind string }{
		{"NamesAccepted", "False", "NameConflict"},
		{"KubernetesAPIApprovalPolicyConformant", "False", "DefinitionRefused"},
		{"NonStructuralSchema", "True", "DefinitionRefused"},
		{"Established", "False", "DefinitionRefused"},
	} {
		c := o.condition(is.condition)
		if c.Text("status") != is.bad || len(all) > 0 && is.condition == "Established" {
			continue
		}
		all = append(all, finding{
			kind: is.kind, text: o.ID.Name + " is not served: " + c.conditionText(), weak: c.Text("reason") == "Installing",
			evidence: c.conditionEvidence(),
		})
	}
	return all
}

// apiUnavailable finds why an API that is served by a Service does not respond.
func apiUnavailable(o *object) []finding {
	c := o.condition("Available")
	if c.Text("status") != "False" {
		return nil
	}
	return []finding{{
		kind: "APIUnavailable", text: "the API " + o.ID.Name + " does not answer: " + c.conditionText(), weak: true, evidence: c.conditionEvidence(),
		next: []string{commandForAll(o.ID, "get", "--raw", kubectl.APIPath(o.Text("spec.group"), o.Text("spec.version")))},
	}}
}

// apiServiceRefs returns the Service behind an APIService.
func apiServiceRefs(o *object) []objectRef {
	if name := o.Text("spec.service.name"); name != "" {
		return []objectRef{{Path: "spec.service.name", ID: o.refer(service, o.Text("spec.service.namespace"), name), FollowCurrent: true}}
	}
	return nil
}

// webhookRefs returns the Services that are called by the webhooks of a configuration, or
// by the conversion webhook of a CustomResourceDefinition.
func webhookRefs(o *object) (all []objectRef) {
	for at := range o.webhooks() {
		if name := at.Text("service.name"); name != "" {
			all = append(all, objectRef{Path: at.Path + "service.name", ID: o.refer(service, at.Text("service.namespace"), name), FollowCurrent: true})
		}
	}
	return all
}

// namespaceRef returns the namespace of an object that does not exist, since the
// namespace may be missing too.
func (o *object) namespaceRef() []objectRef {
	if o.ID.Namespace == "" || o.Object != nil || o.Result.Status != status.NotFoundStatus {
		return nil
	}
	return []objectRef{{ID: o.refer(namespace, "", o.ID.Namespace), Optional: true}}
}

// notFound finds that a requested object does not exist. It reports whether the namespace
// exists, and whether other namespaces have an object of that name.
func notFound(o *object) []finding {
	if o.Object != nil || o.Result.Status != status.NotFoundStatus || o.isTypeUnknown() {
		return nil
	}
	f := finding{kind: "NotFound", text: kindAndName(o.ID) + " does not exist", evidence: []Evidence{o.lookupEvidence("not found")}, next: []string{commandFor(o.ID, "get", typed(o.ID))}}
	switch in := o.index.find(o.refer(namespace, "", o.ID.Namespace)); {
	case o.ID.Namespace == "" || in == nil:
	case in.Object == nil && in.Result.Status == status.NotFoundStatus:
		f.kind, f.text = "NamespaceMissing", "namespace "+o.ID.Namespace+" does not exist"
		f.evidence = []Evidence{{From: OriginLookup, Object: in.ID, Value: "not found"}}
		f.next = []string{commandForAll(o.ID, "create", "namespace", kubectl.Label(o.ID.Namespace))}
	case in.isDeleting():
		f.kind, f.text = "NamespaceTerminating", "namespace "+o.ID.Namespace+" is being deleted, so no object can be created in it"
		f.evidence = append(f.evidence, in.evidence("metadata.deletionTimestamp"))
	}
	return []finding{o.addNamesakes(f)}
}

// namesakeList returns the list of all objects that have the kind and the name of a
// missing object, in all namespaces. It is empty for kinds that are not listed: a user
// who may list Secrets may read their values.
func (o *object) namesakeList() List {
	if o.Object != nil || o.Result.Status != status.NotFoundStatus || o.Result.Reason != status.ReasonNeverSeen || o.ID.Namespace == "" || o.ID.Kind == secret {
		return List{}
	}
	return List{Cluster: o.ID.Cluster, Group: o.ID.Group, Kind: o.ID.Kind.Kind, Name: o.ID.Name}
}

// addNamesakes adds the other namespaces that have an object with the kind and the name
// of a missing object.
func (o *object) addNamesakes(f finding) finding {
	var in []string
	for _, other := range o.index.namesakes[o.refer(o.ID.Kind, "", o.ID.Name)] {
		if other.Object != nil && other.ID.Namespace != o.ID.Namespace && len(in) < maxNamesakes {
			in = append(in, other.ID.Namespace)
			f.evidence = append(f.evidence, other.lookupEvidence("exists"))
		}
	}
	if len(in) > 0 {
		meant := o.ID
		meant.Namespace = in[0]
		f.next = []string{commandFor(meant, "get", slash(meant))} // a wrong namespace on the command line is more likely than a missing object
		f.text += "; there is a " + o.ID.Kind.Kind + " " + o.ID.Name + " in " + strings.Replace(text.Count(len(in), "namespace"), fmt.Sprintf("%d ", len(in)), "", 1) + " " + strings.Join(in, ", ")
	}
	return f
}

// maxNamesakes is the maximum number of namespaces that addNamesakes names.
const maxNamesakes = 3

// unreadable finds that an object could not be read.
func unreadable(o *object) []finding {
	if o.Object != nil || o.Result.Status != status.UnknownStatus || o.Result.Reason != status.ReasonForbidden {
		return nil
	}
	return []finding{{kind: "Unreadable", text: "it cannot be read: " + o.Result.Message, evidence: []Evidence{o.lookupEvidence(o.Result.Message)}}}
}
