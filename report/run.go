package report

import (
	"cmp"
	"time"

	"kstatus.dev/explain"
	"kstatus.dev/internal/text"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A Run is a wait: its request, its updates, and its outcome. Its fields are those of the JSON
// report, docs/reference/report.schema.json.
type Run struct {
	FormatVersion int       `json:"v"`    // 1; incremented only if a field changes its meaning or is removed
	Type          string    `json:"type"` // "run"
	Start         Start     `json:"start"`
	Result        Result    `json:"result"`
	Objects       []*Object `json:"objects"` // after End sorted, the worst first

	// Causes are the causes of objects that do not meet their goals, if they are known.
	Causes []explain.Cause `json:"causes"`
	Gaps   []explain.Gap   `json:"notSeen"` // what could not be read

	byTarget       map[observe.Target]*Object
	causesByObject map[status.ID][]int // the causes that block an object
}

// A Start is the request, and its time.
type Start struct {
	Time time.Time `json:"time"`
	// Name is the command for headings. Empty means kstatus wait.
	Name     string            `json:"name,omitempty"`
	Version  string            `json:"version,omitempty"` // the version of kstatus
	Command  []string          `json:"command,omitempty"` // the command line, without secrets
	Goal     []string          `json:"goal"`
	Any      bool              `json:"any,omitempty"` // one of several goals is enough
	Timeout  string            `json:"timeout"`
	Timeouts map[string]string `json:"timeouts,omitempty"` // of some objects, by SEL
	Profile  string            `json:"profile"`
	Contexts []string          `json:"contexts,omitempty"`
}

// name returns the command for headings.
func (r *Run) name() string { return text.Safe(cmp.Or(r.Start.Name, "kstatus wait")) }

// A Result describes how the wait ended.
type Result struct {
	Time     time.Time             `json:"time"`
	Outcome  string                `json:"outcome"` // ok, failed, timeout, …, the word for the exit code
	ExitCode int                   `json:"exitCode"`
	TimedOut bool                  `json:"timedOut,omitempty"` // the timeout of the whole wait has passed.
	Error    string                `json:"error,omitempty"`    // the error of the wait itself.
	Counts   map[status.Status]int `json:"counts"`             // the number of objects per status, without ignored ones; "Failing" for failing objects in progress.
	Ignored  int                   `json:"ignored,omitempty"`
}

// An Object is a requested object, or a selection that never had enough objects.
type Object struct {
	ID        status.ID  `json:"id"` // without a name for a selection
	Selection *Selection `json:"selection,omitempty"`
	Source    *Source    `json:"source,omitempty"`
	Verdict              // the latest verdict
	Rule      string     `json:"rule,omitempty"`

	RuleSource string `json:"ruleSource,omitempty"` // the origin of a user's rule

	Evidence  []status.Read `json:"evidence"` // the evidence of the latest verdict
	Warnings  []string      `json:"warnings,omitempty"`
	Caveat    string        `json:"caveat,omitempty"` // why a Current object may not do what its user expects.
	ReachedAt time.Time     `json:"met,omitzero"`     // from when it has met its goals.
	FailedAt  time.Time     `json:"failed,omitzero"`  // from when it counts as failed.
	Removed   bool          `json:"left,omitempty"`   // it has left its selection.
	Changes   []Change      `json:"changes"`
	Omitted   int           `json:"omitted,omitempty"` // the number of changes that were dropped, after the first ten
}

// A Selection says which objects it selects.
type Selection struct {
	Labels string `json:"labels"`
	Fields string `json:"fields"`
}

// A Source is the place from which an object was read. Without a Line it is the whole file.
type Source struct {
	File string `json:"file"` // a file, a URL, or - for standard input
	Line int    `json:"line,omitempty"`
}

// A Verdict is the status of an object and its progress in the wait. It has some fields of
// [status.Result] and not the Result itself: changes are written without rule and warnings, and
// without empty fields.
type Verdict struct {
	Status     status.Status     `json:"status"`
	Progress   observe.Progress  `json:"standing"`
	Reason     string            `json:"reason"` // empty for an object that was never reported
	Message    string            `json:"message"`
	Unmet      string            `json:"wants,omitempty"` // what unmet goals have found
	Failure    status.Failure    `json:"failure,omitempty"`
	Suspended  status.Suspension `json:"suspended,omitempty"`
	Confidence status.Confidence `json:"confidence,omitempty"`
	FailsAt    time.Time         `json:"failsAt,omitzero"`    // when it counts as failed unless it recovers
	StaleSince time.Time         `json:"staleSince,omitzero"` // from when it could not be read
}

// A Change is a verdict that differs from the previous one. If it reports a problem, it has
// evidence.
type Change struct {
	Time time.Time `json:"time"`
	Verdict
	Evidence []status.Read `json:"evidence,omitempty"`
}

// target returns the target for the ID.
func (o *Object) target() observe.Target {
	t := observe.TargetOf(o.ID)
	if o.Selection != nil {
		t.LabelSelector, t.FieldSelector = o.Selection.Labels, o.Selection.Fields
	}
	return t
}

// String returns the object as in the log: Deployment/shop/api.
func (o *Object) String() string { return o.target().String() }

// isCounted reports whether the object affects the outcome.
func (o *Object) isCounted() bool { return !o.Removed && o.Progress != observe.ProgressIgnored }

// waitDuration returns the duration of the wait.
func (r *Run) waitDuration() time.Duration { return r.Result.Time.Sub(r.Start.Time) }
