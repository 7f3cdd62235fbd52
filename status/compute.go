package status

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"kstatus.dev/status/internal/value"
	"kstatus.dev/status/schema"
)

// Compute returns the status of obj by the default profile and the clock of the system.
func Compute(obj Object) (*Result, error) { return Evaluator{}.Compute(obj) }

// An Evaluator is [Compute] with settings. The zero Evaluator is the one that Compute uses. It
// is safe for concurrent use.
type Evaluator struct {
	Profile    Profile             // zero: the default profile
	Rules      Rules               // rules for these kinds in place of the profile's own; may be nil
	Expect     schema.Expectations // what the schemas of the kinds declare; may be nil
	Related    Lookup              // returns related objects; nil: none are known
	NoHints    bool                // judge kinds without a rule by the general vocabulary alone
	SelectRule RuleSelector        // selects the rule for an object; nil: the one from the tables
	Now        func() time.Time    // nil: time.Now; called only where an age decides
	Snapshot   bool                // Now is the newest time in the objects, so a reported failure has lasted for an unknown time, and counts
}

// A RuleSelector returns the rule for one object. That is table, the rule of the kind in the
// tables, or another one, such as a rule that the object itself contains. It is called for every
// object and must be safe for concurrent use.
type RuleSelector func(kind Kind, obj Object, table KindRule) KindRule

// A stage is one step of a verdict. If it decides, it sets the Result. Otherwise the Result
// stays zero, and the next stage runs.
type stage struct {
	name string
	eval func(o *Fields, r *Result)
	doc  string
}

// stages are the steps of the default profile, in order. The first that sets the Result decides.
var stages = []stage{
	{"deletion", deletion, "metadata.deletionTimestamp is set: Terminating, whatever the status says"},
	{"suspension", suspension, "for kinds without a rule: the spec suspends the object"},
	{"generation", generation, "the observed generation is not the latest, or the schema declares it and it is missing: InProgress"},
	{"standard conditions", standardConditions, "Reconciling is not False: InProgress; Stalled is True: Failed"},
	{"kind", byKind, "the rule for the kind, if it has one"},
	{"report", report, "conditions, state words, errors and counts in the status"},
	{"expectation", expectation, "no earlier stage decided: InProgress if the schema declares a report that is missing, else Current (assumed)"},
}

// Compute returns the status of obj. The first of these stages with a result decides:
//
//   - deletion;
//   - suspension by the spec, for kinds without a rule;
//   - whether the controller has observed the latest generation;
//   - the standard conditions Reconciling and Stalled;
//   - the rule for the kind;
//   - the conditions, state words, switches, errors and counters in the status;
//   - what the schema of the kind declares but the status lacks.
//
// An object with a malformed field that matters is Unknown. Compute returns an error only if obj
// is nil, lacks its kind, or is a list of objects.
func (e Evaluator) Compute(obj Object) (*Result, error) {
	return e.compute(obj, nil)
}

// Explain is [Evaluator.Compute] that also returns the fields that the verdict has read, in
// order, with their values.
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
	return e.computeAs(obj, trace, false)
}

// computeAs computes the status of an object. If active is true, the object is judged as if
// nothing suspended it, and as if its report were about the latest generation. The controller of a
// suspended object may observe no generation.
func (e Evaluator) computeAs(obj Object, trace func(Read), active bool) (*Result, error) {
	if obj == nil {
		return nil, errors.New("compute status: the object is nil")
	}
	ev := newEvaluation(obj.UnstructuredContent())
	defer ev.release()
	f := &ev.object
	kind, err := f.kind()
	if e.Profile.isCompat() {
		kind, err = compatKindOf(f), nil
	}
	if err != nil {
		return nil, fmt.Errorf("compute status: %w", err)
	}
	ev.profile, ev.clock, ev.trace, ev.related, ev.snapshot = e.Profile.orDefault(), e.Now, trace, e.Related, e.Snapshot
	_, ev.plain = obj.(Map)
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
		if active && (s.name == "suspension" || s.name == "generation") {
			continue
		}
		if s.eval(f, r); r.Status != "" || ev.err != nil {
			if r.Rule == "" {
				r.Rule = s.name
			}
			break
		}
	}
	switch {
	case !active:
		e.repeatFailure(f, r)
	case r.Suspended != "": // by its report, or by another object
		*r = f.failureOfReport()
	}
	ev.finish(r)
	return r, nil
}

// entry returns the rule for a kind.
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

// word returns a required field of the object, which must not be empty.
func (f *Fields) word(field string) (string, error) {
	v := f.node[field]
	if s, _ := v.(string); s != "" {
		return s, nil
	}
	if _, ok := f.node[field]; !ok {
		return "", fmt.Errorf("%s is missing", field)
	}
	return "", fmt.Errorf("%s: want a word, have %s", field, value.Shape(v))
}

// byKind runs the override of the kind, then its rule.
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
