package explain

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"kstatus.dev/explain/internal/kubectl"
	"kstatus.dev/explain/internal/reference"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

// controllerSilent finds that no controller has reported on an object, with evidence about its
// controller.
func controllerSilent(o *object) []finding {
	switch o.Result.Reason {
	case status.ReasonNotObserved, status.ReasonLatestGenerationNotObserved, status.ReasonNoControllerEvidence, status.ReasonStaleCondition:
	case status.ReasonObservedGenerationNeverAdvanced, status.ReasonNoEvidence:
		if !o.hasWrittenStatus() {
			return nil
		}
	default:
		return nil
	}
	switch group := o.ID.Group; {
	case o.Object == nil:
		return nil
	case group == "apps", group == "batch", group == "autoscaling", group == "policy":
	case reference.IsBuiltinGroup(group), !strings.Contains(group, "."):
		return nil
	}
	switch o.Result.Reason {
	case status.ReasonStaleCondition:
		return o.staleCondition()
	case status.ReasonNoEvidence:
		return o.statusWithoutEvidence()
	}
	f := finding{kind: "ControllerSilent", text: "not observed by the controller of " + o.ID.Kind.String(), weak: true}
	if o.Result.Reason == status.ReasonLatestGenerationNotObserved {
		f.text = "latest generation not observed by the controller of " + o.ID.Kind.String()
		f.evidence = append(f.evidence, o.evidence("metadata.generation"), o.evidence("status.observedGeneration"))
	} else if o.hasWrittenStatus() {
		f.text = "its status lacks a field that its CustomResourceDefinition declares"
		f.evidence = append(f.evidence, o.evidence("status.observedGeneration"))
	} else if len(o.Under("status").Map) == 0 {
		f.evidence = append(f.evidence, o.evidence("status"))
	} else {
		f.evidence = append(f.evidence, o.evidence("status.conditions"))
	}
	if id, ok := o.controllerOf(o.controllerGroup()); ok {
		f.next = []string{commandFor(id, "get", typedSlash(id))}
	}
	f.evidence = append(f.evidence, o.controllerEvidence(o.controllerGroup())...)
	f.evidence = append(f.evidence, o.writerEvidence()...)
	return []finding{f}
}

// statusWithoutEvidence finds that no field of a status shows whether the object is ready. A rule
// for its kind can name one.
func (o *object) statusWithoutEvidence() []finding {
	return []finding{{
		kind: "Unexplained", text: "no field of its status shows whether it is ready", next: []string{explainRule(o.ID)}, weak: true,
		evidence: o.statusEvidence(),
	}}
}

// statusEvidence returns the first fields of the status as evidence, or that the status is not
// set. For an object that is not known, the evidence is its verdict.
func (o *object) statusEvidence() (all []Evidence) {
	if o.Object == nil {
		return []Evidence{{From: OriginLookup, Object: o.ID, Value: "its fields are not known; " + string(o.Result.Status) + ", " + o.Result.Reason}}
	}
	names := slices.Sorted(maps.Keys(o.Under("status").Map))
	for _, name := range names[:min(len(names), maxStatusFields)] {
		all = append(all, o.evidence("status."+name))
	}
	if len(all) == 0 {
		all = append(all, o.evidence("status"))
	}
	return all
}

// maxStatusFields is the maximum number of fields that statusEvidence names.
const maxStatusFields = 4

// explainRule returns the command that prints the rule for the kind of an object, and how to
// write one.
func explainRule(id status.ID) string {
	return kubectl.Kstatus(id.Cluster, "", "get", "--explain-rule", kubectl.Kind(id.Group, id.Kind.Kind))
}

// hasWrittenStatus reports whether a client has written the status of an object by
// itself. Otherwise the status is only from schema defaults or from a manifest.
func (o *object) hasWrittenStatus() bool {
	for w := range o.Each("metadata.managedFields") {
		fields := w.Under("fieldsV1").Map
		_, ofStatus := fields["f:status"]
		_, ofSpec := fields["f:spec"]
		if w.Text("subresource") == "status" || ofStatus && !ofSpec {
			return true
		}
	}
	return false
}

// writerEvidence returns the field managers of an object as evidence, in the order of
// managedFields, at most three.
func (o *object) writerEvidence() (all []Evidence) {
	for w := range o.Each("metadata.managedFields") {
		if name := w.Text("manager"); name != "" && len(all) < 3 {
			written := ""
			if at := w.Text("time"); at != "" {
				written = ", at " + at
			}
			all = append(all, Evidence{From: OriginStatus, Object: o.ID, Path: "." + strings.TrimSuffix(w.Path, "."), Value: show.Line(name + written)})
		}
	}
	return all
}

// staleCondition finds the first condition that the controller has not written for the
// latest generation.
func (o *object) staleCondition() []finding {
	latest := o.Int("metadata.generation", 0)
	for c := range o.Each("status.conditions") {
		if written := c.Int("observedGeneration", latest); written < latest {
			return []finding{{
				kind: "ControllerSilent", text: fmt.Sprintf("condition %s is for generation %d, not for the latest, %d", c.Text("type"), written, latest),
				evidence: append([]Evidence{o.evidence("metadata.generation"), c.evidence("observedGeneration")}, o.controllerEvidence(o.controllerGroup())...),
				next:     []string{commandFor(o.ID, "describe", typedSlash(o.ID))}, weak: true,
			}}
		}
	}
	return nil
}

// managers describes the field managers of an object: "kubectl, pump-controller
// (status)".
func (o *object) managers() string {
	var all []string
	for w := range o.Each("metadata.managedFields") {
		name := w.Text("manager")
		if part := w.Text("subresource"); part != "" {
			name += " (" + part + ")"
		}
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return show.Line(strings.Join(all, ", "))
}
