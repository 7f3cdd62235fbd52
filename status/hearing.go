package status

import (
	"strings"
	"sync"
	"time"

	safetext "kstatus.dev/internal/text"
)

// A hearing is one object being judged.
type hearing struct {
	root        Fields
	status      map[string]any // the status, the spec and the metadata of the object, where they are maps
	spec        map[string]any
	metadata    map[string]any
	odd         bool // one of them is there and no map
	conditions  conditionIndex
	items       [6]Fields // for the first items of lists that are looked at,
	taken       int       // and how many of them are
	profile     *reading
	entry       Entry
	kind        Kind
	hint        *hint
	signs       signs
	generation  int64
	expectation Expectation
	doubtful    bool          // the times of writes leave open which generation the status is about,
	recheck     time.Duration // and will for so long not count as being about the latest
	clock       func() time.Time
	trace       func(Read)
	related     Lookup
	err         error
	warnings    []string
}

// Hearings that are over are used again: what a verdict allocates is its Result
// and its message, and most of what it costs is what it allocates. Nothing of an
// object stays in them.
var hearings sync.Pool

// hear opens the hearing of an object.
func hear(obj map[string]any) *hearing {
	h, ok := hearings.Get().(*hearing)
	if !ok {
		h = new(hearing)
	}
	h.root.at, h.root.hearing = obj, h
	h.status = h.section("status")
	h.spec = h.section("spec")
	h.metadata = h.section("metadata")
	return h
}

// section returns a part of the object in which most fields stand.
func (h *hearing) section(name string) map[string]any {
	v := h.root.at[name]
	m, ok := v.(map[string]any)
	if !ok && v != nil {
		h.odd = true
	}
	return m
}

// dismiss lets go of the object.
func (h *hearing) dismiss() {
	clear(h.conditions.types[:min(len(h.conditions.list), len(h.conditions.types))])
	clear(h.items[:h.taken])
	h.taken = 0
	h.root.at, h.status, h.spec, h.metadata, h.odd = nil, nil, nil, nil, false
	h.conditions.list, h.conditions.read, h.conditions.usual = nil, false, false
	h.clock, h.trace, h.related, h.err, h.warnings = nil, nil, nil, nil, nil
	h.expectation, h.doubtful, h.recheck = Expectation{}, false, 0
	h.entry, h.kind, h.hint = Entry{}, Kind{}, nil
	h.signs.forget()
	hearings.Put(h)
}

// item returns what an item of a list can be read by until the hearing is over.
func (h *hearing) item() *Fields {
	if h.taken == len(h.items) {
		return new(Fields)
	}
	h.taken++
	return &h.items[h.taken-1]
}

// part returns the map in which to go on with a path, and where in the path.
func (h *hearing) part(path string) (at map[string]any, from int) {
	const status, spec, metadata = "status.", "spec.", "metadata."
	switch {
	case h.odd:
	case strings.HasPrefix(path, status):
		return h.status, len(status)
	case strings.HasPrefix(path, spec):
		return h.spec, len(spec)
	case strings.HasPrefix(path, metadata):
		return h.metadata, len(metadata)
	}
	return h.root.at, 0
}

// finish completes the verdict of the stages.
func (h *hearing) finish(r *Result) {
	if h.err != nil && r.Status != TerminatingStatus {
		*r = h.malformedResult(r.Rule)
	}
	if status, ok := h.profile.words[r.Reason]; ok {
		r.Status = status
	}
	r.Confidence = h.confidence(r)
	if r.Status == InProgressStatus && r.Recheck == 0 {
		r.Recheck = h.recheck
	}
	r.Message = h.profile.fit(r.Message)
	if r.Conditions == nil {
		r.Conditions = h.profile.conditionsFor(r)
	}
	r.Warnings = h.warnings
}

// malformedResult returns the verdict on an object with a malformed field, at which
// a stage has stopped. It drops the warnings.
func (h *hearing) malformedResult(stage string) Result {
	h.warnings = nil
	return Result{Status: UnknownStatus, Reason: "Malformed", Message: h.err.Error(), Rule: stage}
}

// confidence returns the confidence of a verdict. Without one by its stage it is
// Explicit. A Current object whose status may describe an earlier generation gets
// Medium at most.
func (h *hearing) confidence(r *Result) Confidence {
	switch {
	case h.doubtful && r.Status == CurrentStatus && r.Confidence != Assumed:
		return Medium
	case r.Confidence == "":
		return Explicit
	}
	return r.Confidence
}

// fit returns a message on one line, cut to the length that the profile allows.
func (p *reading) fit(message string) string {
	if p.longest == 0 {
		return message
	}
	return safetext.Cut(oneLine(message), p.longest+len(safetext.Ellipsis))
}

func (h *hearing) now() time.Time {
	if h.clock == nil {
		return time.Now()
	}
	return h.clock()
}
