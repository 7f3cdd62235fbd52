// Package managedfields reads metadata.managedFields, which records the writers of the fields of
// an object and the times of their writes.
package managedfields

import "kstatus.dev/internal/decoded"

// Writes holds the writes of an object. Times are as recorded, in whole seconds; an empty time
// is unknown.
type Writes struct {
	Written    bool   // the status was written through the status subresource
	Unwritten  bool   // writes are recorded, but none of the status
	StatusTime string // the last write through the status subresource, or of the status alone
	SpecTime   string // the last write of fields other than metadata and status; a write of a label alone counts too
	Mixed      bool   // one write was of both status and spec
}

// Text returns "True" if the status has been written, "False" if not, and "Unknown" if
// managedFields do not show it.
func (w *Writes) Text() string {
	switch {
	case w.Written:
		return "True"
	case w.Unwritten:
		return "False"
	}
	return "Unknown"
}

// Read reads a decoded metadata.managedFields. The record is incomplete if it began after the
// object was created ("before-first-apply"), or if an entry has no manager. It is also
// incomplete if one write was of both the status and the rest of the object.
func Read(managedFields any) (w Writes) {
	list, _ := managedFields.([]any)
	incomplete := false
	for _, item := range list {
		entry, _ := item.(map[string]any)
		fields, at := decoded.Map(entry, "fieldsV1"), decoded.Text(entry, "time")
		_, reports := fields["f:status"]
		switch {
		case entry["subresource"] == "status":
			w.Written, w.StatusTime = true, max(w.StatusTime, at)
			continue
		case entry["subresource"] != nil && entry["subresource"] != "":
			continue
		case entry["manager"] == "before-first-apply", entry["manager"] == nil, reports:
			incomplete = true
		}
		sets := setsSpec(fields)
		w.Mixed = w.Mixed || reports && sets
		if sets {
			w.SpecTime = max(w.SpecTime, at)
		} else if reports {
			w.StatusTime = max(w.StatusTime, at)
		}
		w.Unwritten = true
	}
	w.Unwritten = w.Unwritten && !w.Written && !incomplete
	return w
}

// setsSpec reports whether a field is neither in metadata nor in status.
func setsSpec(fields map[string]any) bool {
	for name := range fields {
		if name != "f:metadata" && name != "f:status" {
			return true
		}
	}
	return false
}
