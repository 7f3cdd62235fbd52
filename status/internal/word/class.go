package word

// A Polarity is the meaning of a text for the state of an object.
type Polarity uint8

// The polarities. The highest polarity of the words in a text counts.
const (
	None        Polarity = iota // the meaning is unknown
	Neutral                     // not about readiness: a warning, a hint for upgrades
	Ready                       // the object is ready
	Suspended                   // the object is stopped on request
	Progressing                 // the object is in progress
	Failing                     // the object has a problem
	Polarities  = iota          // the number of polarities
)

// A Role is the meaning of a condition with status True.
type Role uint8

// The roles of conditions.
const (
	RoleNone       Role = iota // the type of the condition is unknown
	RoleNeutral                // not about readiness
	RolePositive               // the object is ready
	RoleLikely                 // the object is likely ready: a step was done, or can be
	RoleSuspension             // the object is stopped on request
	RoleProgress               // the object is in progress
	RoleNegative               // the object has a problem
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

// A class groups words whose meaning depends on the rest of the text. It also depends on whether
// the text is a state or a type of condition.
type class uint8

const (
	plain      class = iota // a word without a class
	negation                // reverses the word that follows: not, no
	removal                 // scheduled, removed: progressing as a state, positive as a condition
	participle              // started, visible: ready as a state, likely positive as a condition
	existence               // found, present: ready, except after a failing word, as in ErrorDetected
	position                // primary, in use: ready as a state, without meaning in a condition
	request                 // triggered: progressing as a state, without meaning in a condition
	gerund                  // ends in -ing: progressing as a state, without meaning in a condition
)

// A sense is the meaning of a single word: a polarity, or a class that gives it one within its
// text. The zero sense is the sense of an unknown word.
type sense struct {
	class    class
	polarity Polarity
}

// affirmative reports whether the word is positive, so that its negation means not ready.
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
	case s.class == removal, s.class == request:
		return Progressing
	case s.class == participle, s.class == existence, s.class == position:
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
