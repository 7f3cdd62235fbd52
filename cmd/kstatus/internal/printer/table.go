package printer

import (
	"bufio"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/duration"

	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/internal/text"
	"kstatus.dev/status"
)

// A table prints verdicts in columns, in the order of the objects. It prints at the end, when
// the widths are known. Later rows follow in the same columns.
type table struct {
	out     io.Writer
	options Options
	wide    bool
	rows    []output.Verdict
	printed []column // nil before the first print
	widths  []int
	grows   bool // more rows may follow
}

// Start prints nothing.
func (t *table) Start(output.Start) error { return nil }

// Object adds a row.
func (t *table) Object(v output.Verdict) error {
	if v.ID.Kind.Kind != "" || v.ID.Name != "" { // documents that are not objects are printed to standard error
		t.rows = append(t.rows, v)
	}
	return nil
}

// gap separates two columns.
const gap = "   "

// A column is one column of the table.
type column struct {
	title  string
	cell   func(output.Verdict) string
	short  func(output.Verdict) string // the cell for a narrow column; may be nil
	status bool                        // it has the colour of the status
}

// End prints the rows that have not been printed yet.
func (t *table) End(output.Result) error {
	if len(t.rows) == 0 {
		return nil
	}
	columns := t.printed
	if columns == nil {
		columns = t.columns()
		t.widths = make([]int, len(columns))
		if t.grows {
			t.reserve(columns)
		}
	}
	titles := make([]string, len(columns))
	for i, c := range columns {
		titles[i] = c.title
	}
	var cells [][]string
	for _, v := range t.rows {
		row := make([]string, len(columns))
		for i, c := range columns {
			row[i] = text.Line(c.cell(v))
		}
		cells = append(cells, row)
	}
	header := t.options.Headers && t.printed == nil
	if t.widen(titles, cells) && t.options.Headers {
		header = true // columns have become wider, so print the header again
	}
	if header {
		cells = slices.Insert(cells, 0, titles)
	}
	widths := t.fit(columns, cells[len(cells)-len(t.rows):])
	t.rows, t.printed = nil, columns
	return t.print(columns, widths, cells, header)
}

// The minimum widths of columns on a narrow terminal.
const (
	minObjectWidth  = 16
	minMessageWidth = 12
)

// fit shortens cells that are too wide for the terminal, and returns the widths of the columns.
// It cuts messages at their end. It cuts the names of objects in their middle if they leave too
// little space for messages.
func (t *table) fit(columns []column, cells [][]string) []int {
	last := len(columns) - 1
	if t.options.Width == 0 || columns[last].short == nil {
		return t.widths
	}
	widths := slices.Clone(t.widths)
	room := t.options.Width
	object := 0
	for i, c := range columns[:last] {
		room -= widths[i] + len(gap)
		if c.title == "OBJECT" {
			object = i
		}
	}
	if need := min(minMessageWidth, widths[last]) - room; need > 0 && widths[object] > minObjectWidth {
		least := max(minObjectWidth, widths[object]-need)
		room += widths[object] - least
		widths[object] = least
	}
	style := terminal.Style{Width: t.options.Width, UTF8: true}
	for i, row := range cells {
		row[object] = style.CutMiddle(row[object], widths[object])
		if ansi.StringWidth(row[last]) > room {
			row[last] = text.Line(columns[last].short(t.rows[i]))
		}
	}
	return widths
}

// reserve widens columns for later rows: any status, and an age of days.
func (t *table) reserve(columns []column) {
	for i, c := range columns {
		switch {
		case c.status:
			t.widths[i] = len("Terminating")
		case c.title == "AGE":
			t.widths[i] = len("2d10h")
		}
	}
}

// widen makes every column except the last as wide as its widest cell. It reports whether a
// column is now wider than in the printed lines.
func (t *table) widen(titles []string, cells [][]string) (wider bool) {
	for n, row := range append([][]string{titles}, cells...) {
		if n == 0 && !t.options.Headers {
			continue
		}
		for i, cell := range row {
			width := ansi.StringWidth(cell)
			wider = wider || width > t.widths[i] && i < len(row)-1 && t.printed != nil
			t.widths[i] = max(t.widths[i], width)
		}
	}
	return wider
}

// Flush prints the rows so far, with their ages at now.
func (t *table) Flush(now time.Time) error {
	t.options.Now, t.grows = now, true
	return t.End(output.Result{})
}

// columns returns the columns for the rows. The cluster column needs a named cluster, and the
// namespace column several namespaces. Kinds have their group only if two groups have the same
// kind.
func (t *table) columns() []column {
	clusters, namespaces, groups := false, map[string]bool{}, map[string]map[string]bool{}
	for _, v := range t.rows {
		clusters = clusters || v.ID.Cluster != ""
		if v.ID.Namespace != "" {
			namespaces[v.ID.Namespace] = true
		}
		if groups[v.ID.Kind.Kind] == nil {
			groups[v.ID.Kind.Kind] = map[string]bool{}
		}
		groups[v.ID.Kind.Kind][v.ID.Group] = true
	}
	object := column{title: "OBJECT", cell: func(v output.Verdict) string {
		kind := v.ID.Kind.Kind
		if len(groups[kind]) > 1 {
			kind = status.Kind{Group: v.ID.Group, Kind: kind}.String()
		}
		return kind + "/" + v.ID.Name
	}}
	var columns []column
	if clusters {
		columns = append(columns, column{title: "CONTEXT", cell: func(v output.Verdict) string { return v.ID.Cluster }})
	}
	if len(namespaces) > 1 {
		columns = append(columns, column{title: "NAMESPACE", cell: func(v output.Verdict) string { return v.ID.Namespace }})
	}
	columns = append(columns, object, column{title: "STATUS", cell: statusText, status: true})
	if t.wide {
		columns = append(columns, column{title: "REASON", cell: func(v output.Verdict) string { return v.Reason }})
	}
	columns = append(columns, column{title: "AGE", cell: t.age})
	for _, label := range t.options.LabelColumns {
		title := strings.ToUpper(label[strings.LastIndexByte(label, '/')+1:])
		columns = append(columns, column{title: title, cell: func(v output.Verdict) string { return v.Labels[label] }})
	}
	if t.options.Labels {
		columns = append(columns, column{title: "LABELS", cell: labelsText})
	}
	if t.wide {
		columns = append(columns,
			column{title: "GENERATION", cell: generationText},
			column{title: "CONFIDENCE", cell: func(v output.Verdict) string { return string(v.Confidence) }},
			column{title: "RULE", cell: ruleText},
			column{title: "MESSAGE", cell: messageWithWarnings})
		return columns
	}
	return append(columns, column{
		title: "MESSAGE", cell: messageOf,
		short: func(v output.Verdict) string { return v.ShortMessage() },
	})
}

func (t *table) age(v output.Verdict) string { return ageText(v, t.options.Now) }

// ageText returns the age of an object. It is empty for an object that was not read.
func ageText(v output.Verdict, now time.Time) string {
	switch {
	case !v.Created.IsZero():
		return duration.HumanDuration(now.Sub(v.Created))
	case v.Status == status.NotFoundStatus, v.Error != "" && !v.Unjudged:
		return "-"
	}
	return "<unknown>"
}

// labelsText returns the labels of an object in kubectl's form.
func labelsText(v output.Verdict) string {
	if len(v.Labels) == 0 {
		return "<none>"
	}
	return labels.FormatLabels(v.Labels)
}

// statusText returns the status for users.
func statusText(v output.Verdict) string {
	return output.StatusWord(v.Status, v.Failure == status.FailureRecoverable, v.Confidence == status.ConfidenceAssumed)
}

// generationText returns the generation, with the observed generation if it differs.
func generationText(v output.Verdict) string {
	switch {
	case v.Generation == nil:
		return ""
	case v.ObservedGeneration != nil && *v.ObservedGeneration != *v.Generation:
		return strconv.FormatInt(*v.Generation, 10) + " (observed " + strconv.FormatInt(*v.ObservedGeneration, 10) + ")"
	}
	return strconv.FormatInt(*v.Generation, 10)
}

// ruleText returns the rule that decided. A rule of a user has its origin.
func ruleText(v output.Verdict) string {
	if v.Rule == "kind" {
		return "built-in"
	}
	if v.RuleSource == "" || v.Rule == output.ObjectRule {
		return v.Rule
	}
	return v.Rule + " in " + v.RuleSource
}

// messageOf returns the message of a verdict. For a Current object it includes the warnings. The
// message itself says that the object is suspended.
func messageOf(v output.Verdict) string {
	text := v.Message
	if v.Suspended = ""; v.Status == status.CurrentStatus {
		for _, w := range v.AllWarnings() {
			text += "; warning: " + w
		}
	}
	return strings.TrimPrefix(text, "; ")
}

func messageWithWarnings(v output.Verdict) string {
	text := v.Message
	for _, w := range v.Warnings {
		text += "; warning: " + w
	}
	if v.Caveat != "" {
		text += "; warning: " + v.Caveat
	}
	return strings.TrimPrefix(text, "; ")
}

// print prints the cells in columns, within the width of the terminal. With header, the first
// row is the header.
func (t *table) print(columns []column, widths []int, cells [][]string, header bool) error {
	out := bufio.NewWriter(t.out)
	for n, row := range cells {
		var line strings.Builder
		for i, cell := range row {
			if i > 0 {
				line.WriteString(gap)
			}
			pad := strings.Repeat(" ", widths[i]-ansi.StringWidth(cell))
			if t.options.Colour && columns[i].status && !(header && n == 0) {
				cell = terminal.StatusWord(cell)
			}
			line.WriteString(cell)
			line.WriteString(pad)
		}
		text := strings.TrimRight(line.String(), " ")
		if t.options.Width > 0 {
			text = ansi.Truncate(text, t.options.Width, "…")
		}
		out.WriteString(text)
		out.WriteByte('\n')
	}
	return out.Flush()
}
