// Package severity says how bad a finding is, with the same words for the checks of
// definitions (package lint), the checks of Cluster API's contract (package capi) and
// the rules for writes (package audit). The words are those of text, JSON and flags:
// off, info, warning and error. Outputs for other programs map them to their own:
// GitHub Actions say notice for info, and SARIF says note.
package severity

import "fmt"

// A Level is how bad a finding is. A higher level is worse. The zero value is Off.
type Level int

// The levels, the mildest first. Only an Error makes a command fail.
const (
	Off     Level = iota // the check or the rule does not run
	Info                 // good to know
	Warning              // it misleads a reader of the status, or breaks a convention
	Error                // something demonstrably breaks
)

var words = [...]string{Off: "off", Info: "info", Warning: "warning", Error: "error"}

// Levels lists the levels that a finding can have, the worst first.
func Levels() []Level { return []Level{Error, Warning, Info} }

// Parse returns the level with a name. It returns an error for any other word.
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
