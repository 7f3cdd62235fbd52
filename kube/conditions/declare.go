package conditions

import "kstatus.dev/kube/conditions/wellknown"

// Polarity tells what the status True of a condition means to who reads it.
type Polarity int

const (
	// PolarityPositive is the polarity of Ready and most others.
	PolarityPositive Polarity = iota
	// PolarityNegative is the polarity of Degraded and its like, which are always
	// there and False when all is well.
	PolarityNegative
	// PolarityPresentOnlyWhenTrue is the polarity of Reconciling and Stalled: True, or
	// not there at all.
	PolarityPresentOnlyWhenTrue
	// PolarityNeutral is the polarity of Paused and Deleting: neither is a fault.
	PolarityNeutral
)

func (p Polarity) String() string {
	switch p {
	case PolarityPositive:
		return "good when True"
	case PolarityNegative:
		return "bad when True"
	case PolarityPresentOnlyWhenTrue:
		return "abnormal when True"
	case PolarityNeutral:
		return "neutral"
	}
	return "no polarity"
}

// Declaration is one type of condition of a kind, as its author means it.
type Declaration struct {
	// Type is the condition's type, such as ServerUp.
	Type string
	// Polarity tells whether True is good.
	Polarity Polarity
	// Reasons are the only ones that the author may give. With none listed,
	// any legal one will do. A summary of parts has none, for the reason of the
	// part that decides, or three: for True, False and Unknown.
	Reasons []string
	// Summary marks what tells whether the object as a whole is well. Such a
	// condition never says True of a spec that the pass has not looked at, nor
	// after a pass that failed.
	Summary bool
	// Parts are the types from which the kit computes a summary. A summary
	// without parts is stated by the author like any other.
	Parts []string
	// Owner names the other controller that writes this type. Empty means
	// that it is ours.
	Owner string
	// Optional says that a summary takes the type for well while it is not
	// there. Otherwise what is not there is not known.
	Optional bool
	// Obsolete marks a type of an earlier release, which is removed.
	Obsolete bool
	// Doc says in a sentence what the condition is about.
	Doc string
}

// Positive declares a condition for which True is good.
func Positive(typ string, reasons ...string) Declaration {
	return Declaration{Type: typ, Reasons: reasons, Summary: typ == wellknown.TypeReady || typ == wellknown.TypeAvailable}
}

// Negative declares a condition for which True is bad and which is False when
// all is well.
func Negative(typ string, reasons ...string) Declaration {
	return Declaration{Type: typ, Polarity: PolarityNegative, Reasons: reasons}
}

// PresentOnlyWhenTrue declares a condition that is there only while it is True, such as
// Reconciling or Stalled.
func PresentOnlyWhenTrue(typ string, reasons ...string) Declaration {
	return Declaration{Type: typ, Polarity: PolarityPresentOnlyWhenTrue, Reasons: reasons}
}

// Neutral declares a condition that is neither good nor bad, such as Paused.
// Paused becomes False by itself in a pass that does not call [Pass.Pause].
func Neutral(typ string, reasons ...string) Declaration {
	return Declaration{Type: typ, Polarity: PolarityNeutral, Reasons: reasons}
}

// Summary declares a condition that the kit computes from others at every
// commit, such as Ready. Which of them outweighs which, [Summarize] tells.
func Summary(typ string, parts ...string) Declaration {
	return Declaration{Type: typ, Summary: true, Parts: parts}
}

// WithReasons gives a summary of parts a reason of its own for each status, as the
// kinds of Cluster API have: Because("Ready", "NotReady", "ReadyUnknown").
func (d Declaration) WithReasons(isTrue, isFalse, isUnknown string) Declaration {
	d.Reasons = []string{isTrue, isFalse, isUnknown}
	return d
}

// Obsolete declares a type that an earlier release of this controller wrote
// and that is to be removed wherever it is found.
func Obsolete(typ string) Declaration {
	return Declaration{Type: typ, Obsolete: true}
}

// OwnedBy says that another controller writes this type. It may be part of a
// summary; stating it is an error.
func (d Declaration) OwnedBy(controller string) Declaration {
	d.Owner = controller
	return d
}

// IgnoreIfMissing says that a summary is not to wait for this type.
func (d Declaration) IgnoreIfMissing() Declaration {
	d.Optional = true
	return d
}

// WithDoc says in a sentence what the condition is about.
func (d Declaration) WithDoc(doc string) Declaration {
	d.Doc = doc
	return d
}

// isOurs tells whether this controller writes conditions of the type.
func (d Declaration) isOurs() bool { return d.Owner == "" && !d.Obsolete }

// isComputed tells whether the kit states the condition by itself.
func (d Declaration) isComputed() bool { return d.Summary && len(d.Parts) > 0 }
