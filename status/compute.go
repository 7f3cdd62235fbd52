package status

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"kstatus.dev/status/internal/value"
	"kstatus.dev/status/schema"
)

// Compute returns the status of obj by the default profile and the clock of the machine.
func Compute(obj Object) (*Result, error) { return Evaluator{}.Compute(obj) }

// An Evaluator is [Compute] with settings. The zero Evaluator is the one that Compute
// uses. Several goroutines may use an Evaluator.
type Evaluator struct {
	Profile    Profile             // zero: the default profile
	Rules      Rules               // what to judge by for these kinds before the profile's own table; may be nil
	Expect     schema.Expectations // what the kinds' schemas promise; nil: nothing is known
	Related    Lookup              // what else a verdict may rest on; nil: nothing is known
	NoHints    bool                // judge kinds without a rule by their words alone
	SelectRule RuleSelector        // which rule an object is judged by, where the tables do not know; nil: they always do
	Now        func() time.Time    // nil: time.Now; called only where an age decides
}

// A RuleSelector returns the rule for one object: the one from the tables, which it is
// given, or another, such as a rule that the object itself contains. It is called for
// every object, from several goroutines at once.
type RuleSelector func(kind Kind, obj Object, table KindRule) KindRule

// A stage is one step of a verdict. It sets the Result if it decides. Otherwise it
// leaves it zero, and the next stage goes on.
type stage struct {
	name string
	eval func(o *Fields, r *Result)
	doc  string
}

// stages are the steps of the default profile, in their order. The first that sets
// the Result decides.
var stages = []stage{
	{"deletion", deletion, "metadata.deletionTimestamp is set: Terminating, whatever else it says"},
	{"suspension", suspension, "without a rule for the kind: its spec asks for it to be suspended"},
	{"generation", generation, "its controller has not seen the latest generation, as far as that is to be expected: InProgress"},
	{"standard conditions", standardConditions, "Reconciling is not False: InProgress; Stalled is True: Failed"},
	{"kind", byKind, "what the rule for the kind says, if there is one"},
	{"report", report, "what its conditions, the words for its state, its errors and its counts say"},
	{"expectation", expectation, "nothing decided: what its kind promises to report and has not, else Current, as assumed"},
}

// Compute returns the status of obj. Deletion comes first, then whether its spec
// suspends it, whether the latest generation has been observed, the
// standard conditions Reconciling and Stalled, the rule for the kind, what its
// status reports in conditions, words, switches, errors and counters, and last
// what its kind promises to report.
//
// An object of which a field that mattered is malformed is Unknown. The only
// errors are an object that is nil, that does not say its kind, or that is a
// list of objects.
func (e Evaluator) Compute(obj Object) (*Result, error) {
	return e.compute(obj, nil)
}

// Explain is [Evaluator.Compute] that also returns which fields the verdict has read, in
// order, and what was in them.
func (e Evaluator) Explain(obj Object) (result *Result, reads []Read, err error) {
	seen := map[string]bool{}
	result, err = e.compute(obj, func(r Read) {
		if !seen[r.Path] {
			seen[r.Path] = true
			reads = append(reads, r)
		}
	})
	if err != nil {
		return nil, nil, err
	}
	return result, reads, nil
}

func (e Evaluator) compute(obj Object, trace func(Read)) (*Result, error) {
	if obj == nil {
		return nil, errors.New("compute status: the object is nil")
	}
	ev := newEvaluation(obj.UnstructuredContent())
	defer ev.release()
	f := &ev.object
	kind, err := f.kind()
	if err != nil {
		return nil, fmt.Errorf("compute status: %w", err)
	}
	ev.profile, ev.clock, ev.trace, ev.related = e.Profile.orDefault(), e.Now, trace, e.Related
	ev.entry = e.entry(kind)
	if ev.entry.FixedRule = ev.profile.fixedRules; e.SelectRule != nil {
		ev.entry = e.SelectRule(kind, obj, ev.entry)
	}
	ev.kind = kind
	if ev.entry.Rule == nil && !e.NoHints {
		if ev.hint = hintIndexes.find(kind); ev.hint == nil {
			ev.hint = ev.recognize()
		}
	}
	if e.Expect != nil {
		version, _ := value.Text(ev.object.node["apiVersion"])
		ev.expectation = e.Expect(version, kind.Kind)
	}
	r := new(Result)
	for i := range ev.profile.stages {
		s := &ev.profile.stages[i]
		if s.eval(f, r); r.Status != "" || ev.err != nil {
			if r.Rule == "" {
				r.Rule = s.name
			}
			break
		}
	}
	ev.finish(r)
	return r, nil
}

// entry returns how a kind is judged.
func (e Evaluator) entry(kind Kind) KindRule {
	if own, ok := e.Rules[kind]; ok {
		return own
	}
	return e.Profile.orDefault().kinds[kind]
}

// kind returns the kind of a single object.
func (f *Fields) kind() (Kind, error) {
	if f.node == nil {
		return Kind{}, errors.New("the object is empty")
	}
	version, err := f.word("apiVersion")
	if err != nil {
		return Kind{}, err
	}
	kind, err := f.word("kind")
	if err != nil {
		return Kind{}, err
	}
	end := max(strings.IndexByte(version, '/'), 0)
	if end != max(strings.LastIndexByte(version, '/'), 0) {
		return Kind{}, fmt.Errorf("apiVersion: want a group and a version, have %s", value.Shape(version))
	}
	if strings.HasSuffix(kind, "List") {
		if _, list := f.node["items"].([]any); list {
			return Kind{}, fmt.Errorf("%s is a list of objects, not a single one", kind)
		}
	}
	return Kind{version[:end], kind}, nil
}

// word returns a field of the object that must be there and not be empty.
func (f *Fields) word(field string) (string, error) {
	v := f.node[field]
	if s, _ := v.(string); s != "" {
		return s, nil
	}
	if _, there := f.node[field]; !there {
		return "", fmt.Errorf("%s is missing", field)
	}
	return "", fmt.Errorf("%s: want a word, have %s", field, value.Shape(v))
}

// byKind: the rule for the kind, if there is one, and before it the rule that comes
// first.
func byKind(o *Fields, r *Result) {
	entry := &o.eval.entry
	if entry.Override != nil {
		if *r = entry.Override(o); r.Status != "" {
			return
		}
	}
	if entry.Rule != nil {
		*r = entry.Rule(o)
	}
}
