package cli

import (
	"fmt"
	"strings"

	"kstatus.dev/internal/crash"
	"kstatus.dev/internal/text"
)

// PrintPanic prints a panic as an error, with the details that a bug report needs.
func (e Env) PrintPanic(p *crash.Panic) {
	e.Print("error: kstatus has a bug: %v", p.Value())
	e.Print("Please report it with the lines below. Look through them first: they may name your objects.")
	for line := range strings.Lines(string(p.Stack())) {
		fmt.Fprintln(e.Err, text.Line(strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\t", "    ")))
	}
}
