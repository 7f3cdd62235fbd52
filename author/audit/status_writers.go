package audit

import (
	"cmp"
	"slices"

	"kstatus.dev/internal/decoded"
)

// A writerCount counts the writes of a condition, or of the status, by a
// manager.
type writerCount struct {
	what, manager string
	n             int
}

// statusWriters counts the writers of the status and of its conditions.
type statusWriters []writerCount

// count adds a write of a condition type by a manager. An empty type is the
// status.
func (w *statusWriters) count(what, manager string) {
	for i := range *w {
		if t := &(*w)[i]; t.what == what && t.manager == manager {
			t.n++
			return
		}
	}
	if len(*w) < maxWriterCounts {
		*w = append(*w, writerCount{what, manager, 1})
	}
}

// maxWriterCounts bounds the counters of one object.
const maxWriterCounts = 128

// most returns the manager with the most writes; the first of several.
func (w statusWriters) most(what string) string {
	best := writerCount{}
	for _, t := range w {
		if t.what == what && t.n > best.n {
			best = t
		}
	}
	return best.manager
}

// countVersion counts a version, after the rules were called for it.
func (w *statusWriters) countVersion(p *Pass, intern func(string) string) {
	v := p.New
	if p.Old == nil {
		if v.Existing && len(*w) == 0 {
			w.read(v, intern)
		}
		return
	}
	if v.Manager == "" || !v.StatusWrite {
		return
	}
	manager := intern(v.Manager)
	w.count("", manager)
	for _, c := range v.Conditions {
		if was, ok := p.Old.Condition(c.Type); !ok || was.Status != c.Status || was.Reason != c.Reason || was.Message != c.Message {
			w.count(intern(c.Type), manager)
		}
	}
}

// read counts the managedFields of an object whose writes were not seen. It
// uses entries of the status subresource, or all entries if there are none.
// Managers with more fields count first.
func (w *statusWriters) read(v *Version, intern func(string) string) {
	bySubresource := slices.ContainsFunc(v.entries, func(e entry) bool { return e.subresource == "status" })
	entries := slices.SortedStableFunc(slices.Values(v.entries), func(x, y entry) int { return cmp.Compare(sizeOf(y.fields), sizeOf(x.fields)) })
	for _, e := range entries {
		status, has := e.fields["f:status"].(map[string]any)
		if !has || bySubresource && e.subresource != "status" {
			continue
		}
		manager := intern(e.manager)
		w.count("", manager)
		held := decoded.Map(status, "f:conditions")
		for _, c := range v.Conditions {
			if _, hasStatus := held[keyOfType(c.Type)]; hasStatus {
				w.count(intern(c.Type), manager)
			}
		}
	}
}

// sizeOf returns the number of fields in a set.
func sizeOf(fields map[string]any) (n int) {
	for _, below := range fields {
		child, _ := below.(map[string]any)
		n += 1 + sizeOf(child)
	}
	return n
}
