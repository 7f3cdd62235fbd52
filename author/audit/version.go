package audit

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"kstatus.dev/internal/condition"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/integer"
	"kstatus.dev/status"
)

// An ID identifies an object. An object that is deleted and created again has
// another UID, and is another object.
type ID struct {
	status.ID        // at most one object has it at a time
	UID       string `json:"uid"`
}

// Compare orders IDs as [status.ID] does, and then by UID.
func (id ID) Compare(other ID) int {
	return cmp.Or(id.ID.Compare(other.ID), cmp.Compare(id.UID, other.UID))
}

// MarshalJSON omits an empty namespace and an empty UID.
func (id ID) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		status.Kind
		Namespace string `json:"namespace,omitempty"`
		Name      string `json:"name"`
		UID       string `json:"uid,omitempty"`
	}{id.Kind, id.Namespace, id.Name, id.UID})
}

// idOf returns the ID of an object, and whether it has one.
func idOf(o map[string]any) (ID, bool) {
	meta := decoded.Map(o, "metadata")
	group, _, grouped := strings.Cut(decoded.Text(o, "apiVersion"), "/")
	if !grouped {
		group = ""
	}
	kind := status.Kind{Group: group, Kind: decoded.Text(o, "kind")}
	id := ID{status.ID{Kind: kind, Namespace: decoded.Text(meta, "namespace"), Name: decoded.Text(meta, "name")}, decoded.Text(meta, "uid")}
	return id, kind.Kind != "" && id.Name != ""
}

// A Version is one version of an object, with the fields that most rules read.
// Malformed fields read as absent.
type Version struct {
	ID              ID
	ResourceVersion string
	Time            time.Time
	Object          map[string]any // without managedFields, the largest part, once the rules have run
	Generation      int64
	Observed        int64 // status.observedGeneration
	HasObserved     bool
	Conditions      []Condition
	Deleting        time.Time // metadata.deletionTimestamp; zero: it is not being deleted
	Existing        bool      // it existed when watching began, or after a gap: its write was not seen
	Gone            bool      // the last state of a deleted object
	Manager         string    // the writer, by managedFields or the request; empty: unknown
	StatusWrite     bool      // written through the status subresource, or changed the status of a kind without one
	Request         *Request
	seenAt          time.Time      // Time, or earlier if a clock has gone back since
	byType          map[string]int // index into Conditions; only if there are many
	entries         []entry
	managed         bool // managedFields has entries with fields
}

// A Condition is an entry of status.conditions. Its status is True, False or Unknown.
type Condition struct {
	Type, Status, Reason, Message string
	Since                         string // lastTransitionTime, unparsed
	Observed                      int64
	HasObserved                   bool
	index                         int // in the list
	raw                           map[string]any
}

// Path returns the path of a field of the condition. An empty field is the
// condition itself.
func (c Condition) Path(field string) string {
	return conditionPath(c.Type, field)
}

// conditionPath returns the path of a field of the condition with a type.
func conditionPath(conditionType, field string) string {
	at := ".status.conditions[type=" + strconv.Quote(conditionType) + "]"
	if field == "" {
		return at
	}
	return at + "." + field
}

// indexThreshold is the number of conditions from which an index is used.
const indexThreshold = 16

// Condition returns the condition with a type, and whether it exists. If several have the type, the
// worst counts.
func (v *Version) Condition(t string) (worst Condition, exists bool) {
	if v.byType != nil {
		i, ok := v.byType[t]
		if !ok {
			return Condition{}, false
		}
		return v.Conditions[i], true
	}
	for _, c := range v.Conditions {
		if c.Type == t && (!exists || c.isWorse(worst)) {
			worst, exists = c, true
		}
	}
	return worst, exists
}

// isWorse reports whether a condition counts, and not another one of the type.
func (c Condition) isWorse(than Condition) bool {
	return condition.Compare(condition.Read(c.Type, c.raw), condition.Read(c.Type, than.raw)) < 0
}

// Summary returns the condition Ready, else Available, and whether it exists.
func (v *Version) Summary() (Condition, bool) {
	if c, ok := v.Condition("Ready"); ok {
		return c, true
	}
	return v.Condition("Available")
}

// Status returns the status; nil if there is none.
func (v *Version) Status() map[string]any { return decoded.Map(v.Object, "status") }

// Created returns metadata.creationTimestamp; zero if there is none.
func (v *Version) Created() time.Time {
	at, _ := time.Parse(time.RFC3339, decoded.Text(v.Object, "metadata", "creationTimestamp"))
	return at
}

func versionOf(w Write, id ID) *Version {
	o, meta := w.Object, decoded.Map(w.Object, "metadata")
	v := &Version{Object: o, Time: w.Time, Request: w.Request, ID: id, Existing: w.Existing, Gone: w.Type == WriteDeleted,
		ResourceVersion: decoded.Text(meta, "resourceVersion")}
	v.Generation, _ = decoded.Int(meta, "generation")
	v.Observed, v.HasObserved = decoded.Int(o, "status", "observedGeneration")
	v.Deleting, _ = time.Parse(time.RFC3339, decoded.Text(meta, "deletionTimestamp"))
	for is := range condition.Entries(condition.Of(o)) {
		c := Condition{Type: is.Type, Status: is.Status, Reason: is.Reason, Message: is.Message, Since: is.Since, index: is.Index, raw: is.Raw}
		c.Observed, c.HasObserved = integer.OfText(is.Raw["observedGeneration"])
		v.Conditions = append(v.Conditions, c)
	}
	if len(v.Conditions) > indexThreshold {
		v.byType = map[string]int{}
		for i, c := range v.Conditions {
			if first, twice := v.byType[c.Type]; !twice || c.isWorse(v.Conditions[first]) {
				v.byType[c.Type] = i
			}
		}
	}
	v.entries, v.managed = entriesOf(meta), meta["managedFields"] != nil
	return v
}

// dropDetails drops the parts of a version that only its own rules need.
func (v *Version) dropDetails() {
	if !v.managed {
		return
	}
	for i := range v.entries {
		v.entries[i].fields = nil
	}
	meta := map[string]any{}
	for k, at := range decoded.Map(v.Object, "metadata") {
		if k != "managedFields" {
			meta[k] = at
		}
	}
	o := make(map[string]any, len(v.Object))
	for k, at := range v.Object {
		o[k] = at
	}
	o["metadata"] = meta
	v.Object = o
}

// sortedKeys returns the sorted union of the keys of maps.
func sortedKeys(maps ...map[string]any) []string {
	var all []string
	for _, m := range maps {
		for k := range m {
			all = append(all, k)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
