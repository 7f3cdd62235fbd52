package main

import (
	"fmt"
	"io"
	"math"
	"strings"
)

// A table has a row for each measure and a column for each contender. The numbers in brackets
// are ratios to the first contender.
type table struct {
	title   string
	columns []string
	rows    []row
}

type row struct {
	what  string
	unit  func(float64) string
	cells []float64 // NaN: not measured
	plain bool      // not compared
}

func (t *table) add(what string, unit func(float64) string, cells ...float64) {
	t.rows = append(t.rows, row{what: what, unit: unit, cells: cells})
}

// addPlain adds a row without a comparison.
func (t *table) addPlain(what string, unit func(float64) string, cells ...float64) {
	t.rows = append(t.rows, row{what, unit, cells, true})
}

// print prints the table in Markdown.
func (t *table) print(out io.Writer) error {
	var text strings.Builder
	fmt.Fprintf(&text, "\n### %s\n\n| |", t.title)
	for _, c := range t.columns {
		fmt.Fprintf(&text, " %s |", c)
	}
	text.WriteString("\n|---|" + strings.Repeat("---:|", len(t.columns)) + "\n")
	for _, r := range t.rows {
		fmt.Fprintf(&text, "| %s |", r.what)
		for i, c := range r.cells {
			compared := ""
			if !r.plain {
				compared = times(i, c, r.cells[0])
			}
			fmt.Fprintf(&text, " %s%s |", r.unit(c), compared)
		}
		text.WriteString("\n")
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// The units of the rows.

func number(n float64) string    { return plain("%.0f", n) }
func megabytes(n float64) string { return plain("%.1f MiB", n/(1<<20)) }
func bytesEach(n float64) string { return plain("%.0f B", n) }
func seconds(n float64) string   { return plain("%.2f s", n) }
func millis(n float64) string    { return plain("%.2f ms", n*1e3) }

func plain(format string, n float64) string {
	if math.IsNaN(n) {
		return "–"
	}
	return fmt.Sprintf(format, n)
}

// times returns the ratio of the ith value to the first, if it is a number.
func times(i int, n, first float64) string {
	switch r := n / first; {
	case i == 0, first == 0, math.IsNaN(r), r < 0:
		return ""
	case r < 10:
		return fmt.Sprintf(" (× %.2f)", r)
	default:
		return fmt.Sprintf(" (× %.0f)", r)
	}
}
