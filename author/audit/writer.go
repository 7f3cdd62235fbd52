package audit

import (
	"cmp"
	"strconv"
	"strings"

	"kstatus.dev/internal/decoded"
)

// An entry is an item of metadata.managedFields.
type entry struct {
	manager, operation, subresource, apiVersion, time string
	sum                                               uint64         // a checksum of fields
	fields                                            map[string]any // as fieldsV1; nil in a previous version
}

// beforeFirstApply is the API server's name for all writers before it tracked
// managers. No manager has this name.
const beforeFirstApply = "before-first-apply"

func entriesOf(meta map[string]any) (all []entry) {
	for _, e := range decoded.Maps(meta, "managedFields") {
		if m := decoded.Text(e, "manager"); m == "" || m == beforeFirstApply {
			continue
		}
		fields := decoded.Map(e, "fieldsV1")
		all = append(all, entry{decoded.Text(e, "manager"), decoded.Text(e, "operation"), decoded.Text(e, "subresource"), decoded.Text(e, "apiVersion"), decoded.Text(e, "time"),
			sumOf(fields), fields})
	}
	return all
}

// sumOf returns a checksum of a set of fields, whatever the order of their
// names.
func sumOf(fields map[string]any) (sum uint64) {
	for name, below := range fields {
		h := uint64(14695981039346656037)
		for i := range len(name) {
			h = (h ^ uint64(name[i])) * 1099511628211
		}
		child, _ := below.(map[string]any)
		h ^= sumOf(child) * 0x9e3779b97f4a7c15
		h = (h ^ h>>31) * 0xbf58476d1ce4e5b9
		sum += h ^ h>>29
	}
	return sum + uint64(len(fields))
}

func (e entry) same(other entry) bool {
	return e.manager == other.manager && e.operation == other.operation && e.subresource == other.subresource && e.apiVersion == other.apiVersion
}

// attribute determines the writer of the version. It sets Manager and
// StatusWrite.
//
// The times of managedFields are whole seconds, so attribute compares the
// entries with those of the previous version. The writer is the manager whose
// entry is new or has another time. A second write of the same fields within
// the same second leaves no such trace. The writer is then a manager of that
// second whose entry has the changed fields. A write that only removes fields
// shows only in the entry of their owner. attribute takes that owner for the
// writer, unless all its fields are gone. Without managedFields the writer is
// the user agent of the request.
func (v *Version) attribute(old *Version) {
	statusChanged := old != nil && !equal(old.Object["status"], v.Object["status"])
	if !v.Gone {
		v.byEntries(old, statusChanged)
	}
	if r := v.Request; r != nil {
		v.StatusWrite = r.Subresource == "status"
		if v.Manager == "" {
			agent, _, _ := strings.Cut(r.Agent, "/")
			v.Manager = cmp.Or(agent, r.User)
		}
	}
	v.StatusWrite = v.StatusWrite || statusChanged
}

func (v *Version) byEntries(old *Version, statusChanged bool) {
	touched := touchedEntries(old, v)
	if len(touched) == 0 && old != nil {
		touched = writersByFields(old, v)
	}
	best := -1
	for i, e := range touched {
		if best < 0 || e.time > touched[best].time || e.time == touched[best].time && v.isMoreLikely(e, touched[best], old, statusChanged) {
			best = i
		}
	}
	if best >= 0 {
		v.Manager, v.StatusWrite = touched[best].manager, touched[best].subresource == "status"
	}
}

// isMoreLikely reports whether e is a more likely writer than other, of the same
// second.
func (v *Version) isMoreLikely(e, other entry, old *Version, statusChanged bool) bool {
	if status := e.subresource == "status"; old != nil && status != (other.subresource == "status") {
		return status == statusChanged
	}
	return old != nil && e.manager == old.Manager && other.manager != old.Manager
}

// touchedEntries returns the entries that are new or have another time. Without
// a previous version it returns all entries.
func touchedEntries(old, v *Version) (touched []entry) {
	for _, e := range v.entries {
		if was, ok := v.before(old, e); !ok || was.time != e.time {
			touched = append(touched, e)
		}
	}
	return touched
}

func (v *Version) before(old *Version, e entry) (entry, bool) {
	if old != nil {
		for _, was := range old.entries {
			if was.same(e) {
				return was, true
			}
		}
	}
	return entry{}, false
}

// writersByFields returns the possible writers of a version in which no entry has
// a new time. These are the entries whose fields differ. If there are none,
// they are the entries of the newest second that contain a changed field.
func writersByFields(old, v *Version) (all []entry) {
	newest := ""
	for _, e := range v.entries {
		newest = max(newest, e.time)
		if was, ok := v.before(old, e); ok && was.sum != e.sum {
			all = append(all, e)
		}
	}
	if len(all) > 0 || len(v.entries) < len(old.entries) {
		return all
	}
	l := Pass{Old: old, New: v}
	for _, e := range v.entries {
		if e.time != newest {
			continue
		}
		for _, c := range l.Changes() {
			if e.contains(c.Path) {
				all = append(all, e)
				break
			}
		}
	}
	return all
}

// contains reports whether the entry contains a field. It compares only the first
// two steps of the path, or the type of a condition.
func (e entry) contains(path string) bool {
	if rest, ofType := strings.CutPrefix(path, ".status.conditions[type="); ofType {
		conditions, has := decoded.At(e.fields, "f:status", "f:conditions").(map[string]any)
		quoted, _ := strconv.QuotedPrefix(rest)
		_, keeps := conditions["k:{\"type\":"+quoted+"}"]
		return keeps || has && len(conditions) == 0
	}
	names := strings.SplitN(strings.TrimPrefix(path, "."), ".", 3)
	below, has := e.fields["f:"+names[0]].(map[string]any)
	if len(names) == 1 || !has {
		return has
	}
	name, _, _ := strings.Cut(names[1], "[")
	_, has = below["f:"+name]
	return has
}

// keyOfType returns the key of a condition type in managedFields.
func keyOfType(t string) string { return "k:{\"type\":" + strconv.Quote(t) + "}" }
