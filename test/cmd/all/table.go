package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// printTable prints one row for each step.
func printTable(out io.Writer, results []result) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "step\tresult\twall time\tprocessor time")
	for _, r := range results {
		word := "passed"
		if r.err != nil {
			word = r.err.Error()
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.step.name, word, r.wall.Round(time.Second), r.processor.Round(time.Second))
	}
	return w.Flush()
}
