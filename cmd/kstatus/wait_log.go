package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A waitLog is the plain log of a wait: one line per change, in fixed columns,
// without escape sequences. The first verdicts are told together and sorted,
// once all are known or a heartbeat comes.
type waitLog struct {
	waitLook
	first  []observe.Update // held back so far
	flown  bool             // the first verdicts have been told
	before map[observe.Target]string
}

// How many objects a heartbeat names.
const mostNamed = 10

func (l *waitLog) start(goals []observe.Goal) error {
	l.before = map[observe.Target]string{}
	if l.quiet {
		return nil
	}
	parts := []string{counted(len(l.objects), "object")}
	if where := l.where(); where != "" {
		parts = append(parts, where)
	}
	if l.context != "" {
		parts = append(parts, "context "+l.context)
	}
	parts = append(parts, "goal "+strings.Join(namesOf(goals), " and "))
	if l.timeout > 0 {
		parts = append(parts, "timeout "+lasting(l.timeout))
	} else {
		parts = append(parts, "looking once")
	}
	return l.line("START", strings.Join(parts, ", "))
}

func (l *waitLog) update(u observe.Update, b *observe.Board) error {
	tick := u.Target == observe.Target{}
	if !tick && !l.flown {
		l.first = append(l.first, u)
	}
	if !l.flown && (u.Synced || tick) {
		l.flown = true
		slices.SortFunc(l.first, func(x, y observe.Update) int { return x.Target.Compare(y.Target) })
		for _, u := range l.first {
			if err := l.change(u); err != nil {
				return err
			}
		}
		l.first = nil
	} else if !tick && l.flown {
		return l.change(u)
	}
	if tick {
		return l.heartbeat(b)
	}
	return nil
}

// change tells a verdict, unless it reads as the one before.
func (l *waitLog) change(u observe.Update) error {
	word, text := worded(u)
	if u.Standing == observe.Failing && !u.FailsAt.IsZero() {
		text += "; fails at " + clock(u.FailsAt.Sub(l.began)) + " unless it recovers"
	}
	whole := word + text
	if l.quiet || l.before[u.Target] == whole {
		return nil
	}
	l.before[u.Target] = whole
	return l.line(word, text)
}

// worded returns the word of a verdict and what is to be said about it. Of
// what is as it should be there is nothing to say.
func worded(u observe.Update) (word, text string) {
	word, text = string(u.Result.Status), u.Target.String()
	if u.Standing == observe.Failing && u.Result.Status == status.InProgressStatus {
		word = "Failing"
	}
	var why []string
	plainlyDone := u.Result.Status == status.CurrentStatus && u.Result.Suspended == status.NotSuspended && u.Result.Confidence != status.Assumed
	if !plainlyDone && u.Result.Message != "" {
		why = append(why, u.Result.Message)
	}
	if u.Result.Status == status.CurrentStatus && u.Result.Confidence == status.Assumed {
		why = append([]string{"assumed"}, why...)
	}
	if u.Wants != "" {
		why = append(why, u.Wants)
	}
	if len(why) > 0 {
		text += ": " + strings.Join(why, "; ")
	}
	return word, text
}

// where tells in which namespaces the objects are.
func (l *waitLog) where() string {
	all := map[string]bool{}
	last := ""
	for _, o := range l.objects {
		if last = cmp.Or(o.target.Namespace, last); o.target.Namespace != "" {
			all[last] = true
		}
	}
	switch len(all) {
	case 0:
		return ""
	case 1:
		return "namespace " + last
	}
	return counted(len(all), "namespace")
}

// heartbeat says that there is life, and what is still waited for.
func (l *waitLog) heartbeat(b *observe.Board) error {
	var names []string
	for _, u := range b.Unmet() {
		names = append(names, u.Target.String())
	}
	unheard := len(l.objects) - b.Len()
	text := fmt.Sprintf("%d of %d", len(names)+unheard, len(l.objects))
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

func (l *waitLog) end(b *observe.Board, e ending) error {
	var errs []error
	for _, u := range l.first {
		errs = append(errs, l.change(u))
	}
	switch {
	case e.code == exitOK:
		errs = append(errs, l.warnings(b))
	case e.cut, l.quiet:
		errs = append(errs, l.open(b))
	}
	text := e.code.outcome() + ": " + l.summary(b) + "took " + lasting(l.now().Sub(l.began))
	if e.code != exitOK {
		text += fmt.Sprintf(", exit %d", e.code)
	}
	return errors.Join(append(errs, l.line("RESULT", text))...)
}

// open lists what is not there, the worst first, with the reason and since when.
func (l *waitLog) open(b *observe.Board) error {
	var errs []error
	heard := map[observe.Target]bool{}
	for _, u := range b.Updates() {
		heard[u.Target] = true
		if u.Standing == observe.Met {
			continue
		}
		word, _ := worded(u)
		text := fmt.Sprintf("%s: %s for %s, %s", u.Target, word, lasting(l.now().Sub(u.Since)), u.Result.Reason)
		if u.Result.Message != "" {
			text += ": " + u.Result.Message
		}
		if u.Wants != "" {
			text += "; " + u.Wants
		}
		errs = append(errs, l.line("OPEN", text))
	}
	for _, o := range l.objects {
		if !heard[o.target] {
			errs = append(errs, l.line("OPEN", o.target.String()+": the API server has not answered yet"))
		}
	}
	return errors.Join(errs...)
}

// warnings tells of those that meet the goals with a reservation.
func (l *waitLog) warnings(b *observe.Board) error {
	var errs []error
	for _, u := range b.Updates() {
		text := u.Target.String() + ": "
		switch r := u.Result; {
		case r.Status == status.CurrentStatus && r.Confidence == status.Assumed:
			text += "current is assumed, " + r.Message
		case r.Status == status.CurrentStatus && r.Suspended == status.Asked && r.Reason != "ScaledToZero":
			text += "current while suspended, " + r.Message
		case u.Standing != observe.Met:
			text += "it does not exist and is ignored"
		case u.Version.Replaced != "":
			text += "it replaced an object of the same name while that was waited for"
		default:
			continue
		}
		errs = append(errs, l.line("WARNING", text))
	}
	return errors.Join(errs...)
}

// The words for the statuses in a summary, in their order there.
var summaryWords = []struct {
	status status.Status
	word   string
}{
	{status.CurrentStatus, "current"},
	{status.FailedStatus, "failed"},
	{status.UnknownStatus, "unknown"},
	{status.TerminatingStatus, "terminating"},
	{status.InProgressStatus, "in progress"},
	{status.NotFoundStatus, "not found"},
}

func (l *waitLog) summary(b *observe.Board) string {
	counts := b.Counts()
	var text strings.Builder
	if len(l.objects) == 0 {
		text.WriteString("nothing matched, ")
	}
	for _, w := range summaryWords {
		if n := counts[w.status]; n > 0 {
			fmt.Fprintf(&text, "%d %s, ", n, w.word)
		}
	}
	if unheard := len(l.objects) - b.Len(); unheard > 0 {
		fmt.Fprintf(&text, "%d not heard of, ", unheard)
	}
	return text.String()
}

// line prints one line: the time since the start, a word, and a text.
func (l *waitLog) line(word, text string) error {
	_, err := fmt.Fprintf(l.out, "%s %-10s %s\n", clock(l.now().Sub(l.began)), word, plain(text))
	return err
}

// clock returns a duration as minutes and seconds, 01:58.
func clock(d time.Duration) string {
	s := int64(max(0, d) / time.Second)
	return fmt.Sprintf("%02d:%02d", s/60, s%60)
}

// lasting returns a duration in whole seconds as people write it: 12s, 1m01s, 10m, 1h05m.
func lasting(d time.Duration) string {
	s := int64(max(0, d) / time.Second)
	switch {
	case s < 60:
		return fmt.Sprintf("%ds", s)
	case s < 3600 && s%60 == 0:
		return fmt.Sprintf("%dm", s/60)
	case s < 3600:
		return fmt.Sprintf("%dm%02ds", s/60, s%60)
	case s%60 == 0:
		return fmt.Sprintf("%dh%02dm", s/3600, s/60%60)
	}
	return fmt.Sprintf("%dh%02dm%02ds", s/3600, s/60%60, s%60)
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
