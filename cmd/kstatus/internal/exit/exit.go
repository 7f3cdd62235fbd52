// Package exit holds the exit codes of the command, and errors that carry one.
package exit

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Code is an exit code of the process. All commands have the same codes, and their meaning is
// stable.
type Code int

// The exit codes.
const (
	OK          Code = 0   // the goal is met.
	Uncertain   Code = 1   // the outcome cannot be determined.
	WrongUsage  Code = 2   // wrong flags or arguments.
	Failed      Code = 3   // an object failed, or was failing at the timeout.
	Timeout     Code = 4   // the timeout passed, and no object failed.
	Missing     Code = 5   // no object matched, or an object does not exist.
	Forbidden   Code = 6   // a permission is missing.
	Findings    Code = 7   // a check found errors.
	HungUp      Code = 129 // SIGHUP.
	Interrupted Code = 130 // SIGINT.
	Terminated  Code = 143 // SIGTERM.

	// BrokenPipe is the code for a closed output pipe. A shell reports it for a process that
	// SIGPIPE ended. It is not an outcome.
	BrokenPipe Code = 141
)

// A Row documents one exit code.
type Row struct {
	Code    Code
	Outcome string // the word for the code in a result line
	Meaning string
}

// Table documents the exit codes, in ascending order.
var Table = []Row{
	{OK, "ok", "the goals are met, or the output is complete"},
	{Uncertain, "error", "an error of a file, the API server or kstatus; the result is unknown"},
	{WrongUsage, "usage", "wrong usage"},
	{Failed, "failed", "at least one object failed, or was failing or being deleted at the timeout"},
	{Timeout, "timeout", "timeout without a failure; a longer timeout may help"},
	{Missing, "missing", "no object matched, or an object does not exist"},
	{Forbidden, "forbidden", "a permission to read an object is missing"},
	{Findings, "findings", "the checked files or objects have errors"},
	{HungUp, "hangup", "its terminal or session has ended"},
	{Interrupted, "interrupted", "interrupted"},
	{Terminated, "terminated", "terminated"},
}

// precedence orders the codes; if several apply, the first one wins. A failure is certain, even
// if other objects could not be read. A timeout comes late, since waiting longer helps only if
// there is no other problem.
var precedence = []Code{Failed, Findings, Forbidden, Uncertain, Missing, Timeout, OK}

// Worse returns the exit code if both codes apply.
func Worse(a, b Code) Code {
	for _, c := range precedence {
		if a == c || b == c {
			return c
		}
	}
	return max(a, b)
}

// Outcome returns the word for the code in a result line.
func (c Code) Outcome() string {
	i := slices.IndexFunc(Table, func(row Row) bool { return row.Code == c })
	if i < 0 {
		return "error"
	}
	return Table[i].Outcome
}

// Pending is the word for [Timeout] in the result line of a snapshot, since a snapshot does not
// wait.
const Pending = "pending"

// CodeForOutcome returns the code for the word of a result line.
func CodeForOutcome(outcome string) Code {
	if outcome == Pending {
		return Timeout
	}
	i := slices.IndexFunc(Table, func(row Row) bool { return row.Outcome == outcome })
	if i < 0 {
		return Uncertain
	}
	return Table[i].Code
}

// Help returns the exit codes and their meanings for help texts, one per line.
func Help() string {
	var b strings.Builder
	for _, row := range Table {
		fmt.Fprintf(&b, "  %3d  %s\n", row.Code, row.Meaning)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// An Error ends a command with a code. Err is nil if all messages have been printed.
type Error struct {
	Code Code
	Err  error
}

// Error returns the message of Err, or the exit code without one.
func (e *Error) Error() string {
	if e.Err == nil {
		return "exit code " + fmt.Sprint(int(e.Code))
	}
	return e.Err.Error()
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// With returns an error with a code and without a message, or nil for OK.
func With(c Code) error {
	if c == OK {
		return nil
	}
	return &Error{Code: c}
}

// Usage returns an error with the code for wrong flags or arguments.
func Usage(err error) error { return &Error{Code: WrongUsage, Err: err} }

// Usagef formats an error with the code for wrong flags or arguments.
func Usagef(format string, args ...any) error { return Usage(fmt.Errorf(format, args...)) }

// CodeOf returns the exit code of an error: [OK] for nil, [Uncertain] for an error without a code.
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
