package cli

import (
	"fmt"
	"runtime/debug"
	"strings"

	"kstatus.dev/internal/text"
)

// A Panic is a panic of another goroutine, for the one that runs the command to panic with.
type Panic struct {
	Value any
	Stack []byte
}

// NewPanic returns the panic with a value that was recovered.
func NewPanic(value any) *Panic {
	if p, ok := value.(*Panic); ok {
		return p
	}
	return &Panic{Value: value, Stack: debug.Stack()}
}

// PrintPanic prints a panic as an error, with what a report of it needs.
func (e Env) PrintPanic(p *Panic) {
	e.Print("error: kstatus has a bug: %v", p.Value)
	e.Print("Please report it with the lines below. Look through them first: they may name your objects.")
	for line := range strings.Lines(string(p.Stack)) {
		fmt.Fprintln(e.Err, text.Line(strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\t", "    ")))
	}
}
