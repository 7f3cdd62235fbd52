// Package severity defines how severe a finding is. Packages lint, capi and audit use the same
// levels. Text, JSON and flags use these words: off, info, warning and error. Outputs for other
// programs map them: GitHub Actions use notice for info, and SARIF uses note.
package severity

import "fmt"

// A Level is the severity of a finding. A higher level is worse. The zero value is Off.
type Level int

// The levels, the mildest first. Only an Error makes a command fail.
const (
	Off     Level = iota // the check or the rule does not run
	Info                 // good to know
	Warning              // it misleads a reader of the status, or violates a convention
	Error                // it breaks a reader or a controller
)

var words = [...]string{Off: "off", Info: "info", Warning: "warning", Error: "error"}

// Levels returns the levels of findings, the worst first.
func Levels() []Level { return []Level{Error, Warning, Info} }

// Parse returns the level with a name. Other words are an error.
func Parse(name string) (Level, error) {
	for l, word := range words {
		if word == name {
			return Level(l), nil
		}
	}
	return Off, fmt.Errorf("%q is not a severity; want off, info, warning or error", name)
}

// Raised returns the next worse level, as strict profiles do. Off and Error stay.
func (l Level) Raised() Level {
	if l == Off {
		return Off
	}
	return min(l+1, Error)
}

// String returns the name of the level.
func (l Level) String() string { return words[max(Off, min(l, Error))] }

// MarshalText returns the name of the level, for JSON.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText sets the level by its name, as Parse reads it.
func (l *Level) UnmarshalText(text []byte) (err error) {
	*l, err = Parse(string(text))
	return err
}
