package main

import (
	"bufio"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"k8s.io/apimachinery/pkg/util/duration"

	"kstatus.dev/internal/text"
	"kstatus.dev/status"
)

// A table shows verdicts in columns, in the order in which the objects were
// given. It is printed at the end, when the widths are known. What comes after
// that is printed below, in the same columns.
type table struct {
	out     io.Writer
	look    look
	wide    bool
	rows    []verdict
	printed []column // nil: nothing has been printed yet
	widths  []int
}

func (t *table) start(startLine) error { return nil }

func (t *table) object(v verdict) error {
	if v.ID.Kind != "" || v.ID.Name != "" { // what is no object at all is told on stderr
		t.rows = append(t.rows, v)
	}
	return nil
}

// A column is one column of the table.
type column struct {
	title  string
	cell   func(verdict) string
	status bool // it has the colour of the status
}

func (t *table) end(resultLine) error {
	if len(t.rows) == 0 {
		return nil
	}
	columns := t.printed
	if columns == nil {
		columns = t.columns()
		t.widths = make([]int, len(columns))
	}
	var cells [][]string
	t.look.headers = t.look.headers && t.printed == nil
	if t.look.headers {
		titles := make([]string, len(columns))
		for i, c := range columns {
			titles[i] = c.title
		}
		cells = append(cells, titles)
	}
	for _, v := range t.rows {
		row := make([]string, len(columns))
		for i, c := range columns {
			row[i] = text.Line(c.cell(v))
		}
		cells = append(cells, row)
	}
	t.rows, t.printed = nil, columns
	return t.print(columns, cells)
}

// flush prints the rows so far, with their ages at a time.
func (t *table) flush(now time.Time) error {
	t.look.now = now
	return t.end(resultLine{})
}

// columns returns the columns that these rows need: the cluster only where it
// is named, the namespace only where there are several, a kind's group only
// where two groups have that kind.
func (t *table) columns() []column {
	clusters, namespaces, groups := false, map[string]bool{}, map[string]map[string]bool{}
	for _, v := range t.rows {
		clusters = clusters || v.ID.Cluster != ""
		if v.ID.Namespace != "" {
			namespaces[v.ID.Namespace] = true
		}
		if groups[v.ID.Kind] == nil {
			groups[v.ID.Kind] = map[string]bool{}
		}
		groups[v.ID.Kind][v.ID.Group] = true
	}
	object := column{title: "OBJECT", cell: func(v verdict) string {
		kind := v.ID.Kind
		if len(groups[kind]) > 1 {
			kind = status.Kind{Group: v.ID.Group, Kind: kind}.String()
		}
		return kind + "/" + v.ID.Name
	}}
	var columns []column
	if clusters {
		columns = append(columns, column{title: "CONTEXT", cell: func(v verdict) string { return v.ID.Cluster }})
	}
	if len(namespaces) > 1 {
		columns = append(columns, column{title: "NAMESPACE", cell: func(v verdict) string { return v.ID.Namespace }})
	}
	columns = append(columns, object, column{title: "STATUS", cell: statusText, status: true})
	if t.wide {
		columns = append(columns, column{title: "REASON", cell: func(v verdict) string { return v.Reason }})
	}
	columns = append(columns, column{title: "AGE", cell: t.age})
	if t.wide {
		columns = append(columns,
			column{title: "GENERATION", cell: generationText},
			column{title: "CONFIDENCE", cell: func(v verdict) string { return string(v.Confidence) }},
			column{title: "RULE", cell: func(v verdict) string { return v.Rule }},
			column{title: "MESSAGE", cell: messageWithWarnings})
		return columns
	}
	return append(columns, column{title: "MESSAGE", cell: func(v verdict) string { return v.Message }})
}

func (t *table) age(v verdict) string {
	if v.created.IsZero() {
		return "<unknown>"
	}
	return duration.HumanDuration(t.look.now.Sub(v.created))
}

// statusText is the status as people are shown it.
func statusText(v verdict) string {
	return statusWord(v.Status, v.Failure == status.Recoverable, v.Confidence == status.Assumed)
}

// generationText shows the generation, and beside it the observed one where
// they differ.
func generationText(v verdict) string {
	switch {
	case v.Generation == nil:
		return ""
	case v.ObservedGeneration != nil && *v.ObservedGeneration != *v.Generation:
		return strconv.FormatInt(*v.Generation, 10) + " (observed " + strconv.FormatInt(*v.ObservedGeneration, 10) + ")"
	}
	return strconv.FormatInt(*v.Generation, 10)
}

func messageWithWarnings(v verdict) string {
	text := v.Message
	for _, w := range v.Warnings {
		text += "; warning: " + w
	}
	return strings.TrimPrefix(text, "; ")
}

// print writes the cells, every column but the last as wide as its widest
// cell, and no line wider than the terminal.
func (t *table) print(columns []column, cells [][]string) error {
	widths := t.widths
	for _, row := range cells {
		for i, cell := range row {
			widths[i] = max(widths[i], ansi.StringWidth(cell))
		}
	}
	const gap = "   "
	out := bufio.NewWriter(t.out)
	for n, row := range cells {
		var line strings.Builder
		for i, cell := range row {
			if i > 0 {
				line.WriteString(gap)
			}
			pad := strings.Repeat(" ", widths[i]-ansi.StringWidth(cell))
			if t.look.colour && columns[i].status && !(t.look.headers && n == 0) {
				cell = coloured(cell)
			}
			line.WriteString(cell)
			line.WriteString(pad)
		}
		text := strings.TrimRight(line.String(), " ")
		if t.look.width > 0 {
			text = ansi.Truncate(text, t.look.width, "…")
		}
		out.WriteString(text)
		out.WriteByte('\n')
	}
	return out.Flush()
}

// The colours of the status words; they only repeat what the word says.
var colours = map[string]ansi.BasicColor{
	"Current":           ansi.Green,
	"Current (assumed)": ansi.Cyan,
	"InProgress":        ansi.Yellow,
	"Failing":           ansi.Red,
	"Failed":            ansi.Red,
	"Terminating":       ansi.Yellow,
	"NotFound":          ansi.Magenta,
	"Unknown":           ansi.Magenta,
}

func coloured(word string) string {
	colour, ok := colours[word]
	if !ok {
		return word
	}
	return ansi.NewStyle().ForegroundColor(colour).Styled(word)
}
