package conditions

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/author/conditions/metrics"
)

// A Set holds the declared conditions of a kind, in the order in which they are stored. It
// does not change, and may be used by several goroutines.
type Set struct {
	declared []Declaration
	index    map[string]int
	options  Options
}

// Options are the options of a [Set]. The zero value is right for most controllers.
type Options struct {
	// Kind is the kind of the objects, for messages, metrics and server-side apply.
	// Zero means the kind in the object itself.
	Kind schema.GroupVersionKind
	// Clock returns the time. Nil means time.Now.
	Clock func() time.Time
	// Strict panics on a statement against the declaration, for tests. Otherwise
	// [Pass.Commit] returns an [InvalidError].
	Strict bool
	// HoldGenerationOnFailure keeps observedGeneration unchanged if a pass has
	// failed. Readers then take the object to be in progress until a pass
	// succeeds, whatever its conditions.
	HoldGenerationOnFailure bool
	// NoObservedGeneration declares that the kind has no status.observedGeneration.
	// Otherwise a kind without it is a [MissingError].
	NoObservedGeneration bool
	// ServerSideApply commits by server-side apply instead of a merge patch, if set.
	ServerSideApply *ServerSideApply
	// MaxAttempts limits how often a commit is sent if others write at the same time.
	// Zero means 5.
	MaxAttempts int
	// Metrics records transitions and commits. Nil records nothing.
	Metrics metrics.Recorder
}

// NewSet returns a set of declarations. The error joins all problems of the
// declarations, such as a duplicate type, an invalid name, or an undeclared
// part.
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

// MustSet is [NewSet] for package variables. It panics if a declaration is wrong.
func MustSet(declared ...Declaration) *Set {
	s, err := NewSet(declared...)
	if err != nil {
		panic(err)
	}
	return s
}

// WithOptions returns a set with the same declarations and other options.
func (s *Set) WithOptions(o Options) *Set {
	return &Set{declared: s.declared, index: s.index, options: o}
}

// Options returns the options of the set.
func (s *Set) Options() Options { return s.options }

// Declarations returns the declarations in their order.
func (s *Set) Declarations() []Declaration { return slices.Clone(s.declared) }

// Lookup returns the declaration of a type, and whether it exists.
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
		wrong = append(wrong, fmt.Errorf("condition %s: polarity %d: want a defined polarity", d.Type, d.Polarity))
	}
	if d.Summary && d.Polarity != PolarityPositive {
		wrong = append(wrong, fmt.Errorf("condition %s: a summary must be good when True, this one is %s", d.Type, d.Polarity))
	}
	if !d.Summary && len(d.Parts) > 0 {
		wrong = append(wrong, fmt.Errorf("condition %s: has parts, but is not a summary", d.Type))
	}
	if d.isComputed() && len(d.Reasons) != 0 && len(d.Reasons) != 3 {
		wrong = append(wrong, fmt.Errorf("condition %s: has %d reasons; want none or three for a summary of parts", d.Type, len(d.Reasons)))
	}
	if d.isComputed() && !d.isOurs() {
		wrong = append(wrong, fmt.Errorf("condition %s: a summary of parts cannot have another owner", d.Type))
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
			wrong = append(wrong, fmt.Errorf("condition %s: part %s is listed twice", d.Type, name))
		case part.isComputed():
			wrong = append(wrong, fmt.Errorf("condition %s: part %s is itself a summary of parts", d.Type, name))
		case part.Obsolete, part.Polarity == PolarityNeutral:
			wrong = append(wrong, fmt.Errorf("condition %s: part %s is neutral or obsolete, and cannot affect a summary", d.Type, name))
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

// hasSummary reports whether the set has a summary condition.
func (s *Set) hasSummary() bool {
	return slices.ContainsFunc(s.declared, func(d Declaration) bool { return d.Summary && d.isOurs() })
}
