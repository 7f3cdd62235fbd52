package status

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Compute says where obj stands, by the default profile and the wall clock.
func Compute(obj Object) (*Result, error) { return Evaluator{}.Compute(obj) }

// An Evaluator is [Compute] with everything in the open. The zero Evaluator is
// what Compute uses. It may be used by several goroutines at once.
type Evaluator struct {
	Profile Profile          // zero: Default
	Rules   Rules            // what to judge by for these kinds before the profile's own table; may be nil
	Expect  Expectations     // what the kinds' schemas promise; nil: nothing is known
	Now     func() time.Time // nil: time.Now; asked only where an age decides
}

// A question is one step of a verdict; the zero Result means that it does not
// decide.
type question struct {
	name string
	ask  Rule
}

// The questions of the default profile, in their order. The first that has
// something to say decides.
var questions = []question{
	{"deletion", deleted},
	{"generation", observed},
	{"standard conditions", standard},
	{"kind", byKind},
	{"summary condition", summary},
	{"other conditions", otherConditions},
	{"expectation", expected},
}

// Compute says where obj stands. Deletion comes first, then whether the latest
// generation has been observed, the standard conditions Reconciling and
// Stalled, the rule for the kind, the condition that sums the object up, its
// other conditions, and last what its kind promises to report.
//
// An object of which a field that mattered is malformed is Unknown. The only
// errors are an object that is nil, that does not say its kind, or that is a
// list of objects.
func (e Evaluator) Compute(obj Object) (*Result, error) {
	return e.compute(obj, nil)
}

// An Explanation is a verdict with what was read on the way to it, in order.
type Explanation struct {
	Result
	Reads []Read
}

// Explain is Compute that also tells which fields were read and what stood in them.
func (e Evaluator) Explain(obj Object) (*Explanation, error) {
	var x Explanation
	seen := map[string]bool{}
	res, err := e.compute(obj, func(r Read) {
		if !seen[r.Path] {
			seen[r.Path] = true
			x.Reads = append(x.Reads, r)
		}
	})
	if err != nil {
		return nil, err
	}
	x.Result = *res
	return &x, nil
}

// A hearing is one object being judged. Result and Fields live in it, so that a
// verdict costs one allocation besides its message.
type hearing struct {
	result      Result
	root        Fields
	profile     *Profile
	entry       Entry
	generation  int64
	expectation Expectation
	clock       func() time.Time
	trace       func(Read)
	err         error
	warnings    []string
}

func (e Evaluator) compute(obj Object, trace func(Read)) (*Result, error) {
	h := &hearing{profile: &profileDefault, clock: e.Now}
	if e.Profile.name != "" {
		p := e.Profile // a copy, so that the Evaluator itself need not outlive the call
		h.profile = &p
	}
	if obj == nil {
		return nil, errors.New("compute status: the object is nil")
	}
	h.root = Fields{at: obj.UnstructuredContent(), hearing: h}
	f := &h.root
	kind, err := f.kind()
	if err != nil {
		return nil, fmt.Errorf("compute status: %w", err)
	}
	h.trace = trace
	h.entry = e.entry(kind, h.profile)
	h.generation, _ = generationOf(f.get("metadata.generation"))
	if e.Expect != nil {
		version, _ := text(h.root.at["apiVersion"])
		h.expectation = e.Expect(version, kind.Kind)
	}
	for _, q := range h.profile.questions {
		if got := q.ask(f); got.Status != "" || h.err != nil {
			h.result = got
			h.result.Rule = q.name
			break
		}
	}
	h.settle()
	return &h.result, nil
}

// entry returns how a kind is judged.
func (e Evaluator) entry(kind Kind, p *Profile) Entry {
	if own, ok := e.Rules[kind]; ok {
		return own
	}
	return p.kinds[kind]
}

// settle completes the verdict and lets go of the object.
func (h *hearing) settle() {
	r := &h.result
	if h.err != nil && r.Status != TerminatingStatus {
		h.warnings = nil
		*r = Result{Status: UnknownStatus, Reason: "Malformed", Message: h.err.Error(), Rule: r.Rule}
	}
	if word, ok := h.profile.words[r.Reason]; ok {
		r.Status = word
	}
	if r.Confidence == "" {
		r.Confidence = Explicit
	}
	if r.Conditions == nil {
		r.Conditions = h.profile.conditionsFor(r)
	}
	slices.Sort(h.warnings)
	r.Warnings = h.warnings
	*h = hearing{result: h.result}
}

func (h *hearing) now() time.Time {
	if h.clock == nil {
		return time.Now()
	}
	return h.clock()
}

// kind returns the kind of a single object.
func (f *Fields) kind() (Kind, error) {
	if f.at == nil {
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
	group, rest, ok := strings.Cut(version, "/")
	if !ok {
		group = ""
	}
	if strings.Contains(rest, "/") {
		return Kind{}, fmt.Errorf("apiVersion: want a group and a version, have %s", shape(version))
	}
	if _, list := f.at["items"].([]any); list && strings.HasSuffix(kind, "List") {
		return Kind{}, fmt.Errorf("%s is a list of objects, not a single one", kind)
	}
	return Kind{group, kind}, nil
}

// word returns a field of the object that must be there and not be empty.
func (f *Fields) word(field string) (string, error) {
	v, there := f.at[field]
	s, _ := v.(string)
	switch {
	case !there:
		return "", fmt.Errorf("%s is missing", field)
	case s == "":
		return "", fmt.Errorf("%s: want a word, have %s", field, shape(v))
	}
	return s, nil
}

func byKind(o *Fields) (r Result) {
	if rule := o.hearing.entry.Rule; rule != nil {
		return rule(o)
	}
	return r
}
