package waitview

import (
	"fmt"
	"maps"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/internal/duration"
)

// A renderer draws a model as a frame: lines that fit its style.
type renderer struct{ terminal.Style }

// The widths from which on there is room for more.
const (
	widthForSince   = 72
	widthForChanged = 120
)

// The markers in the two sets of characters.
var (
	utf8Markers  = [...]string{markerMoving: "~", markerWrong: "✗", markerDone: "✓", markerAside: "–"}
	asciiMarkers = [...]string{markerMoving: "~", markerWrong: "x", markerDone: "+", markerAside: "-"}
)

// draw returns the lines of a model, none of them wider than the frame and no
// more of them than it is high.
func (f renderer) draw(s model) string {
	lines := []string{f.head(s)}
	if len(s.rows)+len(s.folds) == 0 {
		return lines[0]
	}
	rows, rest := f.fit(s)
	c := f.columns(append(rows[:len(rows):len(rows)], s.folds...))
	if len(rows) > 0 {
		lines = append(lines, f.titles(c))
	}
	for _, r := range rows {
		lines = append(lines, f.row(r, c))
	}
	if rest != "" {
		lines = append(lines, f.Cut("  "+rest, f.Width))
	}
	for _, r := range s.folds {
		lines = append(lines, f.fold(r, c))
	}
	if f.Height > 0 && len(lines) > f.Height {
		lines = lines[:f.Height]
	}
	for i, line := range lines { // columns have a least width
		lines[i] = f.Cut(line, f.Width)
	}
	return strings.Join(lines, "\n")
}

// fit returns the rows for which there is room, and what is to be said of the others.
func (f renderer) fit(s model) (rows []row, rest string) {
	room := f.Height - 2 - len(s.folds) // beside the head and the titles
	more := 0
	for _, n := range s.more {
		more += n
	}
	if f.Height == 0 || len(s.rows)+more <= room {
		return s.rows, ""
	}
	room = min(max(0, room-1), len(s.rows))
	more += len(s.rows) - room
	counts := maps.Clone(s.more)
	if counts == nil {
		counts = map[string]int{}
	}
	for _, r := range s.rows[room:] {
		counts[sentenceWord(r.word)]++
	}
	var parts []string
	for _, word := range countOrder {
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
	return s.rows[:room], rest
}

// head returns the first line: how many are there, how long it takes, and a bar.
func (f renderer) head(s model) string {
	left := fmt.Sprintf("%d/%d %s", s.met, s.all, s.done)
	if s.subject != "" {
		left = s.subject + "  " + left
	}
	for _, c := range s.counts {
		left += fmt.Sprintf(", %d %s", c.n, c.word)
	}
	right := duration.Text(s.elapsed)
	if s.timeout > 0 {
		right += " of " + duration.Text(s.timeout)
	}
	left = f.Text(left, 0)
	size := f.barSize()
	if s.endless {
		size = 0
	}
	switch {
	case f.Width == 0:
		return left + "  " + right
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

// barSize is how many columns the bar has between its ends.
func (f renderer) barSize() int { return min(12+max(0, f.Width-100)/8, 24) }

func (f renderer) bar(s model, size int) string {
	full := 0
	if s.all > 0 {
		full = size * s.met / s.all
	}
	text := strings.Repeat("#", full)
	if f.Colour && full > 0 {
		text = ansi.NewStyle().ForegroundColor(ansi.Green).Styled(text)
	}
	return "[" + text + strings.Repeat(".", size-full) + "]"
}

// A layout is how wide the columns are; zero: there is no such column.
type layout struct{ word, object, since, changed int }

const ago = " ago"

// columns chooses the widths for some rows. The name of an object has two fifths
// of the line at most.
func (f renderer) columns(rows []row) layout {
	c := layout{word: len("STATUS"), object: len("OBJECT"), since: len("FOR"), changed: len("CHANGED")}
	for _, r := range rows {
		c.word = max(c.word, len(r.word))
		c.object = max(c.object, ansi.StringWidthWc(f.Text(r.object, 0)))
		c.since = max(c.since, len(duration.Text(r.since)))
		c.changed = max(c.changed, len(duration.Text(r.changed))+len(ago))
	}
	if f.Width == 0 {
		c.changed = 0
		return c
	}
	c.object = min(c.object, max(12, f.Width*2/5))
	if f.Width < widthForChanged {
		c.changed = 0
	}
	if f.Width < widthForSince {
		c.since = 0
	}
	return c
}

func (f renderer) titles(c layout) string {
	text := "  " + terminal.Pad("STATUS", c.word)
	text += terminal.Pad("OBJECT", c.object)
	if c.since > 0 {
		text += terminal.Pad("FOR", c.since)
	}
	if c.changed > 0 {
		text += terminal.Pad("CHANGED", c.changed)
	}
	return f.Cut(text+"WHY", f.Width)
}

// row returns the line about an object that is open.
func (f renderer) row(r row, c layout) string {
	line := f.marker(r) + " " + f.Paint(r.word, terminal.Pad(r.word, c.word))
	used := 2 + c.word + terminal.Gap
	line += terminal.Pad(f.CutMiddle(f.Text(r.object, 0), c.object), c.object)
	used += c.object + terminal.Gap
	if c.since > 0 {
		line += terminal.Pad(duration.Text(r.since), c.since)
		used += c.since + terminal.Gap
	}
	if c.changed > 0 {
		line += terminal.Pad(duration.Text(r.changed)+ago, c.changed)
		used += c.changed + terminal.Gap
	}
	return strings.TrimRight(line+f.why(r, f.Width-used), " ")
}

// leastWhy is how much of a reason goes before any remark but one that belongs to it.
const leastWhy = 8

// why returns the reason and the remark in so many columns.
func (f renderer) why(r row, room int) string {
	remark, between := r.remark, "   "
	if r.close {
		between = ", "
	}
	if f.Width == 0 {
		return strings.TrimPrefix(f.Text(r.why, 0)+between+remark, between)
	}
	if room <= 0 {
		return ""
	}
	why := f.Text(r.why, room)
	switch {
	case remark == "":
		return f.Cut(why, room)
	case why == "" || r.close && room < len(remark)+len(between)+3:
		return f.Cut(remark, room)
	case !r.close && room < len(remark)+len(between)+min(leastWhy, ansi.StringWidthWc(why)):
		return f.Cut(why, room)
	}
	return f.Cut(why, room-len(between)-len(remark)) + between + remark
}

// fold returns the line about objects that are as they should be.
func (f renderer) fold(r row, c layout) string {
	return f.marker(r) + " " + f.Paint(r.word, terminal.Pad(r.word, c.word)) + f.Cut(f.Text(r.why, f.Width), f.Width-2-c.word-terminal.Gap)
}

func (f renderer) marker(r row) string {
	signs := asciiMarkers
	if f.UTF8 {
		signs = utf8Markers
	}
	return f.Paint(r.word, signs[r.marker])
}
