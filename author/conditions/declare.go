package conditions

import "kstatus.dev/author/conditions/wellknown"

// Polarity is the meaning of the status True of a condition.
type Polarity int

const (
	// PolarityPositive means that True is good, as for Ready and most others.
	PolarityPositive Polarity = iota
	// PolarityNegative means that True is bad, as for Degraded. The condition always
	// exists, and is False when all is well.
	PolarityNegative
	// PolarityPresentOnlyWhenTrue means that True is not the normal state, as for
	// Reconciling and Stalled. The condition is removed instead of being False.
	PolarityPresentOnlyWhenTrue
	// PolarityNeutral means that neither True nor False is a fault, as for Paused and
	// Deleting.
	PolarityNeutral
)

// String returns the polarity in words.
func (p Polarity) String() string {
	switch p {
	case PolarityPositive:
		return "good when True"
	case PolarityNegative:
		return "bad when True"
	case PolarityPresentOnlyWhenTrue:
		return "present only when True"
	case PolarityNeutral:
		return "neutral"
	}
	return "no polarity"
}

// Declaration declares a condition type of a kind. The functions of this package, such as
// [Positive], create declarations.
type Declaration struct {
	// Type is the type of the condition, such as ServerUp.
	Type string
	// Polarity says what True means.
	Polarity Polarity
	// Reasons are the reasons that the controller may give. None means any
	// valid reason. A summary with parts has either none, and takes the reason
	// of the part that decides; or three, for True, False and Unknown.
	Reasons []string
	// Summary marks a condition that reports whether the object as a whole is
	// ready. A summary is never True for a spec that the pass has not read, nor
	// after a failed pass.
	Summary bool
	// Parts are the types from which a summary is computed. The controller states a
	// summary without parts itself.
	Parts []string
	// Owner is the other controller that writes this type. Empty means this one.
	Owner string
	// Optional means that a missing condition does not affect a summary. Otherwise a
	// missing part makes a summary Unknown.
	Optional bool
	// Obsolete marks a type of an earlier release, which commits remove.
	Obsolete bool
	// Doc is a sentence about the condition.
	Doc string
}

// Positive declares a condition for which True is good.
func Positive(typ string, reasons ...string) Declaration {
	return Declaration{Type: typ, Reasons: reasons, Summary: typ == wellknown.TypeReady || typ == wellknown.TypeAvailable}
}

// Negative declares a condition for which True is bad. It is False when all is well.
func Negative(typ string, reasons ...string) Declaration {
	return Declaration{Type: typ, Polarity: PolarityNegative, Reasons: reasons}
}

// PresentOnlyWhenTrue declares a condition that exists only while it is True, such as
// Reconciling or Stalled. Stating it False removes it.
func PresentOnlyWhenTrue(typ string, reasons ...string) Declaration {
	return Declaration{Type: typ, Polarity: PolarityPresentOnlyWhenTrue, Reasons: reasons}
}

// Neutral declares a condition that is neither good nor bad, such as Paused. Paused becomes
// False in every pass that does not call [Pass.Pause].
func Neutral(typ string, reasons ...string) Declaration {
	return Declaration{Type: typ, Polarity: PolarityNeutral, Reasons: reasons}
}

// Summary declares a condition that every commit computes from its parts, such as Ready;
// see [Summarize].
func Summary(typ string, parts ...string) Declaration {
	return Declaration{Type: typ, Summary: true, Parts: parts}
}

// WithReasons gives a summary with parts its own reason for each status, as the kinds of
// Cluster API have: WithReasons("Ready", "NotReady", "ReadyUnknown").
func (d Declaration) WithReasons(isTrue, isFalse, isUnknown string) Declaration {
	d.Reasons = []string{isTrue, isFalse, isUnknown}
	return d
}

// Obsolete declares a type of an earlier release of this controller. Commits remove it.
func Obsolete(typ string) Declaration {
	return Declaration{Type: typ, Obsolete: true}
}

// OwnedBy declares that another controller writes this type. It may be part of a summary.
// Stating it is an error.
func (d Declaration) OwnedBy(controller string) Declaration {
	d.Owner = controller
	return d
}

// IgnoreIfMissing declares that a summary ignores this part while it does not exist.
func (d Declaration) IgnoreIfMissing() Declaration {
	d.Optional = true
	return d
}

// WithDoc documents the condition in a sentence.
func (d Declaration) WithDoc(doc string) Declaration {
	d.Doc = doc
	return d
}

// isOurs reports whether this controller writes conditions of the type.
func (d Declaration) isOurs() bool { return d.Owner == "" && !d.Obsolete }

// isComputed reports whether commits compute the condition from its parts.
func (d Declaration) isComputed() bool { return d.Summary && len(d.Parts) > 0 }
