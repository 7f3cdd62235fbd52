package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// An exitCode is what the process tells a script. The codes are the same for
// all commands, and stable.
type exitCode int

// The exit codes.
const (
	exitOK          exitCode = 0
	exitUncertain   exitCode = 1
	exitUsage       exitCode = 2
	exitFailed      exitCode = 3
	exitTimeout     exitCode = 4
	exitMissing     exitCode = 5
	exitForbidden   exitCode = 6
	exitFindings    exitCode = 7
	exitInterrupted exitCode = 130
	exitTerminated  exitCode = 143
)

// An exitCodeRow documents one exit code.
type exitCodeRow struct {
	code    exitCode
	outcome string // the word for it in a result line
	meaning string
}

var exitCodes = []exitCodeRow{
	{exitOK, "ok", "the goal is met, or the snapshot was printed"},
	{exitUncertain, "error", "could not tell: a document, the API server or kstatus itself is at fault"},
	{exitUsage, "usage", "wrong usage"},
	{exitFailed, "failed", "at least one object failed"},
	{exitTimeout, "timeout", "not there yet, and nothing failed: waiting longer may help"},
	{exitMissing, "missing", "nothing matched, or an object is missing"},
	{exitForbidden, "forbidden", "not permitted to observe what was asked"},
	{exitFindings, "findings", "what was checked has errors"},
	{exitInterrupted, "interrupted", "interrupted"},
	{exitTerminated, "terminated", "terminated"},
}

// precedence orders the codes for when several apply, the first one wins: a
// failure is certain whatever else could not be seen, and waiting longer helps
// only if nothing else is in the way.
var precedence = []exitCode{exitFailed, exitFindings, exitForbidden, exitUncertain, exitMissing, exitTimeout, exitOK}

// worse returns the code to exit with when both apply.
func worse(a, b exitCode) exitCode {
	for _, c := range precedence {
		if a == c || b == c {
			return c
		}
	}
	return max(a, b)
}

// outcome returns the word that stands for the code in a result line.
func (c exitCode) outcome() string {
	i := slices.IndexFunc(exitCodes, func(row exitCodeRow) bool { return row.code == c })
	if i < 0 {
		return "error"
	}
	return exitCodes[i].outcome
}

// codeNamed returns the code that a word of a result line stands for.
func codeNamed(outcome string) exitCode {
	i := slices.IndexFunc(exitCodes, func(row exitCodeRow) bool { return row.outcome == outcome })
	if i < 0 {
		return exitUncertain
	}
	return exitCodes[i].code
}

func exitCodeHelp() string {
	var b strings.Builder
	for _, row := range exitCodes {
		fmt.Fprintf(&b, "  %3d  %s\n", row.code, row.meaning)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// An exitError ends a command with a code. Without an error everything has
// been said already.
type exitError struct {
	code exitCode
	err  error
}

// Error says what went wrong.
func (e *exitError) Error() string {
	if e.err == nil {
		return "exit code " + fmt.Sprint(int(e.code))
	}
	return e.err.Error()
}

// Unwrap returns what went wrong.
func (e *exitError) Unwrap() error { return e.err }

// exitWith ends a command that has said everything; nil for exitOK.
func exitWith(c exitCode) error {
	if c == exitOK {
		return nil
	}
	return &exitError{code: c}
}

// usageError ends a command because of how it was called.
func usageError(err error) error { return &exitError{code: exitUsage, err: err} }

// usagef is usageError with a text.
func usagef(format string, args ...any) error { return usageError(fmt.Errorf(format, args...)) }

// codeOf returns the exit code that an error asks for: [exitUncertain] if none.
func codeOf(err error) exitCode {
	var exit *exitError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &exit):
		return exit.code
	}
	return exitUncertain
}
