package status

import (
	"strings"
	"sync"
	"time"

	safetext "kstatus.dev/internal/text"
	"kstatus.dev/status/internal/value"
	"kstatus.dev/status/schema"
)

// An evaluation is the context in which the verdict on one object is computed.
type evaluation struct {
	object     Fields // reads from the root of the object
	sections          // the parts of the object that are read most often
	inputs            // the inputs of the verdict other than the object
	findings          // what the stages have found so far
	conditions conditionIndex
	signals    signals
	names      value.Names
	items      [6]Fields // buffer for the items of lists
	itemsUsed  int       // the number of items in use
}

// sections holds the parts of the object that are read most often. A part that is not a map is
// nil.
type sections struct {
	status           map[string]any
	spec             map[string]any
	metadata         map[string]any
	generation       int64 // metadata.generation; 0 if there is none, or if it is malformed
	malformedSection bool  // a part exists and is not a map
}

// inputs holds the inputs of a verdict other than the object.
type inputs struct {
	profile     *profileData
	entry       KindRule
	kind        Kind
	hint        *hint
	expectation schema.Expectation
	clock       func() time.Time // nil: time.Now
	snapshot    bool             // clock is the newest time in the objects
	plain       bool             // the object is a Map, of which encoding/json may have decoded whole numbers as floats
	trace       func(Read)       // called for each field that is read; may be nil
	related     Lookup
}

// findings holds what the stages have found so far, other than a Result.
type findings struct {
	err             error
	warnings        []string
	ambiguousWrites bool          // the times of writes do not show which generation the status describes
	caveat          string        // of the verdict, if that is Current and has none
	recheck         time.Duration // until then the status is not taken to describe the latest generation
}

// evaluations are pooled: allocation dominates the cost of a verdict, and this leaves
// only the Result and its message. release drops every reference to the object.
var evaluations sync.Pool

// newEvaluation returns an evaluation of an object.
func newEvaluation(obj map[string]any) *evaluation {
	ev, ok := evaluations.Get().(*evaluation)
	if !ok {
		ev = new(evaluation)
	}
	ev.object.node, ev.object.eval = obj, ev
	ev.status = ev.section("status")
	ev.spec = ev.section("spec")
	ev.metadata = ev.section("metadata")
	ev.generation, _ = value.Generation(ev.metadata["generation"])
	return ev
}

// section returns a part of the object, nil if it is not a map.
func (ev *evaluation) section(name string) map[string]any {
	v := ev.object.node[name]
	m, ok := v.(map[string]any)
	if !ok && v != nil {
		ev.malformedSection = true
	}
	return m
}

// release clears the evaluation and makes it available for the next object.
func (ev *evaluation) release() {
	clear(ev.conditions.types[:min(len(ev.conditions.list), len(ev.conditions.types))])
	clear(ev.items[:ev.itemsUsed])
	ev.itemsUsed = 0
	ev.object.node, ev.sections, ev.inputs, ev.findings = nil, sections{}, inputs{}, findings{}
	ev.conditions.list, ev.conditions.read, ev.conditions.standard = nil, false, false
	ev.signals.reset()
	evaluations.Put(ev)
}

// item returns Fields for an item of a list. They are valid until release.
func (ev *evaluation) item() *Fields {
	if ev.itemsUsed == len(ev.items) {
		return new(Fields)
	}
	ev.itemsUsed++
	return &ev.items[ev.itemsUsed-1]
}

// start returns the map in which a path starts, and the offset of the rest of the path.
func (ev *evaluation) start(path string) (node map[string]any, from int) {
	const status, spec, metadata = "status.", "spec.", "metadata."
	switch {
	case ev.malformedSection:
	case strings.HasPrefix(path, status):
		return ev.status, len(status)
	case strings.HasPrefix(path, spec):
		return ev.spec, len(spec)
	case strings.HasPrefix(path, metadata):
		return ev.metadata, len(metadata)
	}
	return ev.object.node, 0
}

// finish completes the verdict of the stages.
func (ev *evaluation) finish(r *Result) {
	if ev.err != nil && r.Status != TerminatingStatus {
		*r = ev.malformedResult(r.Rule)
	}
	if status, ok := ev.profile.words[r.Reason]; ok {
		r.Status = status
	}
	r.Confidence = ev.confidence(r)
	if r.Status == InProgressStatus && r.Recheck == 0 {
		r.Recheck = ev.recheck
	}
	if r.Status == CurrentStatus && r.Caveat == "" {
		r.Caveat = ev.caveat
	}
	r.Message = ev.profile.shorten(r.Message)
	if r.Conditions == nil {
		r.Conditions = ev.profile.conditionsFor(r)
	}
	r.Warnings = ev.warnings
	if note := ev.entry.Note; note != "" { // first, so that other warnings cannot push it out
		r.Warnings = append([]string{note}, r.Warnings...)
	}
}

// malformedResult returns the verdict on an object with a malformed field, which stopped the
// stage. It drops the warnings.
func (ev *evaluation) malformedResult(stage string) Result {
	ev.warnings = nil
	return Result{Status: UnknownStatus, Reason: "Malformed", Message: ev.err.Error(), Rule: stage}
}

// confidence returns the confidence of a verdict. If its stage sets none, it is Explicit. A
// Current object whose status may describe an earlier generation gets at most Medium.
func (ev *evaluation) confidence(r *Result) Confidence {
	switch {
	case ev.ambiguousWrites && r.Status == CurrentStatus && r.Confidence != ConfidenceAssumed:
		return ConfidenceMedium
	case r.Confidence == "":
		return ConfidenceExplicit
	}
	return r.Confidence
}

// shorten returns a message on one line, cut to the length that the profile permits.
func (p *profileData) shorten(message string) string {
	if p.maxMessage == 0 {
		return message
	}
	return safetext.Cut(oneLine(message), p.maxMessage+len(safetext.Ellipsis))
}

// now returns the time of the evaluation.
func (ev *evaluation) now() time.Time {
	if ev.clock == nil {
		return time.Now()
	}
	return ev.clock()
}
