// Package managedfields reads metadata.managedFields, the record of who wrote which
// fields of an object and when.
package managedfields

// Writes holds what the record tells about the writes of an object. Times are as
// recorded, in whole seconds. An empty time is not known.
type Writes struct {
	Written    bool   // somebody has written the status by the status subresource
	Unwritten  bool   // the writes are recorded, and none is one of the status
	StatusTime string // the last write of the status by the status subresource, or of nothing else
	SpecTime   string // the last write of other fields than metadata and status; that of a label alone counts as well
	Mixed      bool   // one write was of the status and of the spec
}

// Text returns "True" if the status has been written, "False" if it has not, and
// "Unknown" if the record does not tell.
func (w *Writes) Text() string {
	switch {
	case w.Written:
		return "True"
	case w.Unwritten:
		return "False"
	}
	return "Unknown"
}

// Read reads a decoded metadata.managedFields. The record is incomplete if it began
// after the object was created, which is "before-first-apply", if an entry has no
// manager, and if the status was written with the rest of the object.
func Read(managedFields any) (w Writes) {
	list, _ := managedFields.([]any)
	incomplete := false
	for _, item := range list {
		entry, _ := item.(map[string]any)
		fields, _ := entry["fieldsV1"].(map[string]any)
		at, _ := entry["time"].(string)
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

// setsSpec reports whether some of the fields are neither of metadata nor of status.
func setsSpec(fields map[string]any) bool {
	for name := range fields {
		if name != "f:metadata" && name != "f:status" {
			return true
		}
	}
	return false
}
