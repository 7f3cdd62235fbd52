package cli

import (
	"fmt"
	"runtime/debug"
	"strings"

	"kstatus.dev/internal/text"
)

// A Panic is a panic of another goroutine. The goroutine that runs the command panics with it.
type Panic struct {
	Value any
	Stack []byte
}

// NewPanic returns the Panic for a recovered value. The value may be that of another goroutine.
func NewPanic(value any) *Panic {
	switch p := value.(type) {
	case *Panic:
		return p
	case interface {
		Value() any
		Stack() []byte
	}: // of an observe.Watcher
		return &Panic{Value: p.Value(), Stack: p.Stack()}
	}
	return &Panic{Value: value, Stack: debug.Stack()}
}

// PrintPanic prints a panic as an error, with the details that a bug report needs.
func (e Env) PrintPanic(p *Panic) {
	e.Print("error: kstatus has a bug: %v", p.Value)
	e.Print("Please report it with the lines below. Look through them first: they may name your objects.")
	for line := range strings.Lines(string(p.Stack)) {
		fmt.Fprintln(e.Err, text.Line(strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\t", "    ")))
	}
}
