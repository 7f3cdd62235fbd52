// Package exit holds the exit codes of the command, and errors that carry one.
package exit

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// An Code is what the process tells a script. The codes are the same for
// all commands, and stable.
type Code int

// The exit codes.
const (
	OK          Code = 0
	Uncertain   Code = 1
	WrongUsage  Code = 2
	Failed      Code = 3
	Timeout     Code = 4
	Missing     Code = 5
	Forbidden   Code = 6
	Findings    Code = 7
	Interrupted Code = 130
	Terminated  Code = 143
)

// An Row documents one exit code.
type Row struct {
	Code    Code
	Outcome string // the word for it in a result line
	Meaning string
}

var Table = []Row{
	{OK, "ok", "the goal is met, or the snapshot was printed"},
	{Uncertain, "error", "could not tell: a document, the API server or kstatus itself is at fault"},
	{WrongUsage, "usage", "wrong usage"},
	{Failed, "failed", "at least one object failed"},
	{Timeout, "timeout", "not there yet, and nothing failed: waiting longer may help"},
	{Missing, "missing", "nothing matched, or an object is missing"},
	{Forbidden, "forbidden", "not permitted to observe what was asked"},
	{Findings, "findings", "what was checked has errors"},
	{Interrupted, "interrupted", "interrupted"},
	{Terminated, "terminated", "terminated"},
}

// precedence orders the codes for when several apply, the first one wins: a
// failure is certain whatever else could not be seen, and waiting longer helps
// only if nothing else is in the way.
var precedence = []Code{Failed, Findings, Forbidden, Uncertain, Missing, Timeout, OK}

// Worse returns the code to exit with when both apply.
func Worse(a, b Code) Code {
	for _, c := range precedence {
		if a == c || b == c {
			return c
		}
	}
	return max(a, b)
}

// Outcome returns the word that stands for the code in a result line.
func (c Code) Outcome() string {
	i := slices.IndexFunc(Table, func(row Row) bool { return row.Code == c })
	if i < 0 {
		return "error"
	}
	return Table[i].Outcome
}

// CodeNamed returns the code that a word of a result line stands for.
func CodeNamed(outcome string) Code {
	i := slices.IndexFunc(Table, func(row Row) bool { return row.Outcome == outcome })
	if i < 0 {
		return Uncertain
	}
	return Table[i].Code
}

func Help() string {
	var b strings.Builder
	for _, row := range Table {
		fmt.Fprintf(&b, "  %3d  %s\n", row.Code, row.Meaning)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// An Error ends a command with a code. Without an error everything has
// been said already.
type Error struct {
	Code Code
	Err  error
}

// Error says what went wrong.
func (e *Error) Error() string {
	if e.Err == nil {
		return "exit code " + fmt.Sprint(int(e.Code))
	}
	return e.Err.Error()
}

// Unwrap returns what went wrong.
func (e *Error) Unwrap() error { return e.Err }

// With ends a command that has said everything; nil for OK.
func With(c Code) error {
	if c == OK {
		return nil
	}
	return &Error{Code: c}
}

// Usage ends a command because of how it was called.
func Usage(err error) error { return &Error{Code: WrongUsage, Err: err} }

// Usagef is Usage with a text.
func Usagef(format string, args ...any) error { return Usage(fmt.Errorf(format, args...)) }

// CodeOf returns the exit code that an error asks for: [Uncertain] if none.
func CodeOf(err error) Code {
	var exit *Error
	switch {
	case err == nil:
		return OK
	case errors.As(err, &exit):
		return exit.Code
	}
	return Uncertain
}
