// Package facts reads from an object what shows whether its controller has stopped. It sends no
// request.
package facts

import (
	"cmp"
	"encoding/json"
	"hash/fnv"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/internal/condition"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/integer"
	"kstatus.dev/internal/text"
)

// managedByAnnotation is on infrastructure that no controller of a provider manages.
const managedByAnnotation = "cluster.x-k8s.io/managed-by"

// The lengths of names, and of errors and other texts from a cluster in messages, in bytes.
const (
	maxName = 128
	maxText = 512
)

// BlockMoveTimeoutAnnotation says how long an object may have the annotation block-move.
const BlockMoveTimeoutAnnotation = "kstatus.dev/block-move-timeout"

// Facts are the fields of a version of an object that matter here.
type Facts struct {
	UID             types.UID
	ResourceVersion string // the resourceVersion
	Number          uint64 // of the version; 0 if versions cannot be compared
	Generation      int64
	Owners          []types.UID
	Cluster         string // by the label

	Paused           Condition
	Observed         int64 // status.observedGeneration; -1 without one
	StatusHash       uint64
	IsCluster        bool
	IsPaused         bool // spec.paused of a Cluster, or the annotation
	HasAnnotation    bool // the annotation that pauses
	BlocksMove       bool
	BlockMoveTimeout time.Duration
	External         bool // no controller of the provider manages it
	Record           *management.PauseRecord
	Phase            string
	PhaseMessage     string // of the phase
	IsWoken          bool

	writers []writer
}

// A Condition is the condition Paused.
type Condition struct {
	Status   string // empty without the condition
	Observed int64  // observedGeneration; -1 without one
	Changed  time.Time
}

// A writer is an entry of managedFields.
type writer struct {
	manager  string
	isStatus bool // of the status
	time     time.Time
	hash     uint64
}

// Of returns the facts of an object. Fields of wrong types are absent.
func Of(u *unstructured.Unstructured) Facts {
	annotations := u.GetAnnotations()
	f := Facts{
		UID: u.GetUID(), ResourceVersion: u.GetResourceVersion(), Number: integer.OfVersion(u.GetResourceVersion()),
		Generation: u.GetGeneration(), Cluster: u.GetLabels()[management.ClusterNameLabel],
		Observed: numberIn(u.Object, "status", "observedGeneration"),
		Phase:    annotations[management.PauseStateAnnotation], PhaseMessage: annotations[management.PauseMessageAnnotation],
		writers: writersOf(u),
	}
	for _, o := range u.GetOwnerReferences() {
		f.Owners = append(f.Owners, o.UID)
	}
	_, f.HasAnnotation = annotations[management.PausedAnnotation]
	f.IsPaused = f.HasAnnotation
	if f.IsCluster = u.GroupVersionKind().GroupKind() == management.Cluster; f.IsCluster {
		f.IsPaused = decoded.Bool(u.Object, "spec", "paused")
	}
	_, f.BlocksMove = annotations[management.BlockMoveAnnotation]
	f.BlockMoveTimeout = Timeout(annotations)
	_, f.External = annotations[managedByAnnotation]
	_, f.IsWoken = annotations[management.WakeAnnotation]
	f.Record = management.ReadPauseRecord(annotations)
	f.Paused = pausedCondition(u.Object)
	if status, ok := u.Object["status"]; ok {
		f.StatusHash = hashOf(status)
	}
	return f
}

// Timeout returns how long an object may block a move; zero if that is not set.
func Timeout(annotations map[string]string) time.Duration {
	d, err := time.ParseDuration(annotations[BlockMoveTimeoutAnnotation])
	if err != nil || d < 0 {
		return 0
	}
	return d
}

// WorkHash returns a hash of the status of an object, with nothing but the status of the condition
// Paused. A controller that is paused changes only the rest of that condition.
func WorkHash(u *unstructured.Unstructured) uint64 {
	return hashOf([]any{pausedCondition(u.Object).Status, withoutPaused(u.Object["status"])})
}

// conditionLists are the paths of conditions in a status. Types of v1beta1 may have them in the
// second list.
var conditionLists = [][]string{{"conditions"}, {"v1beta2", "conditions"}}

// withoutPaused returns a copy of a status without the condition Paused.
func withoutPaused(status any) any {
	fields, isMap := status.(map[string]any)
	if !isMap {
		return status
	}
	fields = runtime.DeepCopyJSON(fields)
	for _, path := range conditionLists {
		in := decoded.Map(fields, path[:len(path)-1]...)
		switch v := in["conditions"].(type) {
		case []any:
			in["conditions"] = slices.DeleteFunc(v, func(item any) bool {
				t, _ := condition.TypeOf(item)
				return t == "Paused"
			})
		case map[string]any:
			delete(v, "Paused")
		}
	}
	return fields
}

// pausedCondition returns the condition Paused.
func pausedCondition(object map[string]any) Condition {
	for _, path := range conditionLists {
		c, exists := condition.Find(decoded.At(object, append([]string{"status"}, path...)...), "Paused")
		if !exists {
			continue
		}
		at, _ := time.Parse(time.RFC3339, c.Since) // without a time it proves nothing
		return Condition{c.Status, cmp.Or(c.Observed, -1), at}
	}
	return Condition{Observed: -1}
}

// numberIn returns a whole number, or -1.
func numberIn(object map[string]any, path ...string) int64 {
	n, exists := decoded.Int(object, path...)
	if !exists {
		return -1
	}
	return n
}

// hashOf returns a hash of a value that was decoded from JSON.
func hashOf(value any) uint64 {
	h := fnv.New64a()
	if err := json.NewEncoder(h).Encode(value); err != nil {
		return 0 // it was decoded from JSON, so it can be encoded
	}
	return h.Sum64()
}

// writersOf returns the entries of managedFields.
func writersOf(u *unstructured.Unstructured) []writer {
	var all []writer
	for _, m := range decoded.Maps(u.Object, "metadata", "managedFields") {
		w := writer{manager: decoded.Text(m, "manager"), isStatus: m["subresource"] == "status", hash: hashOf(m)}
		w.time, _ = time.Parse(time.RFC3339, decoded.Text(m, "time")) // without a time, others are newer
		all = append(all, w)
	}
	return all
}

// WriterSince returns the field manager that wrote the newest entry since an earlier version.
// It is empty if the entries do not show it.
func (f *Facts) WriterSince(before *Facts) string {
	return f.writer(before, func(writer) bool { return true })
}

// StatusWriter is WriterSince for entries of the status.
func (f *Facts) StatusWriter(before *Facts) string {
	return f.writer(before, func(w writer) bool { return w.isStatus })
}

// SpecWriter is LastWriter without entries of the status.
func (f *Facts) SpecWriter() string {
	return f.writer(nil, func(w writer) bool { return !w.isStatus })
}

func (f *Facts) writer(before *Facts, counts func(writer) bool) string {
	var last writer
	for _, w := range f.writers {
		if !counts(w) {
			continue
		}
		changed := before == nil || !slices.ContainsFunc(before.writers, func(b writer) bool { return b.hash == w.hash })
		if changed && !w.time.Before(last.time) {
			last = w
		}
	}
	return last.manager
}

// LastWriter returns the field manager of the newest entry.
func (f *Facts) LastWriter() string { return f.WriterSince(nil) }

// WriteTime returns the server's time of the last write of a field manager.
func (f *Facts) WriteTime(manager string) (last time.Time) {
	for _, w := range f.writers {
		if w.manager == manager && w.time.After(last) {
			last = w.time
		}
	}
	return last
}

// Name returns a value from a cluster for a message.
func Name(s string) string { return text.Safe(text.Cut(s, maxName)) }

// Text returns a longer text from a cluster for a message.
func Text(s string) string { return text.Safe(text.Cut(s, maxText)) }
