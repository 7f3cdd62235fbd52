// Package condense decides which lines of a log are printed, and when: it holds back lines
// that come too fast, drops lines that say nothing new, and folds lines that are alike.
//
// What it decides depends on the lines and their times only, so that a record that is
// shown again gives the same log.
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

// Most is how many lines that are alike are printed one by one.
const Most = 10

const (
	moment = time.Second     // lines of one moment are alike
	pause  = 2 * time.Second // between two lines about one object that keeps its word and state
)

// A Line is a line of the log about an object.
type Line struct {
	At     time.Time
	Target observe.Target
	Word   string
	State  string   // a line with another word or state than the one before it is never held back
	Text   string   // the text after the word; may be empty
	Gist   string   // a line that has it in common with the one before it is not printed
	Topic  string   // lines of several objects with one word and one topic are alike
	Notes  []string // texts that are printed once, in lines of their own
}

// text returns the object and the text of a line.
func (l Line) text() string {
	if l.Text == "" {
		return l.Target.String()
	}
	return l.Target.String() + ": " + l.Text
}

// A Printed line is one that is to be printed.
type Printed struct {
	At   time.Time
	Word string
	Text string
}

// A Log condenses lines. The zero Log is ready; its methods are called one at a time, with
// times that do not go back.
type Log struct {
	All     bool // every line with news is printed
	objects map[observe.Target]*object
	moment  []*Line // the lines of the moment that has not ended yet
	held    map[observe.Target]*Line
	ends    time.Time // when the next held line is due
}

// An object holds the state of the lines about an object.
type object struct {
	at    time.Time // of the last line that was printed or is in the moment
	last  *Line
	fresh bool // last is in the moment
}

// Add adds a line. Call Due with its time before, and after it.
func (c *Log) Add(l Line) {
	if c.objects == nil {
		c.objects, c.held = map[observe.Target]*object{}, map[observe.Target]*Line{}
	}
	o := c.objects[l.Target]
	switch {
	case o == nil || o.last.Word != l.Word || o.last.State != l.State:
	case o.last.Gist == l.Gist:
		delete(c.held, l.Target)
		return
	case c.All:
	case o.fresh:
		l.At, l.Notes = o.at, append(o.last.Notes, l.Notes...)
		*o.last = l
		return
	case l.At.Before(o.at.Add(pause)):
		if held := c.held[l.Target]; held != nil {
			l.Notes = append(held.Notes, l.Notes...)
		}
		l.At = o.at.Add(pause)
		c.held[l.Target] = &l
		if len(c.held) == 1 || l.At.Before(c.ends) {
			c.ends = l.At
		}
		return
	}
	c.take(&l)
}

// take puts a line into the moment.
func (c *Log) take(l *Line) {
	delete(c.held, l.Target)
	c.objects[l.Target] = &object{at: l.At, last: l, fresh: true}
	c.moment = append(c.moment, l)
}

// Knows reports whether an object had a line.
func (c *Log) Knows(t observe.Target) bool { return c.objects[t] != nil }

// Forget forgets the lines about an object that was printed, so that the next one is new.
func (c *Log) Forget(t observe.Target) {
	delete(c.objects, t)
	delete(c.held, t)
}

// Due returns the lines that are to be printed by now.
func (c *Log) Due(now time.Time) (all []Printed) {
	for {
		switch {
		case len(c.moment) > 0 && (len(c.held) == 0 || !c.ends.Before(c.moment[0].At.Add(moment))):
			if !c.All && now.Before(c.moment[0].At.Add(moment)) {
				return all
			}
			all = append(all, c.fold()...)
		case len(c.held) == 0 || now.Before(c.ends):
			return all
		default:
			c.release(c.ends)
		}
	}
}

// Flush returns all lines that have not been returned yet. Those that were held have the
// time now.
func (c *Log) Flush(now time.Time) []Printed {
	all := c.Due(now)
	for _, l := range c.held {
		l.At = now
	}
	c.release(now)
	return append(all, c.fold()...)
}

// Moment returns the lines of the moment, which ends with that. Lines that are held stay so.
func (c *Log) Moment(now time.Time) []Printed {
	return append(c.Due(now), c.fold()...)
}

// release takes the held lines that are due at a time, in the order of their objects.
func (c *Log) release(at time.Time) {
	due := slices.DeleteFunc(slices.Collect(maps.Values(c.held)), func(l *Line) bool { return l.At.After(at) })
	slices.SortFunc(due, func(x, y *Line) int { return x.Target.Compare(y.Target) })
	for _, l := range due {
		c.take(l)
	}
	c.ends = time.Time{}
	for _, l := range c.held {
		if c.ends.IsZero() || l.At.Before(c.ends) {
			c.ends = l.At
		}
	}
}

// A group is what lines that are alike have in common.
type group struct{ word, topic string }

// fold returns the lines of the moment. Where more than [Most] are alike, they are one.
func (c *Log) fold() (all []Printed) {
	alike := map[group][]*Line{}
	for _, l := range c.moment {
		g := group{l.Word, l.Topic}
		alike[g] = append(alike[g], l)
	}
	for _, l := range c.moment {
		same := alike[group{l.Word, l.Topic}]
		switch {
		case c.All || len(same) <= Most:
			all = append(all, Printed{l.At, l.Word, l.text()})
		case same[0] == l:
			all = append(all, Printed{l.At, l.Word, folded(same)})
		}
		for _, note := range l.Notes {
			all = append(all, Printed{l.At, "NOTE", l.Target.String() + ": " + note})
		}
		if o := c.objects[l.Target]; o != nil && o.last == l {
			o.fresh = false
		}
	}
	c.moment = nil
	return all
}

// folded returns one text for lines that are alike.
func folded(lines []*Line) string {
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

// CountKinds returns the number of objects by kind, the most first: "1200: ConfigMap 1000,
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

// A Rest is items that a list leaves out, which are alike.
type Rest struct {
	First int // the index of the first of them
	Count int
}

// Limit limits a list of n items to the first [Most] of those with one word and one topic.
// It returns the indices of the items that are kept, and what is left out. One item more is
// kept, since the line about it would take its place.
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
		case seen[g] <= Most, counts[g] == Most+1:
			kept = append(kept, i)
		case seen[g] == Most+1:
			left = append(left, Rest{i, counts[g] - Most})
		}
	}
	return kept, left
}
