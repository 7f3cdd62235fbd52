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

// settle completes the verdict.
func (h *hearing) settle(r *Result) {
	if h.err != nil && r.Status != TerminatingStatus {
		h.warnings = nil
		*r = Result{Status: UnknownStatus, Reason: "Malformed", Message: h.err.Error(), Rule: r.Rule}
	}
	if value, ok := h.profile.words[r.Reason]; ok {
		r.Status = value
	}
	if r.Confidence == "" {
		r.Confidence = Explicit
	}
	if r.Status == InProgressStatus && r.Recheck == 0 {
		r.Recheck = h.recheck
	}
	if h.doubtful && r.Status == CurrentStatus && r.Confidence != Assumed {
		r.Confidence = Medium
	}
	if most := h.profile.longest; most > 0 {
		r.Message = safetext.Cut(oneLine(r.Message), most+len(safetext.Ellipsis))
	}
	if r.Conditions == nil {
		r.Conditions = h.profile.conditionsFor(r)
	}
	r.Warnings = h.warnings
}

func (h *hearing) now() time.Time {
	if h.clock == nil {
		return time.Now()
	}
	return h.clock()
}
