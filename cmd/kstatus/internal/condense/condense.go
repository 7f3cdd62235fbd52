// Package condense decides which lines of a log are printed, and when. It delays lines that come
// too fast, drops repeated lines, and combines similar lines into one.
//
// Its decisions depend only on the lines and their times, so replaying a record prints the same
// log.
package condense

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"kstatus.dev/observe"
)

// MaxLines is how many similar lines are printed one by one.
const MaxLines = 10

const (
	windowLength = time.Second     // similar lines within this time are grouped
	minInterval  = 2 * time.Second // minimum time between two lines about one object with the same word and state
)

// A Line is a log line about an object.
type Line struct {
	At        time.Time
	Target    observe.Target
	Word      string
	State     string   // a new word or state is printed without delay.
	Text      string   // the text after the word; may be empty.
	DedupeKey string   // a line with the same key as the previous one is dropped.
	Repeats   bool     // a line with the word, state and key of any line since the last one without Repeats is dropped
	Topic     string   // lines of several objects with one word and one topic are similar.
	Notes     []string // texts that are printed once, in lines of their own.
}

// text returns the object and the text of a line.
func (l Line) text() string {
	if l.Text == "" {
		return l.Target.String()
	}
	return l.Target.String() + ": " + l.Text
}

// A Printed is a line to print.
type Printed struct {
	At   time.Time
	Word string
	Text string
}

// A Log condenses lines. The zero Log is ready for use, by one goroutine. Times must not
// decrease.
type Log struct {
	All     bool // print every line with news
	objects map[observe.Target]*object
	window  []*Line // the lines of the current window
	held    map[observe.Target]*Line
	ends    time.Time // when the next held line is due
}

// An object holds the state of the lines about an object.
type object struct {
	at       time.Time // of the last line that was printed or is in the window
	last     *Line
	inWindow bool                // the last line is in the window
	repeated map[occurrence]bool // the lines with Repeats, since the last one without
}

// An occurrence is what a repeated line has in common with an earlier one.
type occurrence struct{ word, state, key string }

func (l *Line) occurrence() occurrence { return occurrence{l.Word, l.State, l.DedupeKey} }

// Add adds a line. The caller calls Due with the line's time, before and after Add.
func (c *Log) Add(l Line) {
	if c.objects == nil {
		c.objects, c.held = map[observe.Target]*object{}, map[observe.Target]*Line{}
	}
	o := c.objects[l.Target]
	switch {
	case o != nil && l.Repeats && o.repeated[l.occurrence()]:
		delete(c.held, l.Target)
		return
	case o == nil || o.last.Word != l.Word || o.last.State != l.State:
	case o.last.DedupeKey == l.DedupeKey:
		delete(c.held, l.Target)
		return
	case c.All:
	case o.inWindow:
		l.At, l.Notes = o.at, append(o.last.Notes, l.Notes...)
		*o.last = l
		o.note(&l)
		return
	case l.At.Before(o.at.Add(minInterval)):
		if held := c.held[l.Target]; held != nil {
			l.Notes = append(held.Notes, l.Notes...)
		}
		l.At = o.at.Add(minInterval)
		c.held[l.Target] = &l
		if len(c.held) == 1 || l.At.Before(c.ends) {
			c.ends = l.At
		}
		return
	}
	c.addToWindow(&l)
}

// addToWindow adds a line to the window.
func (c *Log) addToWindow(l *Line) {
	delete(c.held, l.Target)
	o := c.objects[l.Target]
	if o == nil {
		o = &object{}
		c.objects[l.Target] = o
	}
	o.at, o.last, o.inWindow = l.At, l, true
	o.note(l)
	c.window = append(c.window, l)
}

// note records a line of an object.
func (o *object) note(l *Line) {
	switch {
	case !l.Repeats:
		o.repeated = nil
	case o.repeated == nil:
		o.repeated = map[occurrence]bool{l.occurrence(): true}
	default:
		o.repeated[l.occurrence()] = true
	}
}

// HasLine reports whether the log has had a line about an object.
func (c *Log) HasLine(t observe.Target) bool { return c.objects[t] != nil }

// Forget forgets the printed lines about an object, so that the next line is news.
func (c *Log) Forget(t observe.Target) {
	delete(c.objects, t)
	delete(c.held, t)
}

// Due returns the lines to print by now.
func (c *Log) Due(now time.Time) (all []Printed) {
	for {
		switch {
		case len(c.window) > 0 && (len(c.held) == 0 || !c.ends.Before(c.window[0].At.Add(windowLength))):
			if !c.All && now.Before(c.window[0].At.Add(windowLength)) {
				return all
			}
			all = append(all, c.condense()...)
		case len(c.held) == 0 || now.Before(c.ends):
			return all
		default:
			c.release(c.ends)
		}
	}
}

// Flush returns all lines that have not been returned yet. Held lines get the time now.
func (c *Log) Flush(now time.Time) []Printed {
	all := c.Due(now)
	for _, l := range c.held {
		l.At = now
	}
	c.release(now)
	return append(all, c.condense()...)
}

// EndWindow ends the window and returns its lines. It does not return held lines.
func (c *Log) EndWindow(now time.Time) []Printed {
	return append(c.Due(now), c.condense()...)
}

// release adds the held lines that are due to the window, sorted by object.
func (c *Log) release(at time.Time) {
	due := slices.DeleteFunc(slices.Collect(maps.Values(c.held)), func(l *Line) bool { return l.At.After(at) })
	slices.SortFunc(due, func(x, y *Line) int { return x.Target.Compare(y.Target) })
	for _, l := range due {
		c.addToWindow(l)
	}
	c.ends = time.Time{}
	for _, l := range c.held {
		if c.ends.IsZero() || l.At.Before(c.ends) {
			c.ends = l.At
		}
	}
}

// A group identifies similar lines.
type group struct{ word, topic string }

// condense returns the lines of the window. It returns one line for more than [MaxLines] similar
// lines.
func (c *Log) condense() (all []Printed) {
	alike := map[group][]*Line{}
	for _, l := range c.window {
		g := group{l.Word, l.Topic}
		alike[g] = append(alike[g], l)
	}
	for _, l := range c.window {
		same := alike[group{l.Word, l.Topic}]
		switch {
		case c.All || len(same) <= MaxLines:
			all = append(all, Printed{l.At, l.Word, l.text()})
		case same[0] == l:
			all = append(all, Printed{l.At, l.Word, condensedText(same)})
		}
		for _, note := range l.Notes {
			all = append(all, Printed{l.At, "NOTE", l.Target.String() + ": " + note})
		}
		if o := c.objects[l.Target]; o != nil && o.last == l {
			o.inWindow = false
		}
	}
	c.window = nil
	return all
}

// condensedText returns one text for similar lines.
func condensedText(lines []*Line) string {
	kinds := map[string]int{}
	for _, l := range lines {
		kinds[l.Target.Kind.Kind]++
	}
	text := CountKinds(kinds)
	if lines[0].Text != "" {
		text += "; such as " + lines[0].text()
	}
	return text
}

// CountKinds returns the number of objects by kind, the largest first: "1200: ConfigMap 1000,
// Deployment 200".
func CountKinds(kinds map[string]int) string {
	names := slices.SortedFunc(maps.Keys(kinds), func(x, y string) int {
		return cmp.Or(cmp.Compare(kinds[y], kinds[x]), cmp.Compare(x, y))
	})
	total := 0
	for i, kind := range names {
		total += kinds[kind]
		names[i] = fmt.Sprintf("%s %d", kind, kinds[kind])
	}
	return fmt.Sprintf("%d: %s", total, strings.Join(names, ", "))
}

// A Rest counts similar items that a list omits.
type Rest struct {
	First int // the index of the first omitted item
	Count int
}

// Limit keeps the first [MaxLines] of the items with the same word and topic. It returns the
// indices of the kept items, and the omitted items. If only one item would be omitted, Limit
// keeps it, since the line about it would take the same space.
func Limit(n int, alike func(i int) (word, topic string)) (kept []int, left []Rest) {
	counts := map[group]int{}
	for i := range n {
		word, topic := alike(i)
		counts[group{word, topic}]++
	}
	seen := map[group]int{}
	for i := range n {
		word, topic := alike(i)
		g := group{word, topic}
		seen[g]++
		switch {
		case seen[g] <= MaxLines, counts[g] == MaxLines+1:
			kept = append(kept, i)
		case seen[g] == MaxLines+1:
			left = append(left, Rest{i, counts[g] - MaxLines})
		}
	}
	return kept, left
}
