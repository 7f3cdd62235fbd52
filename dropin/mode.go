package dropin

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
)

// A Verdicts names the profile that computes statuses.
type Verdicts string

// The profiles.
const (
	VerdictsCompat  Verdicts = "compat"  // the results of kstatus in cli-utils
	VerdictsStarted Verdicts = "started" // a running Job and a Service that waits for its address are Current
	VerdictsDefault Verdicts = "default" // Jobs have completed, addresses are assigned
	VerdictsStrict  Verdicts = "strict"  // an object without evidence is not Current
)

// An Events says which events a watcher or a poller sends.
type Events string

// The kinds of events.
const (
	EventsBefore Events = "before" // the events of cli-utils
	EventsRight  Events = "right"  // also NotFound for absent targets, narrower requests, and causes in messages
)

// A Mode selects the verdicts and the events. The zero Mode is the mode of the program: that of
// [Use], of the link flag or of the environment, and otherwise [Compat].
type Mode struct {
	Verdicts Verdicts
	Events   Events
}

// The two modes that have a name. Assigning to these variables changes nothing.
var (
	Compat = Mode{VerdictsCompat, EventsBefore}
	Right  = Mode{VerdictsStarted, EventsRight}
)

// Variable is the name of the environment variable that selects the mode of a program. It is read
// once.
const Variable = "KSTATUS_DROPIN"

// mode is set by the link flag -X kstatus.dev/dropin.mode=right.
var mode string

// program is the mode of the program.
var program struct {
	sync.Mutex
	used    *Mode // by Use
	started bool  // a Watch or a Poll has begun
}

// words are the named modes.
var words = map[string]Mode{
	"compat": {VerdictsCompat, EventsBefore},
	"right":  {VerdictsStarted, EventsRight},
}

// ParseMode returns the mode with that name: compat, right, or verdicts and events with a plus
// sign between them, such as default+before.
func ParseMode(word string) (Mode, error) {
	if m, ok := words[word]; ok {
		return m, nil
	}
	verdicts, events, ok := strings.Cut(word, "+")
	m := Mode{Verdicts(verdicts), Events(events)}
	if !ok {
		return Mode{}, fmt.Errorf("mode %q: want compat, right, or VERDICTS+EVENTS such as default+before", word)
	}
	return m, m.check()
}

var (
	allVerdicts = []Verdicts{VerdictsCompat, VerdictsStarted, VerdictsDefault, VerdictsStrict}
	allEvents   = []Events{EventsBefore, EventsRight}
)

// check returns an error that lists the words if one of m is not known.
func (m Mode) check() error {
	if !slices.Contains(allVerdicts, m.Verdicts) {
		return fmt.Errorf("mode: verdicts %q: want one of %q", m.Verdicts, allVerdicts)
	}
	if !slices.Contains(allEvents, m.Events) {
		return fmt.Errorf("mode: events %q: want one of %q", m.Events, allEvents)
	}
	return nil
}

// String returns the name of the mode, which [ParseMode] accepts.
func (m Mode) String() string {
	for word, named := range words {
		if m == named {
			return word
		}
	}
	return string(m.Verdicts) + "+" + string(m.Events)
}

// Use sets the mode of the program. It panics if m is not valid. It also panics after a watch or a
// poll has begun, because a part of the program would then have another mode.
func Use(m Mode) {
	if err := m.check(); err != nil {
		panic("dropin.Use: " + err.Error())
	}
	program.Lock()
	defer program.Unlock()
	if program.started {
		panic("dropin.Use: a watch or a poll has begun; call Use at the start of main")
	}
	program.used = &m
}

// Resolve returns the mode in effect where field is set for one watcher or poller. An empty part
// of field is that of the program. The error names the place of a word that is not known.
func Resolve(field Mode) (Mode, error) {
	if field.Verdicts != "" && field.Events != "" {
		return field, field.check()
	}
	m, err := programMode()
	if err != nil {
		return Mode{}, err
	}
	if field.Verdicts != "" {
		m.Verdicts = field.Verdicts
	}
	if field.Events != "" {
		m.Events = field.Events
	}
	return m, m.check()
}

// Begin is [Resolve] at the start of a watch or of a poll. Afterwards [Use] panics.
func Begin(field Mode) (Mode, error) {
	program.Lock()
	program.started = true
	program.Unlock()
	return Resolve(field)
}

func programMode() (Mode, error) {
	program.Lock()
	defer program.Unlock()
	if program.used != nil {
		return *program.used, nil
	}
	return configured()
}

// configured is [readConfigured], once.
var configured = sync.OnceValues(readConfigured)

// readConfigured returns the mode of the link flag or of the environment.
func readConfigured() (Mode, error) {
	if mode != "" {
		m, err := ParseMode(mode)
		if err != nil {
			return Mode{}, fmt.Errorf("link flag -X kstatus.dev/dropin.mode: %w", err)
		}
		return m, nil
	}
	word := os.Getenv(Variable)
	if word == "" {
		return Compat, nil
	}
	m, err := ParseMode(word)
	if err != nil {
		return Mode{}, fmt.Errorf("environment variable %s: %w", Variable, err)
	}
	return m, nil
}
