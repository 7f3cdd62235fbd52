package status

import (
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/status/internal/value"
)

// Fields reads an object for a [Rule]. A path is the name of a field as kubectl explain prints
// it, such as "status.readyReplicas". A missing or null field reads as the given default. A
// field of the wrong type also does, and makes the verdict Unknown with a message that names it,
// so rules need no error handling. A Fields is valid until the rule returns.
type Fields struct {
	node     map[string]any // the map in which paths begin
	eval     *evaluation
	outer    *Fields // for an item of a list: the Fields that have the list
	listPath string  // for an item of a list: the path of the list in outer
	index    int     // for an item of a list: its index
}

// A Read is one field that was read, and its value. The value is a number, a text, a boolean, nil
// for a missing field, or a count such as "3 items".
type Read struct {
	Path  string `json:"path"`
	Value any    `json:"value"`
}

// Int reads a whole number of any numeric type that a decoder returns.
func (f *Fields) Int(path string, missing int64) int64 {
	v := f.get(path)
	if v == nil {
		f.recordRead(path, nil)
		return missing
	}
	n, ok := value.Int(v)
	if !ok {
		f.malformed(path, "a whole number", v)
		return missing
	}
	if f.isTraced() {
		f.recordRead(path, n)
	}
	return n
}

// Text reads a string.
func (f *Fields) Text(path, missing string) string {
	v := f.get(path)
	if v == nil {
		f.recordRead(path, nil)
		return missing
	}
	s, ok := value.Text(v)
	if !ok {
		f.malformed(path, "a string", v)
		return missing
	}
	if f.isTraced() {
		f.recordRead(path, s)
	}
	return s
}

// Bool reads a boolean.
func (f *Fields) Bool(path string, missing bool) bool {
	v := f.get(path)
	if v == nil {
		f.recordRead(path, nil)
		return missing
	}
	b, ok := v.(bool)
	if !ok {
		f.malformed(path, "a boolean", v)
		return missing
	}
	f.recordRead(path, b)
	return b
}

// Has reports whether the field exists and is not null. The trace records only that, not the
// value.
func (f *Fields) Has(path string) bool {
	has := f.get(path) != nil
	f.recordRead(path, has)
	return has
}

// Len returns the number of items of a list or of keys of a map.
func (f *Fields) Len(path string) int {
	n := 0
	switch v := f.get(path).(type) {
	case nil:
	case []any:
		n = len(v)
	case map[string]any:
		n = len(v)
	default:
		f.malformed(path, "a list or a map", v)
	}
	if f.isTraced() {
		f.recordRead(path, n)
	}
	return n
}

// MapText reads a string from a map whose keys are not field names, such as
// metadata.annotations; empty if it does not exist.
func (f *Fields) MapText(path, key string) string {
	m := f.Map(path)
	if m == nil {
		return ""
	}
	s, ok := value.Text(m[key])
	if !ok && m[key] != nil {
		f.malformed(path+"["+key+"]", "a string", m[key])
	}
	if f.isTraced() {
		f.recordRead(path+"["+key+"]", s)
	}
	return s
}

// HasKey reports whether a map whose keys are not field names has that key. The trace records
// only that, not the value.
func (f *Fields) HasKey(path, key string) bool {
	has := f.Map(path)[key] != nil
	if f.isTraced() {
		f.recordRead(path+"["+key+"]", has)
	}
	return has
}

// Keys returns the sorted keys of a map.
func (f *Fields) Keys(path string) []string { return slices.Sorted(maps.Keys(f.Map(path))) }

// Map returns a map as it was decoded; nil if it does not exist. Callers must not
// change it.
func (f *Fields) Map(path string) map[string]any {
	v := f.get(path)
	m, ok := v.(map[string]any)
	if !ok && v != nil {
		f.malformed(path, "a map", v)
	}
	return m
}

// Each yields the items of a list of maps.
func (f *Fields) Each(path string) iter.Seq[*Fields] {
	return func(yield func(*Fields) bool) {
		list := f.items(path)
		for i, v := range list {
			m, ok := v.(map[string]any)
			if !ok {
				f.malformed(path+"["+strconv.Itoa(i)+"]", "a map", v)
				continue
			}
			item := f.eval.item()
			*item = Fields{node: m, eval: f.eval, outer: f, listPath: path, index: i}
			if !yield(item) {
				return
			}
		}
	}
}

// Texts returns the items of a list of strings.
func (f *Fields) Texts(path string) []string {
	var all []string
	for i, v := range f.items(path) {
		s, ok := value.Text(v)
		if !ok {
			f.malformed(path+"["+strconv.Itoa(i)+"]", "a string", v)
			continue
		}
		all = append(all, s)
	}
	return all
}

func (f *Fields) items(path string) []any {
	v := f.get(path)
	list, ok := v.([]any)
	if !ok && v != nil {
		f.malformed(path, "a list", v)
	}
	if f.isTraced() {
		f.RecordRead(path, list)
	}
	return list
}

// Age returns how long ago the object was created. It is very long if the object has no
// creationTimestamp.
func (f *Fields) Age() time.Duration {
	return f.Since(f.eval.object.Text("metadata.creationTimestamp", ""))
}

// Since returns how long ago a timestamp was, negative if it is in the future. It is very long
// if the timestamp is missing or unreadable, so that a problem without a time counts as lasting.
func (f *Fields) Since(timestamp string) time.Duration {
	t, err := time.Parse(time.RFC3339, timestamp)
	if err != nil {
		return math.MaxInt64
	}
	return max(f.eval.now().Sub(t), math.MinInt64/2) // windows can be added to it without an overflow
}

// FailAfterWindow returns the recoverable failure r only if it has lasted for the profile's
// window of r.Reason. Until then the object is InProgress with that failure, and Recheck is set
// to the end of the window.
func (f *Fields) FailAfterWindow(since string, r Result) Result {
	window := f.eval.profile.windows[r.Reason]
	if f.eval.snapshot && r.Reason == ReasonReportsFailure {
		return r
	}
	if left := window - f.Since(since); left > 0 {
		r.Status, r.Recheck = InProgressStatus, left
	}
	return r
}

// Generation returns metadata.generation, zero if the kind has none.
func (f *Fields) Generation() int64 { return f.eval.object.Int("metadata.generation", 0) }

// Warn adds a warning about the object, which does not change the status.
func (f *Fields) Warn(format string, args ...any) {
	ev, w := f.eval, oneLine(sprintf(format, args))
	i, found := slices.BinarySearch(ev.warnings, w)
	if found || i == maxWarnings {
		return
	}
	ev.warnings = slices.Insert(ev.warnings, i, w)
	ev.warnings = ev.warnings[:min(len(ev.warnings), maxWarnings)]
}

// maxWarnings is how many warnings are kept, the first in alphabetical order. An object may
// have any number of odd fields.
const maxWarnings = 20

// get returns the raw value at a dotted path, nil if there is none.
func (f *Fields) get(path string) any {
	node, from := f.node, 0
	if f.outer == nil {
		node, from = f.eval.start(path)
	}
	v, end := decoded.Lookup(node, path[from:])
	if end += from; end < len(path) {
		f.malformed(path[:end], "a map", v)
		return nil
	}
	return v
}

// path returns the path of a field from the root of the object.
func (f *Fields) path(path string) string {
	for ; f.outer != nil; f = f.outer {
		path = f.listPath + "[" + strconv.Itoa(f.index) + "]." + path
	}
	return path
}

// eachField calls visit for each field of a map. If the reads are recorded, their order is that of
// the names, so that the evidence of equal objects is equal.
func (f *Fields) eachField(m map[string]any, visit func(field string, v any)) {
	if !f.isTraced() {
		for field, v := range m {
			visit(field, v)
		}
		return
	}
	for _, field := range slices.Sorted(maps.Keys(m)) {
		visit(field, m[field])
	}
}

// isTraced reports whether the reads are recorded. Callers check it first, so that other verdicts
// do not pay for boxing the values.
func (f *Fields) isTraced() bool { return f.eval.trace != nil }

func (f *Fields) recordRead(path string, v any) {
	if f.eval.trace != nil {
		f.eval.trace(Read{f.path(path), v})
	}
}
