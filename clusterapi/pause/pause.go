package pause

import (
	"cmp"
	"context"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"kstatus.dev/clusterapi/internal/facts"
	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/status"
)

// The annotations of a pause.
const (
	// BeforeAnnotation is on every object that was paused here. Its value is a [Record].
	BeforeAnnotation = management.PauseBeforeAnnotation // kstatus.dev/pause-before
	// StateAnnotation is on every target. Its value is a [Phase].
	StateAnnotation = management.PauseStateAnnotation // kstatus.dev/pause-state
	// MessageAnnotation is on targets with objects that are not done, and names these.
	MessageAnnotation = management.PauseMessageAnnotation // kstatus.dev/pause-message
	// WakeAnnotation is on objects whose controllers only see changes of the object, until they
	// have reported. Its value is a time.
	WakeAnnotation = management.WakeAnnotation // kstatus.dev/wake
	// BlockMoveTimeoutAnnotation is on objects or definitions. Its value is how long, after the
	// pause, an object may have the annotation block-move.
	BlockMoveTimeoutAnnotation = facts.BlockMoveTimeoutAnnotation // kstatus.dev/block-move-timeout
)

// FieldManager is the field manager of all writes of this package.
const FieldManager = management.FieldManager

// A Phase is the value of [StateAnnotation].
type Phase string

// These are the phases of a target.
const (
	PhasePausing   Phase = "Pausing"
	PhasePaused    Phase = "Paused"
	PhaseUnpausing Phase = "Unpausing"
	PhaseUnpaused  Phase = "Unpaused"
)

// A Record is the value of [BeforeAnnotation].
type Record struct {
	Paused bool   `json:"paused"` // the object was paused before
	By     string `json:"by"`     // Options.By
}

// compareByNamespace orders objects by namespace, kind and name.
func compareByNamespace(a, b status.ID) int {
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Kind.Kind, b.Kind.Kind), cmp.Compare(a.Group, b.Group), cmp.Compare(a.Name, b.Name))
}

// ClusterID returns the ID of a Cluster.
func ClusterID(namespace, name string) status.ID {
	return management.IDOf(management.Cluster, namespace, name)
}

// Options configure Pause and Unpause. The zero Options are valid.
type Options struct {
	// By names the caller in [BeforeAnnotation]. Empty means "pause". Unpause resumes only the
	// objects that were paused by the same name.
	By string
	// Timeout limits the whole call. Zero means 10 minutes.
	Timeout time.Duration
	// Window is the time without a write after which controllers count as idle. Zero means 15
	// seconds, and twice the longest interval between two writes of a kind, up to 5 minutes.
	Window time.Duration
	// WakeAfter is the time without a report on any object of a kind after which its controller is
	// woken by annotations. Zero means 10 seconds.
	WakeAfter time.Duration
	// Strict also waits for objects that are Unknown, except those of kinds without a status.
	Strict bool
	// Force pauses and unpauses objects whatever [BeforeAnnotation] contains.
	Force bool
	// RecordedOnly makes Unpause ignore targets without [BeforeAnnotation].
	RecordedOnly bool
	// Resources are custom resources that are not of Cluster API. Their objects may be targets, and
	// those below a target are waited for.
	Resources []schema.GroupResource
	// OnChange, if set, receives each object at first and at each change, one call at a time. An
	// object whose State is empty no longer exists, or is no longer below a target.
	OnChange func(Object)
	// OnNote, if set, receives one line about each problem that is retried, one call at a time.
	OnNote func(string)
}

func (o Options) withDefaults() Options {
	o.By = cmp.Or(o.By, "pause")
	o.Timeout = cmp.Or(o.Timeout, 10*time.Minute)
	o.WakeAfter = cmp.Or(o.WakeAfter, 10*time.Second)
	return o
}

// A State is what is known about an object.
type State string

// These are the states.
const (
	Acknowledged State = "Acknowledged" // its controller has reacted, or it has none
	Busy         State = "Busy"         // its controller has not reacted yet
	Unknown      State = "Unknown"      // nothing shows whether its controller has reacted
)

// An Object is the state of an object below a target. An Object without a Name represents all
// objects of its kind in a namespace, or in all: they cannot be read.
type Object struct {
	status.ID
	Version string      // of its API
	Targets []status.ID // the targets that it is below, sorted

	State   State
	Reason  Reason
	Message string    // one line
	Since   time.Time // from when it has the State
	Done    bool      // the call does not wait for it

	// Writes counts the writes of others since the pause or the end of the pause.
	Writes    int
	LastWrite time.Time // of these; zero without one
	Manager   string    // the field manager of the last one
}

// A TargetResult is the result for a target.
type TargetResult struct {
	status.ID
	Phase Phase // as written to [StateAnnotation]; empty if the target was left alone
	Done  bool  // all objects below it are done, and it has the requested state
	// Written is true if this call has paused or unpaused it, whether it is done or not.
	Written bool
	Reason  Reason // why it is not done, or was left alone; empty for the usual
	// Message is one line: which objects are not done, or why the target was left alone.
	Message string
	Before  Record // the state from before
}

// A Result is the result of Pause or Unpause.
type Result struct {
	Objects  []Object       // sorted by namespace, kind and name
	Targets  []TargetResult // in the same order
	Requests int            // the requests that were sent
	Duration time.Duration  // from the first write until the end
}

// Done reports whether all targets are done.
func (r *Result) Done() bool {
	for _, t := range r.Targets {
		if !t.Done {
			return false
		}
	}
	return true
}

// Pause pauses targets, and returns when all objects below them have acknowledged it, at the
// timeout, or when ctx ends. The targets stay paused in any case. A target is a Cluster with
// everything below it, or another object alone. Pause ignores the Cluster field of its ID.
//
// An error says why nothing or not everything was paused: a target does not exist, is being moved,
// or may not be read or written. The Result is complete as far as is known, and not nil.
func Pause(ctx context.Context, config *rest.Config, targets []status.ID, o Options) (*Result, error) {
	return run(ctx, config, targets, o, false)
}

// Unpause restores the state of targets from before their pause. It returns when all objects below
// them have been reconciled again, at the timeout, or when ctx ends. Its errors are those of
// [Pause].
func Unpause(ctx context.Context, config *rest.Config, targets []status.ID, o Options) (*Result, error) {
	return run(ctx, config, targets, o, true)
}
