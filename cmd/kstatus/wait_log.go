package main

import (
	"fmt"
	"slices"
	"strings"

	"kstatus.dev/internal/text"
	"kstatus.dev/observe"
	"kstatus.dev/report"
)

// A waitLog is the plain log of a wait: one line per change, in fixed columns,
// without escape sequences. The first verdicts are told together and sorted,
// once all are known or a heartbeat comes.
type waitLog struct {
	waitLook
	roll
	first  []observe.Update // held back so far
	flown  bool             // the first verdicts have been told
	before map[observe.Target]string
	stale  map[observe.Target]bool // those that cannot be looked at for the time being
}

func newWaitLog(l waitLook) *waitLog {
	return &waitLog{waitLook: l, before: map[observe.Target]string{}, stale: map[observe.Target]bool{}}
}

// How many objects a heartbeat names.
const mostNamed = 10

func (l *waitLog) start() error {
	if l.quiet {
		return nil
	}
	request := l.brief.request
	parts := []string{request.subject}
	switch n := len(request.namespaces); {
	case n == 1 && request.namespaces[0] != "":
		parts = append(parts, "namespace "+request.namespaces[0])
	case n > 1:
		parts = append(parts, text.Count(n, "namespace"))
	case n == 0 && request.objects < 0:
		parts = append(parts, "all namespaces")
	}
	switch n := len(request.contexts); {
	case n == 1:
		parts = append(parts, "context "+request.contexts[0])
	case n > 1:
		parts = append(parts, "contexts "+strings.Join(request.contexts, " and "))
	}
	parts = append(parts, "goal "+l.brief.goalText(), l.brief.timeText())
	return l.line("START", strings.Join(parts, ", "))
}

func (l *waitLog) update(u observe.Update, b *observe.Board) error {
	tick := u.Target == observe.Target{}
	if !tick {
		l.hear(u.Target)
		if err := l.lost(u); err != nil {
			return err
		}
	}
	switch {
	case !tick && l.flown:
		return l.change(u)
	case !tick:
		l.first = append(l.first, u)
	}
	if !l.flown && (u.Synced || tick) {
		l.flown = true
		slices.SortStableFunc(l.first, func(x, y observe.Update) int { return x.Target.Compare(y.Target) })
		for _, u := range l.first {
			if err := l.change(u); err != nil {
				return err
			}
		}
		l.first = nil
	}
	if tick {
		return l.heartbeat(b)
	}
	return nil
}

// lost tells that objects cannot be looked at any more, and that all can again:
// once each, since a server that is out of reach is out of reach for all.
func (l *waitLog) lost(u observe.Update) error {
	had := len(l.stale)
	if u.Stale.IsZero() || u.Left {
		delete(l.stale, u.Target)
	} else {
		l.stale[u.Target] = true
	}
	switch has := len(l.stale); {
	case l.quiet:
	case had == 0 && has > 0:
		return l.line("STALE", fmt.Sprintf("%s, others may follow: what was seen last stands; %v", u.Target, u.Err))
	case had > 0 && has == 0:
		return l.line("FRESH", "all objects can be looked at again")
	}
	return nil
}

// change tells a verdict, unless it reads as the one before, or there is
// nothing new in it but that the object cannot be looked at. Of a selection
// that has what it needs, its objects tell.
func (l *waitLog) change(u observe.Update) error {
	word, text := worded(u)
	if u.Standing == observe.Failing && !u.FailsAt.IsZero() {
		text += "; fails at " + report.Clock(u.FailsAt.Sub(l.began)) + " unless it recovers"
	}
	whole := word + text
	known, told := l.before[u.Target]
	switch {
	case l.quiet, known == whole, told && !u.Stale.IsZero() && u.Result.Status == u.Previous:
		return nil
	case u.Target.IsSelection() && u.Standing == observe.Met:
		delete(l.before, u.Target)
		return nil
	case u.Left:
		delete(l.before, u.Target)
	default:
		l.before[u.Target] = whole
	}
	return l.line(word, text)
}

// heartbeat says that there is life, and what is still waited for.
func (l *waitLog) heartbeat(b *observe.Board) error {
	var names []string
	for _, u := range b.Unmet() {
		name := u.Target.String()
		if !u.Stale.IsZero() {
			name += " (not seen for " + report.Lasting(l.at().Sub(u.Stale)) + ")"
		} else if remark := l.pace.remark(u.Target, l.at()); remark != "" {
			name += " (" + remark + ")"
		}
		names = append(names, name)
	}
	unheard := len(l.silent())
	text := fmt.Sprintf("%d of %d", len(names)+unheard, b.Len()-b.Standings()[observe.Ignored]+unheard)
	if unheard > 0 {
		text += fmt.Sprintf(", %d not heard of", unheard)
	}
	if more := len(names) - mostNamed; more > 0 {
		names = append(names[:mostNamed], fmt.Sprintf("and %d more", more))
	}
	if len(names) > 0 {
		text += ": " + strings.Join(names, ", ")
	}
	return l.line("WAITING", text)
}

// line prints one line: the time since the start, a word, and a text.
func (l *waitLog) line(word, what string) error {
	_, err := fmt.Fprintf(l.out, "%s %-10s %s\n", report.Clock(l.at().Sub(l.began)), word, text.Line(what))
	return err
}
