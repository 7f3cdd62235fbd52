package word

// A Polarity is what a text says about an object.
type Polarity uint8

// The polarities. Of several words in a text the one with the highest polarity
// counts.
const (
	None        Polarity = iota // nothing is known about the text
	Neutral                     // nothing about being ready: a warning, a hint for upgrades
	Ready                       // the object is ready
	Suspended                   // the object is stopped, as intended
	Progressing                 // the object is in progress
	Failing                     // something is wrong
	Polarities  = iota          // the number of polarities
)

// A Role is what it means that a condition is True.
type Role uint8

// The roles of conditions.
const (
	RoleNone       Role = iota // nothing is known about the type of the condition
	RoleNeutral                // nothing about being ready
	RolePositive               // all is well
	RoleLikely                 // most likely all is well: it was done, or can be
	RoleSuspension             // the object is stopped, as intended
	RoleProgress               // the object is in progress
	RoleNegative               // something is wrong
)

// role returns the role of a condition whose type has the polarity.
func (p Polarity) role() Role {
	switch p {
	case Neutral:
		return RoleNeutral
	case Ready:
		return RolePositive
	case Suspended:
		return RoleSuspension
	case Progressing:
		return RoleProgress
	case Failing:
		return RoleNegative
	}
	return RoleNone
}

// A class groups words whose meaning depends on the rest of the text, and on
// whether the text is a state or the type of a condition.
type class uint8

const (
	plain      class = iota // not such a word
	negation                // reverses the word that follows: not, no
	removal                 // scheduled, removed: progressing as a state, positive as a condition
	participle              // started, visible: ready as a state, likely positive as a condition
	existence               // found, present: ready, except after a failing word, as in ErrorDetected
	gerund                  // ends in -ing: progressing as a state, nothing as a condition
)

// A sense is what a single word means: a polarity, or a class that gives it one in
// its text. The zero sense is that of a word that means nothing.
type sense struct {
	class    class
	polarity Polarity
}

// affirmative reports whether the word says that something is as wanted, so that
// its negation says that it is not.
func (s sense) affirmative() bool {
	switch s.class {
	case removal, participle, existence:
		return true
	}
	return s.polarity == Ready || s.polarity == Suspended
}

// state returns the polarity of the word in a state. A negated affirmative word is
// progressing. gerunds is the polarity of words ending in -ing.
func (s sense) state(negated bool, gerunds Polarity) Polarity {
	switch {
	case negated && s.affirmative():
		return Progressing
	case negated && s.polarity == Failing:
		return Ready
	case negated:
		return None
	case s.class == gerund:
		return gerunds
	case s.class == removal:
		return Progressing
	case s.class == participle, s.class == existence:
		return Ready
	}
	return s.polarity
}

// role returns the role that the word gives to a condition. A negated affirmative
// word makes it negative.
func (s sense) role(negated bool) Role {
	switch {
	case negated && s.affirmative():
		return RoleNegative
	case negated && s.polarity == Failing:
		return RolePositive
	case negated:
		return RoleNone
	case s.class == removal, s.class == existence:
		return RolePositive
	case s.class == participle:
		return RoleLikely
	}
	return s.polarity.role()
}
