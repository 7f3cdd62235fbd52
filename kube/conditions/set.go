package conditions

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/kube/conditions/metrics"
)

// Set is the conditions of a kind as its controller declares them: which there
// are, in which order, what True means and who writes them. A Set does not
// change and may be used by many goroutines.
type Set struct {
	declared []Declaration
	index    map[string]int
	options  Options
}

// Options are what a controller may choose. The zero value is right for most.
type Options struct {
	// Kind is the kind of the objects, for messages, metrics and Apply. Zero
	// means what the object itself says.
	Kind schema.GroupVersionKind
	// Clock tells the time. Nil means time.Now.
	Clock func() time.Time
	// Strict makes a statement against the declaration panic, so that a test
	// ends where the mistake was made. Otherwise Commit returns the error.
	Strict bool
	// HoldGeneration keeps the top-level observedGeneration where it was when
	// a pass failed. Readers then take the object to be in progress until a
	// pass succeeds, whatever its conditions say.
	HoldGenerationOnFailure bool
	// NoObservedGeneration says that the kind has no top-level
	// observedGeneration. Without it, a kind that has none is an error.
	NoObservedGeneration bool
	// Apply, if set, commits by server-side apply in place of a merge patch.
	ServerSideApply *ServerSideApply
	// Attempts is how often a commit is sent at most when others write at the
	// same time. Zero means 5.
	MaxAttempts int
	// Metrics records transitions and commits. Nil records nothing.
	Metrics metrics.Recorder
}

// NewSet makes a set of declarations, or tells all that is wrong with them: a
// type declared twice, an illegal name, a part that is not declared.
func NewSet(declared ...Declaration) (*Set, error) {
	s := &Set{declared: slices.Clone(declared), index: make(map[string]int, len(declared))}
	var wrong []error
	for i, d := range declared {
		if _, twice := s.index[d.Type]; twice {
			wrong = append(wrong, fmt.Errorf("condition %s: declared twice", d.Type))
			continue
		}
		s.index[d.Type] = i
		wrong = append(wrong, d.check()...)
	}
	for _, d := range declared {
		wrong = append(wrong, s.checkParts(d)...)
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, err
	}
	return s, nil
}

// MustSet is NewSet for a package variable: it panics when the program starts
// if the declarations are wrong.
func MustSet(declared ...Declaration) *Set {
	s, err := NewSet(declared...)
	if err != nil {
		panic(err)
	}
	return s
}

// WithOptions is the same set under other options.
func (s *Set) WithOptions(o Options) *Set {
	return &Set{declared: s.declared, index: s.index, options: o}
}

// Options are those that the set was made with.
func (s *Set) Options() Options { return s.options }

// Declarations are the declarations in their order.
func (s *Set) Declarations() []Declaration { return slices.Clone(s.declared) }

// Lookup is the declaration of a type, if there is one.
func (s *Set) Lookup(typ string) (Declaration, bool) {
	i, ok := s.index[typ]
	if !ok {
		return Declaration{}, false
	}
	return s.declared[i], true
}

func (d Declaration) check() (wrong []error) {
	if problem := typeProblem(d.Type); problem != "" {
		wrong = append(wrong, fmt.Errorf("condition %q: type %s", d.Type, problem))
	}
	for i, r := range d.Reasons {
		if problem := reasonProblem(r); problem != "" {
			wrong = append(wrong, fmt.Errorf("condition %s: reason %q %s", d.Type, r, problem))
		}
		if slices.Contains(d.Reasons[:i], r) {
			wrong = append(wrong, fmt.Errorf("condition %s: reason %s declared twice", d.Type, r))
		}
	}
	if d.Polarity < PolarityPositive || d.Polarity > PolarityNeutral {
		wrong = append(wrong, fmt.Errorf("condition %s: polarity %d: want one of the four", d.Type, d.Polarity))
	}
	if d.Summary && d.Polarity != PolarityPositive {
		wrong = append(wrong, fmt.Errorf("condition %s: a summary is good when True, this is %s", d.Type, d.Polarity))
	}
	if !d.Summary && len(d.Parts) > 0 {
		wrong = append(wrong, fmt.Errorf("condition %s: has parts and is no summary", d.Type))
	}
	if d.isComputed() && len(d.Reasons) != 0 && len(d.Reasons) != 3 {
		wrong = append(wrong, fmt.Errorf("condition %s: has %d reasons, a summary of parts has none or three", d.Type, len(d.Reasons)))
	}
	if d.isComputed() && !d.isOurs() {
		wrong = append(wrong, fmt.Errorf("condition %s: a summary of parts is ours to write", d.Type))
	}
	return wrong
}

func (s *Set) checkParts(d Declaration) (wrong []error) {
	for i, name := range d.Parts {
		part, known := s.Lookup(name)
		switch {
		case !known:
			wrong = append(wrong, fmt.Errorf("condition %s: part %s is not declared", d.Type, name))
		case slices.Contains(d.Parts[:i], name):
			wrong = append(wrong, fmt.Errorf("condition %s: part %s is named twice", d.Type, name))
		case part.isComputed():
			wrong = append(wrong, fmt.Errorf("condition %s: part %s is computed itself", d.Type, name))
		case part.Obsolete, part.Polarity == PolarityNeutral:
			wrong = append(wrong, fmt.Errorf("condition %s: part %s says nothing of how well the object is", d.Type, name))
		}
	}
	return wrong
}

func (s *Set) now() time.Time {
	if s.options.Clock != nil {
		return s.options.Clock()
	}
	return time.Now()
}

// hasSummary tells whether some condition of the set sums up the object.
func (s *Set) hasSummary() bool {
	return slices.ContainsFunc(s.declared, func(d Declaration) bool { return d.Summary && d.isOurs() })
}
