package report

import (
	"time"

	"kstatus.dev/explain"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A Run is a wait: what was asked, what was seen, and how it ended. Its fields
// are those of the JSON report, docs/report.schema.json.
type Run struct {
	FormatVersion int       `json:"v"`    // 1; it rises only when a field changes its meaning or goes away
	Type          string    `json:"type"` // "run"
	Start         Start     `json:"start"`
	Result        Result    `json:"result"`
	Objects       []*Object `json:"objects"` // after End the worst first

	// Why the objects are not there, if that was found out.
	Causes []explain.Cause `json:"causes"`
	Gaps   []explain.Gap   `json:"notSeen"` // what could not be read

	known map[observe.Target]*Object
	stops map[explain.ID][]int // the causes that stop an object
}

// A Start says what was asked, and when.
type Start struct {
	Time     time.Time         `json:"time"`
	Version  string            `json:"version,omitempty"` // of kstatus
	Command  []string          `json:"command,omitempty"` // the command line, without secrets
	Goal     []string          `json:"goal"`
	Any      bool              `json:"any,omitempty"` // one of several goals is enough
	Timeout  string            `json:"timeout"`
	Timeouts map[string]string `json:"timeouts,omitempty"` // of some objects, by SEL
	Profile  string            `json:"profile"`
	Contexts []string          `json:"contexts,omitempty"`
}

// A Result says how the wait ended.
type Result struct {
	Time     time.Time             `json:"time"`
	Outcome  string                `json:"outcome"` // ok, failed, timeout, …, the word for the exit code
	ExitCode int                   `json:"exitCode"`
	TimedOut bool                  `json:"timedOut,omitempty"` // the timeout of the whole wait was over
	Error    string                `json:"error,omitempty"`    // what went wrong besides what the objects say
	Counts   map[status.Status]int `json:"counts"`             // of the objects that are waited for; "Failing" for those InProgress that are failing
	Ignored  int                   `json:"ignored,omitempty"`
}

// An Object is one that was waited for, or a selection of objects that never
// had enough of them.
type Object struct {
	ID        explain.ID `json:"id"` // of a selection the name is empty
	Selection *Selection `json:"selection,omitempty"`
	Source    *Source    `json:"source,omitempty"`
	Verdict              // the latest
	Rule      string     `json:"rule,omitempty"`

	RuleSource string `json:"ruleSource,omitempty"` // where the rule is, if it is a user's

	Evidence  []status.Read `json:"evidence"` // of the latest verdict
	Warnings  []string      `json:"warnings,omitempty"`
	Caveat    string        `json:"caveat,omitempty"` // why, although it is Current, it may not do what its user expects
	ReachedAt time.Time     `json:"met,omitzero"`     // since when it has met its goals
	FailedAt  time.Time     `json:"failed,omitzero"`  // since when it counts as failed
	Removed   bool          `json:"left,omitempty"`   // it is gone from its selection
	Changes   []Change      `json:"changes"`
	Omitted   int           `json:"omitted,omitempty"` // how many changes are left out, after the first ten
}

// A Selection tells which objects it has.
type Selection struct {
	Labels string `json:"labels"`
	Fields string `json:"fields"`
}

// A Source is where an object was read. Without a Line the file as a whole is meant.
type Source struct {
	File string `json:"file"` // a file, a URL, or - for standard input
	Line int    `json:"line,omitempty"`
}

// A Verdict says how an object is, and where it stands for one who waits. It has
// some fields of [status.Result] and not the Result itself: changes are written
// without rule and warnings, and what is empty is left out.
type Verdict struct {
	Status     status.Status     `json:"status"`
	Standing   observe.Progress  `json:"standing"`
	Reason     string            `json:"reason"` // empty for an object that was never heard of
	Message    string            `json:"message"`
	Unmet      string            `json:"wants,omitempty"` // what goals that are not met have found
	Failure    status.Failure    `json:"failure,omitempty"`
	Suspended  status.Suspension `json:"suspended,omitempty"`
	Confidence status.Confidence `json:"confidence,omitempty"`
	FailsAt    time.Time         `json:"failsAt,omitzero"`    // when it counts as failed unless it recovers
	StaleSince time.Time         `json:"staleSince,omitzero"` // since when it could not be looked at
}

// A Change is a verdict that differs from the one before. One that tells of
// trouble has its evidence.
type Change struct {
	Time time.Time `json:"time"`
	Verdict
	Evidence []status.Read `json:"evidence,omitempty"`
}

// target returns what the ID names.
func (o *Object) target() observe.Target {
	t := observe.Target{
		Cluster: o.ID.Cluster, Kind: status.Kind{Group: o.ID.Group, Kind: o.ID.Kind},
		Namespace: o.ID.Namespace, Name: o.ID.Name,
	}
	if o.Selection != nil {
		t.LabelSelector, t.FieldSelector = o.Selection.Labels, o.Selection.Fields
	}
	return t
}

// String names the object as the log does: Deployment/shop/api.
func (o *Object) String() string { return o.target().String() }

// counts reports whether what became of the object matters to the outcome.
func (o *Object) counts() bool { return !o.Removed && o.Standing != observe.ProgressIgnored }

// took returns how long the wait took.
func (r *Run) took() time.Duration { return r.Result.Time.Sub(r.Start.Time) }
