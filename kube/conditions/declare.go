package conditions

// Types that readers know by name. A kind declares those that it uses.
const (
	Ready       = "Ready"
	Available   = "Available"
	Paused      = "Paused"
	Deleting    = "Deleting"
	Reconciling = "Reconciling"
	Stalled     = "Stalled"
)

// Reasons that the kit itself gives. Every type may have them.
const (
	// NotYetReconciled is the reason of a condition that nobody has stated yet.
	NotYetReconciled = "NotYetReconciled"
	// NewGeneration is the reason of a condition that was stated of a spec
	// which is not the latest.
	NewGeneration = "NewGeneration"
	// ReconcileFailed is the reason of a summary after a pass that failed and
	// has not said why otherwise.
	ReconcileFailed = "ReconcileFailed"
	// InvalidStatement is the reason of a condition that was stated against
	// its declaration.
	InvalidStatement = "InvalidStatement"
	// NotPaused is the reason of Paused while its object is not.
	NotPaused = "NotPaused"
	// AsExpected is the reason of a summary of which all parts are well, and
	// there is more than one.
	AsExpected = "AsExpected"
)

// Polarity tells what the status True of a condition means to who reads it.
type Polarity int

const (
	// GoodWhenTrue is the polarity of Ready and most others.
	GoodWhenTrue Polarity = iota
	// BadWhenTrue is the polarity of Degraded and its like, which are always
	// there and False when all is well.
	BadWhenTrue
	// AbnormalWhenTrue is the polarity of Reconciling and Stalled: True, or
	// not there at all.
	AbnormalWhenTrue
	// Neutral is the polarity of Paused and Deleting: neither is a fault.
	Neutral
)

func (p Polarity) String() string {
	switch p {
	case GoodWhenTrue:
		return "good when True"
	case BadWhenTrue:
		return "bad when True"
	case AbnormalWhenTrue:
		return "abnormal when True"
	case Neutral:
		return "neutral"
	}
	return "no polarity"
}

// Declared is one type of condition of a kind, as its author means it.
type Declared struct {
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
func Positive(typ string, reasons ...string) Declared {
	return Declared{Type: typ, Reasons: reasons, Summary: typ == Ready || typ == Available}
}

// Negative declares a condition for which True is bad and which is False when
// all is well.
func Negative(typ string, reasons ...string) Declared {
	return Declared{Type: typ, Polarity: BadWhenTrue, Reasons: reasons}
}

// Abnormal declares a condition that is there only while it is True, such as
// Reconciling or Stalled.
func Abnormal(typ string, reasons ...string) Declared {
	return Declared{Type: typ, Polarity: AbnormalWhenTrue, Reasons: reasons}
}

// Info declares a condition that is neither good nor bad, such as Paused.
// Paused becomes False by itself in a pass that does not call [Pass.Pause].
func Info(typ string, reasons ...string) Declared {
	return Declared{Type: typ, Polarity: Neutral, Reasons: reasons}
}

// Summary declares a condition that the kit computes from others at every
// commit, such as Ready. Which of them outweighs which, [Summarize] tells.
func Summary(typ string, parts ...string) Declared {
	return Declared{Type: typ, Summary: true, Parts: parts}
}

// Because gives a summary of parts a reason of its own for each status, as the
// kinds of Cluster API have: Because("Ready", "NotReady", "ReadyUnknown").
func (d Declared) Because(isTrue, isFalse, isUnknown string) Declared {
	d.Reasons = []string{isTrue, isFalse, isUnknown}
	return d
}

// Obsolete declares a type that an earlier release of this controller wrote
// and that is to be removed wherever it is found.
func Obsolete(typ string) Declared {
	return Declared{Type: typ, Obsolete: true}
}

// OwnedBy says that another controller writes this type. It may be part of a
// summary; stating it is an error.
func (d Declared) OwnedBy(controller string) Declared {
	d.Owner = controller
	return d
}

// IfPresent says that a summary is not to wait for this type.
func (d Declared) IfPresent() Declared {
	d.Optional = true
	return d
}

// Documented says in a sentence what the condition is about.
func (d Declared) Documented(doc string) Declared {
	d.Doc = doc
	return d
}

// isOurs tells whether this controller writes conditions of the type.
func (d Declared) isOurs() bool { return d.Owner == "" && !d.Obsolete }

// isComputed tells whether the kit states the condition by itself.
func (d Declared) isComputed() bool { return d.Summary && len(d.Parts) > 0 }
