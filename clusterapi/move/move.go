// Package move moves Clusters of Cluster API from one management cluster to another, or to and from
// a folder. No object is lost, and no controller of Cluster API works on both sides. It creates and
// deletes no cloud resource.
//
// A move pauses the Clusters and waits until every controller has acknowledged that. It copies
// the objects, compares the copies with the originals, and only then deletes the originals. Each
// phase is in a journal before it begins, so [Mover.Resume] continues after a crash at any point.
// Until the first deletion, [Mover.Rollback] undoes everything.
//
// # Reading order
//
// move.go has the API, run.go the phases. copy.go, verify.go and delete.go each have one of them.
// journal.go reads and writes the journal, and guard.go checks what others have changed.
// rollback.go undoes a move, and folder.go has the form in files.
package move

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/clusterapi/pause"
)

// Options say what to move, from where, and to where. Either Source or SourceFolder is required,
// and either Target or TargetFolder.
type Options struct {
	Scope plan.Scope

	Source, Target *rest.Config
	// SourceFolder and TargetFolder are folders, as another move has written them.
	SourceFolder, TargetFolder string

	// ID is the ID of the move to resume, roll back or report on, if its journal is only in
	// ConfigMaps. Empty means a new ID, or the one in the file.
	ID string
	// Journal is the path of the file that makes the move resumable. Empty means none, which only
	// tests should use.
	Journal string
	// JournalNamespace is the namespace of the ConfigMaps with the journal in both clusters, so
	// that the move can be resumed without the file. Empty means no ConfigMaps.
	JournalNamespace string

	// Accept are the words of problems that do not prevent the move: see [plan.Problem].
	Accept []string
	// Status are the kinds whose status is copied too.
	Status []schema.GroupKind
	// Strict requires that every controller acknowledges the pause. Without it, kinds that do not
	// report Paused count as paused if no controller writes their objects for Window.
	Strict bool
	// Window is how long objects must be without a write to count as paused. After the move, a
	// controller that is silent for as long is woken. Zero means the defaults of package pause.
	Window time.Duration
	// Timeout limits each wait: for the pause, for objects to settle, for deletions and for the
	// unpause. It also limits the wait for a lock or for an answer. Zero means ten minutes.
	Timeout time.Duration
	// Concurrency is the number of requests at the same time. Zero means 20.
	Concurrency int

	// OnEvent, if set, receives each event, one call at a time.
	OnEvent func(Event)
}

// A Phase is a part of a move. The journal has the phase that has begun last.
type Phase string

// The phases, in their order. RollingBack and RolledBack replace the rest after a rollback.
const (
	Planned     Phase = "Planned"
	Pausing     Phase = "Pausing"
	Creating    Phase = "Creating"
	Verifying   Phase = "Verifying"
	Deleting    Phase = "Deleting"
	Unpausing   Phase = "Unpausing"
	Cleaning    Phase = "Cleaning"
	Done        Phase = "Done"
	RollingBack Phase = "RollingBack"
	RolledBack  Phase = "RolledBack"
)

// An Event is a sign of progress.
type Event struct {
	Time  time.Time `json:"time"`
	Phase Phase     `json:"phase"`
	// Step and Steps are set while objects are created or deleted.
	Step  int `json:"step,omitempty"`
	Steps int `json:"steps,omitempty"`
	// Done and Total count objects, or the acknowledgements of a pause.
	Done  int `json:"done,omitempty"`
	Total int `json:"total,omitempty"`
	// Object and Message say what is special: a busy object, a retry, a warning.
	Object  string `json:"object,omitempty"`
	Message string `json:"message,omitempty"`
	// Pause is set if a controller has reacted to a pause or to its end. The message begins with it.
	Pause *pause.Object `json:"-"`
}

// A Result is how a move ended.
type Result struct {
	ID       string         `json:"id"`
	Phase    Phase          `json:"phase"`
	Plan     *plan.Plan     `json:"plan"`
	Problems []plan.Problem `json:"problems,omitempty"`
	// Moved, Copied and Kept count the objects that were moved, were copied, and stayed.
	Moved  int `json:"moved"`
	Copied int `json:"copied"`
	Kept   int `json:"kept"`
	// Unacknowledged are the objects that have not reported since the pause ended.
	Unacknowledged []string `json:"unacknowledged,omitempty"`
	// Requests is the number of requests to both servers.
	Requests int       `json:"requests"`
	Began    time.Time `json:"began"`
	Ended    time.Time `json:"ended"`
}
