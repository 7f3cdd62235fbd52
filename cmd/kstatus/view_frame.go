package main

import (
	"fmt"
	"maps"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"kstatus.dev/report"
)

// A renderer draws a model as a frame: lines that fit its style.
type renderer struct{ style }

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
		lines = append(lines, f.cut("  "+rest, f.width))
	}
	for _, r := range s.folds {
		lines = append(lines, f.fold(r, c))
	}
	if f.height > 0 && len(lines) > f.height {
		lines = lines[:f.height]
	}
	for i, line := range lines { // columns have a least width
		lines[i] = f.cut(line, f.width)
	}
	return strings.Join(lines, "\n")
}

// fit returns the rows for which there is room, and what is to be said of the others.
func (f renderer) fit(s model) (rows []row, rest string) {
	room := f.height - 2 - len(s.folds) // beside the head and the titles
	more := 0
	for _, n := range s.more {
		more += n
	}
	if f.height == 0 || len(s.rows)+more <= room {
		return s.rows, ""
	}
	room = min(max(0, room-1), len(s.rows))
	more += len(s.rows) - room
	counts := maps.Clone(s.more)
	if counts == nil {
		counts = map[string]int{}
	}
	for _, r := range s.rows[room:] {
		counts[spoken(r.word)]++
	}
	var parts []string
	for _, word := range countOrder {
		if n := counts[word]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, word))
		}
	}
	switch {
	case len(parts) == 1:
		rest = fmt.Sprintf("%s and %s", f.ellipsis(), strings.Replace(parts[0], " ", " more ", 1))
	default:
		rest = fmt.Sprintf("%s and %d more: %s", f.ellipsis(), more, strings.Join(parts, ", "))
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
	right := report.Lasting(s.elapsed)
	if s.timeout > 0 {
		right += " of " + report.Lasting(s.timeout)
	}
	left = f.text(left, 0)
	switch size := f.barSize(); {
	case f.width == 0:
		return left + "  " + right
	case size > 0 && ansi.StringWidthWc(left)+2+len(right)+2+size+2 <= f.width:
		bar := f.bar(s, size)
		return left + strings.Repeat(" ", f.width-ansi.StringWidthWc(left)-len(right)-2-size-2) + right + "  " + bar
	case ansi.StringWidthWc(left)+2+len(right) <= f.width:
		return left + strings.Repeat(" ", f.width-ansi.StringWidthWc(left)-len(right)) + right
	case len(right)+12 > f.width:
		return f.cut(left, f.width)
	}
	return f.cut(left, f.width-2-len(right)) + "  " + right
}

// barSize is how many columns the bar has between its ends.
func (f renderer) barSize() int { return min(12+max(0, f.width-100)/8, 24) }

func (f renderer) bar(s model, size int) string {
	full := 0
	if s.all > 0 {
		full = size * s.met / s.all
	}
	text := strings.Repeat("#", full)
	if f.colour && full > 0 {
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
		c.object = max(c.object, ansi.StringWidthWc(f.text(r.object, 0)))
		c.since = max(c.since, len(report.Lasting(r.since)))
		c.changed = max(c.changed, len(report.Lasting(r.changed))+len(ago))
	}
	if f.width == 0 {
		c.changed = 0
		return c
	}
	c.object = min(c.object, max(12, f.width*2/5))
	if f.width < widthForChanged {
		c.changed = 0
	}
	if f.width < widthForSince {
		c.since = 0
	}
	return c
}

func (f renderer) titles(c layout) string {
	text := "  " + pad("STATUS", c.word)
	text += pad("OBJECT", c.object)
	if c.since > 0 {
		text += pad("FOR", c.since)
	}
	if c.changed > 0 {
		text += pad("CHANGED", c.changed)
	}
	return f.cut(text+"WHY", f.width)
}

// row returns the line about an object that is open.
func (f renderer) row(r row, c layout) string {
	line := f.marker(r) + " " + f.coloured(r.word, pad(r.word, c.word))
	used := 2 + c.word + gap
	line += pad(f.middle(f.text(r.object, 0), c.object), c.object)
	used += c.object + gap
	if c.since > 0 {
		line += pad(report.Lasting(r.since), c.since)
		used += c.since + gap
	}
	if c.changed > 0 {
		line += pad(report.Lasting(r.changed)+ago, c.changed)
		used += c.changed + gap
	}
	return strings.TrimRight(line+f.why(r, f.width-used), " ")
}

// leastWhy is how much of a reason goes before any remark but one that belongs to it.
const leastWhy = 8

// why returns the reason and the remark in so many columns.
func (f renderer) why(r row, room int) string {
	remark, between := r.remark, "   "
	if r.close {
		between = ", "
	}
	if f.width == 0 {
		return strings.TrimPrefix(f.text(r.why, 0)+between+remark, between)
	}
	if room <= 0 {
		return ""
	}
	why := f.text(r.why, room)
	switch {
	case remark == "":
		return f.cut(why, room)
	case why == "" || r.close && room < len(remark)+len(between)+3:
		return f.cut(remark, room)
	case !r.close && room < len(remark)+len(between)+min(leastWhy, ansi.StringWidthWc(why)):
		return f.cut(why, room)
	}
	return f.cut(why, room-len(between)-len(remark)) + between + remark
}

// fold returns the line about objects that are as they should be.
func (f renderer) fold(r row, c layout) string {
	return f.marker(r) + " " + f.coloured(r.word, pad(r.word, c.word)) + f.cut(f.text(r.why, f.width), f.width-2-c.word-gap)
}

func (f renderer) marker(r row) string {
	signs := asciiMarkers
	if f.utf8 {
		signs = utf8Markers
	}
	return f.coloured(r.word, signs[r.marker])
}
