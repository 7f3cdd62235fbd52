package status

import (
	"slices"
	"strings"

	"kstatus.dev/status/internal/word"
)

// A hint says of one kind what no vocabulary can know. The zero hint says
// nothing. In paths of the status, but for that of Observed, ".*." stands for
// every item of a list or a map.
type hint struct {
	Summary    []string        // the conditions that sum it up, in place of Ready: each must be there and be True; "A|B" is one that has two names
	Also       []string        // conditions that sum it up where they are there
	Positive   []string        // conditions that are True when all is well, although their names do not say so
	Negative   []string        // conditions that are True when something is wrong
	Progress   []string        // conditions that are True while something goes on
	Suspension []string        // conditions that are True while it is stopped, and means to be
	Neutral    []string        // conditions that do not say whether it is there
	Patient    []string        // conditions whose False means in progress, not failed, whatever the reason
	Strict     []string        // conditions whose False means failed, whatever the reason
	Fine       []string        // reasons with which a condition that is False is as it should be, such as CronJobScheduled
	States     []string        // fields that hold a word for its state, or true or false, where no other kind has one, such as status.stage
	Words      wordTable       // what the kind means by words for its state
	Enums      []enum          // fields that hold the state as a number
	Ignore     []string        // fields of the status that do not say whether it is there, such as conditions that are a record of the past
	Errors     []string        // fields that hold an error or count errors, if they hold anything, under a name that does not tell
	Required   []string        // fields that its controller has filled in once it is there; "a|b" is either of two
	Working    []string        // fields that its controller fills in while something goes on
	Counts     []goal          // numbers that must be reached
	Suspend    []string        // fields of the spec that are true when it is to stand still, besides suspend; "spec.a=b" is a field that holds a word
	Paused     string          // the annotation that makes its controller leave it alone, unless it is false
	Observed   string          // the field that holds the observed generation; empty: status.observedGeneration
	Zero       bool            // its controller may leave the observed generation at 0, which then says nothing
	Finite     ConditionStatus // whether it runs to an end of its own; empty: its name tells
	Silent     bool            // its controller need not report anything: no status is as good as any
}

// A hintTable holds one hint per kind. A Kind whose name is "*" and a word stands for
// all kinds of its group whose names end in that word, one without a name for
// all kinds of its group, one whose group starts with "*." for all groups below
// it; the closest counts.
type hintTable map[Kind]*hint

// A wordTable holds what words for a state mean, in their exact spelling.
type wordTable map[string]word.Polarity

// An enum is a field that holds the state as a number, with what each number
// is called and means.
type enum struct {
	Path   string
	Values map[int64]enumValue
}

// An enumValue is a value of an enum.
type enumValue struct {
	Name  string
	Means word.Polarity
}

// A goal is a number and the field that says which it must reach, with ".*." in
// both the one of the same item, and in Want alone the sum of all items.
type goal struct{ Have, Want string }

// A hintGroup is the hints for the kinds of one group, or of all groups below one.
type hintGroup struct {
	kinds map[string]*hint // by the kind
	ends  map[string]*hint // by the last word of the kind
	all   *hint            // for every other kind
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

// A hintIndex finds the hint for a kind without a look at each row.
type hintIndex struct {
	groups map[string]*hintGroup // by the group
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

// lastTwo returns the last two parts of the name of a group.
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

// lastWord returns where the last word of the name of a kind starts.
func lastWord(kind string) int {
	for i := len(kind) - 1; i > 0; i-- {
		if kind[i] >= 'A' && kind[i] <= 'Z' {
			return i
		}
	}
	return 0
}

// names reports whether a list of types has this one.
func names(list []string, t string) bool {
	return slices.ContainsFunc(list, func(one string) bool {
		if one == t {
			return true
		}
		first, second, two := strings.Cut(string(one), "|")
		return two && (first == string(t) || second == string(t))
	})
}

// role returns the role that the hint gives to a condition of the type, other than
// to sum the object up.
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

// sumsUp reports whether, by the hint, a condition of the type sums the object up.
func (h *hint) sumsUp(t string) bool {
	return h != nil && (names(h.Summary, t) || slices.Contains(h.Also, t))
}

// sums reports whether the hint names conditions that sum the kind up.
func (h *hint) sums() bool { return h != nil && h.Summary != nil }

func (h *hint) patient(t string) bool {
	return h != nil && slices.Contains(h.Patient, t)
}

func (h *hint) strict(t string) bool {
	return h != nil && slices.Contains(h.Strict, t)
}

func (h *hint) fine(reason string) bool { return h != nil && slices.Contains(h.Fine, reason) }

func (h *hint) ignores(field string) bool { return h != nil && slices.Contains(h.Ignore, field) }

// word returns what the hint says of a word for a state, and whether it says anything.
func (h *hint) word(w string) (word.Polarity, bool) {
	if h == nil {
		return word.None, false
	}
	m, ok := h.Words[w]
	return m, ok
}

// has reports whether the hint tells what a word means.
func (h *hint) has(w string) bool {
	_, ok := h.word(w)
	return ok
}

// finite reports whether the kind runs to an end of its own: by the hint, else
// by its name.
func (h *hint) finite(kind string) bool { return h.ends(kind, finiteKinds) }

// ends says what the hint says of whether the kind runs to an end, else whether
// its name has such an ending.
func (h *hint) ends(kind string, endings []string) bool {
	if h != nil && h.Finite != "" {
		return h.Finite == conditionTrue
	}
	return word.HasAnySuffix(kind, endings) && !word.ContainsAny(kind, recurringKinds)
}

// runs reports whether the kind is made to be run, so that it has not begun as
// long as nothing is told of it. Where a hint requires fields these tell.
func (h *hint) runs(kind string) bool {
	return (h == nil || h.Required == nil) && h.ends(kind, runKinds)
}

// The words at the end of the names of kinds that run to an end of their own,
// those of kinds that are made to be run, and words in the names of kinds that
// start such ones.
var (
	finiteKinds = []string{
		"Run", "Job", "Workflow", "Task", "Backup", "Restore", "Migration", "Analysis", "Experiment", "Import", "Export", "Operation",
		"Test", "Scan", "Build", "Copy", "Snapshot", "Clone", "Upgrade", "Execution", "Evaluation", "OpsRequest",
	}
	runKinds       = []string{"Run", "Job", "Workflow", "Backup", "Restore", "Scan", "Execution"}
	recurringKinds = []string{"Cron", "Schedule", "Recurring", "Scaled", "Stream", "Template"}
)

// The tables of hints, by the file that holds them, hints_<name>.go; their cases
// stand in testdata/hints/<name>.cases.
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
