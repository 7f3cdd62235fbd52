package status

import (
	"slices"
	"strings"

	"kstatus.dev/status/internal/word"
)

// A hint holds facts about one kind that the general vocabulary cannot know. The zero hint holds
// none. In paths of the status, except in Observed, ".*." matches every item of a list or a map.
type hint struct {
	// the summary conditions, in place of Ready: each must exist and be True; "A|B" is one condition
	// with two names
	Summary            []string
	OptionalSummary    []string        // summary conditions that may be absent
	Positive           []string        // conditions that are True in the normal state, although their names do not show it
	Negative           []string        // conditions that are True in case of a problem
	Progress           []string        // conditions that are True while the controller works
	Suspension         []string        // conditions that are True while the object is stopped on request
	Neutral            []string        // conditions that do not affect the verdict
	ProgressIfFalse    []string        // conditions whose False means in progress, not failed, whatever the reason
	FailedIfFalse      []string        // conditions whose False means failed, whatever the reason
	NormalReasons      []string        // reasons with which False is the normal state, such as CronJobScheduled
	PassingReasons     []string        // reasons of failures that often pass, so that one without a time is not Failed
	States             []string        // fields that hold the state as a word or a boolean, in this kind only, such as status.stage
	Words              wordTable       // the meaning of state words in this kind
	Enums              []enum          // fields that hold the state as a number
	Ignore             []string        // fields of the status that do not affect the verdict, such as conditions that record past events
	Errors             []string        // fields that hold an error or count errors if set, although their names do not show it
	Required           []string        // fields that the controller sets by the time the object is ready; "a|b" is one of two
	Working            []string        // fields that the controller sets while it works
	Counts             []goal          // numbers that must be reached
	Suspend            []string        // fields of the spec that stop the object if true, in addition to suspend; "spec.a=b" is a field and its value
	Paused             string          // the annotation that pauses its controller, unless its value is false
	Observed           string          // the field that holds the observed generation; empty: status.observedGeneration
	ObservesOther      bool            // status.observedGeneration is the generation of another object
	IgnoreObservedZero bool            // its controller may leave the observed generation at 0, so 0 proves nothing
	Finite             ConditionStatus // whether the kind runs to completion; empty: its name decides
	StatusOptional     bool            // its controller reports nothing unless it must: an object without a status may be Current
}

// A hintTable holds one hint per kind. A Kind named "*Word" matches all kinds of its group that
// end in Word, and one without a name all kinds of its group. A group that begins with "*."
// matches all groups below it. The most specific match counts.
type hintTable map[Kind]*hint

// A wordTable maps state words, in their exact spelling, to their meaning.
type wordTable map[string]word.Polarity

// An enum is a field that holds the state as a number, with the name and the meaning of each
// number.
type enum struct {
	Path   string
	Values map[int64]enumValue
}

// An enumValue is a value of an enum.
type enumValue struct {
	Name  string
	Means word.Polarity
}

// A goal is a number and the field with the value it must reach. With ".*." in both paths they
// are compared item by item. With ".*." in Want alone, Want is the sum of all items.
type goal struct{ Have, Want string }

// A hintGroup holds the hints for the kinds of one group, or of all groups below one.
type hintGroup struct {
	kinds map[string]*hint // by kind
	ends  map[string]*hint // by the last word of the kind
	all   *hint            // for all other kinds
}

func (g *hintGroup) find(kind string) *hint {
	if g == nil {
		return nil
	}
	if h := g.kinds[kind]; h != nil {
		return h
	}
	if g.ends != nil {
		if h := g.ends[kind[lastWord(kind):]]; h != nil {
			return h
		}
	}
	return g.all
}

// A hintIndex finds the hint for a kind without scanning the tables.
type hintIndex struct {
	groups map[string]*hintGroup // by group
	below  map[string]*hintGroup // by the end of the group
	ends   map[string]bool       // the last two parts of these ends
}

// find returns the hint for a kind, nil if there is none.
func (x *hintIndex) find(k Kind) *hint {
	if h := x.groups[k.Group].find(k.Kind); h != nil {
		return h
	}
	if !x.ends[lastTwo(k.Group)] {
		return nil
	}
	for rest, more := k.Group, true; more; _, rest, more = strings.Cut(rest, ".") {
		if h := x.below[rest].find(k.Kind); h != nil {
			return h
		}
	}
	return nil
}

// lastTwo returns the last two labels of the name of a group.
func lastTwo(group string) string {
	last := max(strings.LastIndexByte(group, '.'), 0)
	return group[strings.LastIndexByte(group[:last], '.')+1:]
}

// newHintIndex returns the index of the tables.
func newHintIndex(tables map[string]hintTable) *hintIndex {
	x := &hintIndex{map[string]*hintGroup{}, map[string]*hintGroup{}, map[string]bool{}}
	for _, hints := range tables {
		for k, h := range hints {
			in, group := x.groups, k.Group
			if end, wild := strings.CutPrefix(group, "*."); wild {
				in, group = x.below, end
				x.ends[lastTwo(end)] = true
			}
			if in[group] == nil {
				in[group] = &hintGroup{kinds: map[string]*hint{}}
			}
			switch end, wild := strings.CutPrefix(k.Kind, "*"); {
			case k.Kind == "":
				in[group].all = h
			case wild:
				if in[group].ends == nil {
					in[group].ends = map[string]*hint{}
				}
				in[group].ends[end] = h
			default:
				in[group].kinds[k.Kind] = h
			}
		}
	}
	return x
}

// lastWord returns the index of the last word in the name of a kind.
func lastWord(kind string) int {
	for i := len(kind) - 1; i > 0; i-- {
		if kind[i] >= 'A' && kind[i] <= 'Z' {
			return i
		}
	}
	return 0
}

// names reports whether a list of types contains t.
func names(list []string, t string) bool {
	return slices.ContainsFunc(list, func(one string) bool {
		if one == t {
			return true
		}
		first, second, two := strings.Cut(string(one), "|")
		return two && (first == string(t) || second == string(t))
	})
}

// role returns the role that the hint gives to a condition, except the role of a summary.
func (h *hint) role(t string) word.Role {
	switch {
	case h == nil:
		return word.RoleNone
	case slices.Contains(h.Positive, t):
		return word.RolePositive
	case slices.Contains(h.Negative, t):
		return word.RoleNegative
	case slices.Contains(h.Progress, t):
		return word.RoleProgress
	case slices.Contains(h.Suspension, t):
		return word.RoleSuspension
	case slices.Contains(h.Neutral, t):
		return word.RoleNeutral
	}
	return word.RoleNone
}

// sumsUp reports whether the hint makes the condition a summary.
func (h *hint) sumsUp(t string) bool {
	return h != nil && (names(h.Summary, t) || slices.Contains(h.OptionalSummary, t))
}

// sums reports whether the hint names the summary conditions of the kind.
func (h *hint) sums() bool { return h != nil && h.Summary != nil }

func (h *hint) isPassing(reason string) bool {
	return h != nil && slices.Contains(h.PassingReasons, reason)
}

func (h *hint) observesOther() bool { return h != nil && h.ObservesOther }

func (h *hint) isProgressIfFalse(t string) bool {
	return h != nil && slices.Contains(h.ProgressIfFalse, t)
}

func (h *hint) isFailedIfFalse(t string) bool {
	return h != nil && slices.Contains(h.FailedIfFalse, t)
}

func (h *hint) isNormalReason(reason string) bool {
	return h != nil && slices.Contains(h.NormalReasons, reason)
}

func (h *hint) ignores(field string) bool { return h != nil && slices.Contains(h.Ignore, field) }

// requires reports whether the hint requires a field of the status, which is then no other evidence.
func (h *hint) requires(field string) bool {
	return h != nil && slices.Contains(h.Required, "status."+field)
}

// word returns the meaning of a state word in the hint, and whether the hint has one.
func (h *hint) word(w string) (word.Polarity, bool) {
	if h == nil {
		return word.None, false
	}
	m, ok := h.Words[w]
	return m, ok
}

// has reports whether the hint has a state word.
func (h *hint) has(w string) bool {
	_, ok := h.word(w)
	return ok
}

// finite reports whether the kind runs to completion: by the hint, else by its name.
func (h *hint) finite(kind string) bool { return h.ends(kind, finiteKinds) }

// ends reports whether the kind runs to completion: by the hint, else by whether its name has
// one of the endings.
func (h *hint) ends(kind string, endings []string) bool {
	if h != nil && h.Finite != "" {
		return h.Finite == conditionTrue
	}
	return word.HasAnySuffix(kind, endings) && !word.ContainsAny(kind, recurringKinds)
}

// isRunKind reports whether the kind exists to be run, so that an object without a status has not
// started. If a hint requires fields, those decide instead.
func (h *hint) isRunKind(kind string) bool {
	return (h == nil || h.Required == nil) && h.ends(kind, runKinds)
}

// finiteKinds are the last words in the names of kinds that run to completion, and runKinds of
// those that exist to be run. recurringKinds are words in the names of kinds that start such
// runs.
var (
	finiteKinds = []string{
		"Run", "Job", "Workflow", "Task", "Backup", "Restore", "Migration", "Analysis", "Experiment", "Import", "Export", "Operation",
		"Test", "Scan", "Build", "Copy", "Snapshot", "Clone", "Upgrade", "Execution", "Evaluation", "OpsRequest",
		"Benchmark", "Rebalance", "Trial",
	}
	runKinds       = []string{"Run", "Job", "Workflow", "Backup", "Restore", "Scan", "Execution", "Upgrade", "Migration", "OpsRequest"}
	recurringKinds = []string{"Cron", "Schedule", "Recurring", "Scaled", "Stream", "Template"}
)

// hintFiles maps the name of each file hints_<name>.go to its table. The cases are in
// testdata/hints/<name>.cases.
var hintFiles = map[string]hintTable{
	"analytics":         hintsAnalytics,
	"argo":              hintsArgo,
	"backup":            hintsBackup,
	"batch":             hintsBatch,
	"caches":            hintsCaches,
	"capi":              hintsCAPI,
	"certmanager":       hintsCertManager,
	"clouds":            hintsClouds,
	"compute":           hintsCompute,
	"crossplane":        hintsCrossplane,
	"delivery":          hintsDelivery,
	"fleet":             hintsFleet,
	"flux":              hintsFlux,
	"gateways":          hintsGateways,
	"knative":           hintsKnative,
	"kruise":            hintsKruise,
	"kubevirt":          hintsKubeVirt,
	"longhorn":          hintsLonghorn,
	"mesh":              hintsMesh,
	"messaging":         hintsMessaging,
	"monitoring":        hintsMonitoring,
	"mysql":             hintsMySQL,
	"nodes":             hintsNodes,
	"nosql":             hintsNoSQL,
	"olm":               hintsOLM,
	"openshift":         hintsOpenShift,
	"openshift_install": hintsOpenShiftInstall,
	"percona":           hintsPercona,
	"platforms":         hintsPlatforms,
	"policy":            hintsPolicy,
	"postgres":          hintsPostgres,
	"rancher":           hintsRancher,
	"scaling":           hintsScaling,
	"search":            hintsSearch,
	"secrets":           hintsSecrets,
	"services":          hintsServices,
	"storage":           hintsStorage,
	"strimzi":           hintsStrimzi,
	"telemetry":         hintsTelemetry,
}

var hintIndexes = newHintIndex(hintFiles)
