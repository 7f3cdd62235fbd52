package flux

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/dropin"
	"kstatus.dev/dropin/internal/readers"
)

var (
	jobKind = schema.GroupKind{Group: "batch", Kind: "Job"}
	podKind = schema.GroupKind{Kind: "Pod"}
)

// A StatusReader is a status reader for watchers. [Reader] returns one.
//
// Its verdicts are those of the mode, on the object alone. Three things need the whole engine. A
// failed Pod does not make its workload fail before the workload reports that. A status does not
// change when only time passes. A custom resource without any status is Current at once.
type StatusReader struct {
	converted
	mapper meta.RESTMapper
	mode   dropin.Mode
	kinds  []schema.GroupKind // nil: all but Job and Pod
}

// Reader returns a StatusReader for all kinds except Job and Pod. Helm and Flux have their own
// readers for these two kinds, which wait until an object has completed. The mode started would
// accept a running one.
//
// The reader sends no request for an event, with one exception. When a Deployment has failed, it
// reads the ReplicaSets and the Pods of that Deployment. The message then names the worst problem.
func Reader(mapper meta.RESTMapper) StatusReader {
	return StatusReader{mapper: mapper}.with(dropin.Mode{})
}

// In returns a reader with the verdicts of a mode. An empty part of the mode is that of
// [dropin.Right]. If a part is not known, the reader returns an error for each object.
func (r StatusReader) In(m dropin.Mode) StatusReader { return r.with(m) }

// Only returns a reader that supports only these kinds, which may include Job and Pod. Other
// readers judge the rest.
func (r StatusReader) Only(kinds ...schema.GroupKind) StatusReader {
	r.kinds = append([]schema.GroupKind{}, kinds...)
	return r
}

func (r StatusReader) with(m dropin.Mode) StatusReader {
	r.mode = orRight(m)
	r.converted = converted{readers.Config{Mode: r.mode}.Single(r.mapper)}
	return r
}

// Supports reports whether the reader judges objects of this kind.
func (r StatusReader) Supports(kind schema.GroupKind) bool {
	if r.kinds == nil {
		return kind != jobKind && kind != podKind
	}
	return slices.Contains(r.kinds, kind)
}

// orRight returns m with the parts of [dropin.Right] in place of the empty ones.
func orRight(m dropin.Mode) dropin.Mode {
	return dropin.Mode{
		Verdicts: cmp.Or(m.Verdicts, dropin.Right.Verdicts),
		Events:   cmp.Or(m.Events, dropin.Right.Events),
	}
}
