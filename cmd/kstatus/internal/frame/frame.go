// Package frame draws the live view of a wait as lines for a width and a height. It does no I/O.
package frame

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/internal/duration"
	"kstatus.dev/status"
)

// A Model is the content of the live view at one time. A Renderer can draw it at any size.
type Model struct {
	Subject string // the cluster and namespace of the objects
	Done    string // the word for objects that meet their goals
	Met     int
	All     int // the number of objects that are waited for
	Counts  []Count
	Elapsed time.Duration
	Timeout time.Duration  // zero for no timeout.
	Endless bool           // the wait does not end by itself, so there is no progress bar.
	Rows    []Row          // objects that do not meet their goals, the worst first.
	More    map[string]int // the counts of other objects, by word.
	Left    []string       // lines about objects without a row.
	Folds   []Row          // objects that meet their goals, one row per word.
}

// A Count is the number of objects with a word.
type Count struct {
	N    int
	Word string
}

// A Row is a line about one object, or about several objects that meet their goals.
type Row struct {
	Marker  Marker
	Word    string
	Object  string
	Since   time.Duration // the time since the word last changed
	Changed time.Duration // the time since the object last changed
	Why     string
	Short   string // a shorter Why for narrow frames; may be empty
	Remark  string // text after Why; kept if Why is cut
	Close   bool   // the remark is a part of Why
}

// A Marker is a sign in one column with the same meaning as the word.
type Marker int

// The markers.
const (
	MarkerInProgress Marker = iota
	MarkerFailed
	MarkerDone
	MarkerIgnored
)

// A Renderer draws a model as a frame: lines that fit its style.
type Renderer struct {
	terminal.Style
	Wrap int // columns at which a frame of unlimited width wraps lines; zero for no wrapping
}

// The minimum widths for additional columns.
const (
	widthForSince   = 72
	widthForChanged = 120
)

// The markers in UTF-8 and in ASCII.
var (
	utf8Markers  = [...]string{MarkerInProgress: "~", MarkerFailed: "✗", MarkerDone: "✓", MarkerIgnored: "–"}
	asciiMarkers = [...]string{MarkerInProgress: "~", MarkerFailed: "x", MarkerDone: "+", MarkerIgnored: "-"}
)

// Draw returns the lines of a model, within the width and the height of the frame.
func (f Renderer) Draw(s Model) string {
	lines := []string{f.head(s)}
	if len(s.Rows)+len(s.Folds) == 0 {
		return lines[0]
	}
	rows, rest := f.fit(s)
	c := f.columns(append(rows[:len(rows):len(rows)], s.Folds...))
	if len(rows) > 0 {
		lines = append(lines, f.titles(c))
	}
	for _, r := range rows {
		lead, why := f.row(r, c)
		if f.Width > 0 {
			lines = append(lines, strings.TrimRight(lead+why, " "))
			continue
		}
		lines = append(lines, terminal.Wrap(lead, why, f.Wrap)...)
	}
	for _, text := range s.Left {
		lines = append(lines, terminal.Wrap("  ", f.Text(text, 0), f.Wrap)...)
	}
	if rest != "" {
		lines = append(lines, f.Cut("  "+rest, f.Width))
	}
	for _, r := range s.Folds {
		lines = append(lines, f.fold(r, c)...)
	}
	if f.Height > 0 && len(lines) > f.Height {
		lines = lines[:f.Height]
	}
	for i, line := range lines { // columns have a minimum width
		lines[i] = f.Cut(line, f.Width)
	}
	return strings.Join(lines, "\n")
}

// CountOrder is the order of the words in the head line.
var CountOrder = []string{"in progress", "not found", "terminating", "unknown", "failing", "failed", "current", "late", "unmet", "ignored", "not read yet"}

// SentenceWord returns a status word in lower case for a sentence.
func SentenceWord(word string) string {
	switch word {
	case string(status.InProgressStatus):
		return "in progress"
	case string(status.NotFoundStatus):
		return "not found"
	}
	return strings.ToLower(word)
}

// fit returns the rows that fit, and a text about the other rows.
func (f Renderer) fit(s Model) (rows []Row, rest string) {
	room := f.Height - 2 - len(s.Folds) // without the head and the titles
	more := 0
	for _, n := range s.More {
		more += n
	}
	if f.Height == 0 || len(s.Rows)+more <= room {
		return s.Rows, ""
	}
	room = min(max(0, room-1), len(s.Rows))
	more += len(s.Rows) - room
	counts := maps.Clone(s.More)
	if counts == nil {
		counts = map[string]int{}
	}
	for _, r := range s.Rows[room:] {
		counts[SentenceWord(r.Word)]++
	}
	var parts []string
	for _, word := range CountOrder {
		if n := counts[word]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, word))
		}
	}
	switch {
	case len(parts) == 1:
		rest = fmt.Sprintf("%s and %s", f.Ellipsis(), strings.Replace(parts[0], " ", " more ", 1))
	default:
		rest = fmt.Sprintf("%s and %d more: %s", f.Ellipsis(), more, strings.Join(parts, ", "))
	}
	return s.Rows[:room], rest
}

// head returns the first line: the counts, the elapsed time, and a progress bar.
func (f Renderer) head(s Model) string {
	left := fmt.Sprintf("%d/%d %s", s.Met, s.All, s.Done)
	if s.Subject != "" {
		left = s.Subject + "  " + left
	}
	for _, c := range s.Counts {
		left += fmt.Sprintf(", %d %s", c.N, c.Word)
	}
	right := duration.Text(s.Elapsed)
	if s.Timeout > 0 {
		right += " of " + duration.Text(s.Timeout)
	}
	left = f.Text(left, 0)
	size := f.barSize()
	if s.Endless {
		size = 0
	}
	switch {
	case f.Width == 0:
		return strings.Join(terminal.Wrap("", left+"  "+right, f.Wrap), "\n")
	case size > 0 && ansi.StringWidthWc(left)+2+len(right)+2+size+2 <= f.Width:
		bar := f.bar(s, size)
		return left + strings.Repeat(" ", f.Width-ansi.StringWidthWc(left)-len(right)-2-size-2) + right + "  " + bar
	case ansi.StringWidthWc(left)+2+len(right) <= f.Width:
		return left + strings.Repeat(" ", f.Width-ansi.StringWidthWc(left)-len(right)) + right
	case len(right)+12 > f.Width:
		return f.Cut(left, f.Width)
	}
	return f.Cut(left, f.Width-2-len(right)) + "  " + right
}

// barSize returns the number of columns between the ends of the bar.
func (f Renderer) barSize() int { return min(12+max(0, f.Width-100)/8, 24) }

func (f Renderer) bar(s Model, size int) string {
	full := 0
	if s.All > 0 {
		full = size * s.Met / s.All
	}
	text := strings.Repeat("#", full)
	if f.Colour && full > 0 {
		text = ansi.NewStyle().ForegroundColor(ansi.Green).Styled(text)
	}
	return "[" + text + strings.Repeat(".", size-full) + "]"
}

// A layout holds the widths of the columns; zero means no column.
type layout struct{ word, object, since, changed int }

const ago = " ago"

// columns returns the widths of the columns for some rows. The object column has at most two
// fifths of the line. On a narrow terminal, messages are shortened before names.
func (f Renderer) columns(rows []Row) layout {
	c := layout{word: len("STATUS"), object: len("OBJECT"), since: len("FOR"), changed: len("CHANGED")}
	for _, r := range rows {
		c.word = max(c.word, len(r.Word))
		c.object = max(c.object, ansi.StringWidthWc(f.Text(r.Object, 0)))
		c.since = max(c.since, len(duration.Text(r.Since)))
		c.changed = max(c.changed, len(duration.Text(r.Changed))+len(ago))
	}
	if f.Width == 0 {
		c.changed = 0
		if f.Wrap > 0 && f.Wrap < widthForSince {
			c.since = 0
		}
		return c
	}
	if f.Width < widthForChanged {
		c.changed = 0
	}
	most := f.Width * 2 / 5
	if f.Width < widthForSince {
		c.since = 0
		most = max(most, f.Width-2-c.word-2*terminal.Gap-minCloseWidth)
	}
	c.object = min(c.object, max(12, most))
	return c
}

func (f Renderer) titles(c layout) string {
	text := "  " + terminal.Pad("STATUS", c.word)
	text += terminal.Pad("OBJECT", c.object)
	if c.since > 0 {
		text += terminal.Pad("FOR", c.since)
	}
	if c.changed > 0 {
		text += terminal.Pad("CHANGED", c.changed)
	}
	if f.Width == 0 && f.Wrap > 0 {
		f.Width = f.Wrap
	}
	return f.Cut(text+"WHY", f.Width)
}

// row returns the line about an object that does not meet its goals, and separately its last
// text.
func (f Renderer) row(r Row, c layout) (line, why string) {
	line = f.marker(r) + " " + f.Paint(r.Word, terminal.Pad(r.Word, c.word))
	used := 2 + c.word + terminal.Gap
	line += terminal.Pad(f.CutMiddle(f.Text(r.Object, 0), c.object), c.object)
	used += c.object + terminal.Gap
	if c.since > 0 {
		line += terminal.Pad(duration.Text(r.Since), c.since)
		used += c.since + terminal.Gap
	}
	if c.changed > 0 {
		line += terminal.Pad(duration.Text(r.Changed)+ago, c.changed)
		used += c.changed + terminal.Gap
	}
	return line, f.why(r, f.Width-used)
}

// minWhyWidth is the minimum width of a reason before a remark. minCloseWidth is the minimum
// before a remark that is a part of the reason.
const (
	minWhyWidth   = 8
	minCloseWidth = 16
)

// why returns the reason and the remark, within room columns.
func (f Renderer) why(r Row, room int) string {
	remark, between := r.Remark, "   "
	if r.Close {
		between = ", "
	}
	if f.Width == 0 {
		return strings.TrimPrefix(f.Text(r.Why, 0)+between+remark, between)
	}
	if room <= 0 {
		return ""
	}
	why, least := f.Text(r.Why, room), minWhyWidth
	if r.Close {
		least = minCloseWidth
	}
	free := room - len(between) - len(remark)
	switch {
	case remark == "":
		free = room
	case why == "":
		return f.Cut(remark, room)
	case free < min(least, ansi.StringWidthWc(why)):
		free, between, remark = room, "", ""
	}
	if r.Short != "" && ansi.StringWidthWc(why) > free {
		why = f.Text(r.Short, room)
	}
	if remark == "" {
		between = ""
	}
	return f.Cut(why, free) + between + remark
}

// fold returns the lines about objects that meet their goals.
func (f Renderer) fold(r Row, c layout) []string {
	lead := f.marker(r) + " " + f.Paint(r.Word, terminal.Pad(r.Word, c.word))
	if f.Width == 0 {
		return terminal.Wrap(lead, f.Text(r.Why, 0), f.Wrap)
	}
	return []string{lead + f.Cut(f.Text(r.Why, f.Width), f.Width-2-c.word-terminal.Gap)}
}

func (f Renderer) marker(r Row) string {
	signs := asciiMarkers
	if f.UTF8 {
		signs = utf8Markers
	}
	return f.Paint(r.Word, signs[r.Marker])
}
