package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"kstatus.dev/explain"
	"kstatus.dev/observe"
	"kstatus.dev/report"
	"kstatus.dev/status"
)

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
	return errors.Join(errs...)
}

// why explains what is not there, in lines without a time.
func (l *waitLog) why(e *explained) error {
	lines := e.Lines(e.facts.Now)
	if len(lines) == 0 { // all is Current but for the goals, and nothing is wrong
		return nil
	}
	blank := []explain.Line{{Role: explain.RoleBlank}}
	page := l.page
	page.out = l.out
	return page.print(slices.Concat(blank, lines, blank))
}

// result says how it ended, what stands where, and how long it took.
func (l *waitLog) result(b *observe.Board, e ending) error {
	text := e.code.outcome() + ": " + l.summary(b, e.code) + "took " + report.Lasting(l.at().Sub(l.began))
	if e.code != exitOK {
		text += fmt.Sprintf(", exit %d", e.code)
	}
	return l.line("RESULT", text)
}

// open lists what is not there, the worst first, with the reason and since when.
func (l *waitLog) open(b *observe.Board) error {
	var errs []error
	for _, u := range b.Unmet() {
		word, _ := worded(u)
		text := fmt.Sprintf("%s: %s for %s, %s", u.Target, word, report.Lasting(l.at().Sub(u.Since)), u.Result.Reason)
		if u.Result.Message != "" {
			text += ": " + u.Result.Message
		}
		if why := standing(u); len(why) > 0 {
			text += "; " + strings.Join(why, "; ")
		}
		if how := groundsOf(u.Result); how != "" {
			text += fmt.Sprintf("; %s: see get --explain-rule %s, and --rules to say otherwise", how, u.Target.Kind)
		}
		if !u.Stale.IsZero() {
			text += "; not seen for " + report.Lasting(l.at().Sub(u.Stale))
		} else if remark := l.pace.remark(u.Target, l.at()); remark != "" {
			text += "; " + remark
		}
		errs = append(errs, l.line("OPEN", text))
	}
	return errors.Join(append(errs, l.unheard())...)
}

// unheard lists what has not been heard of.
func (l *waitLog) unheard() error {
	var errs []error
	const silence = ": the API server has not answered yet"
	for _, t := range l.silent() {
		errs = append(errs, l.line("OPEN", t.String()+silence))
	}
	if !l.known {
		for _, name := range l.brief.request.names {
			errs = append(errs, l.line("OPEN", name+silence))
		}
	}
	return errors.Join(errs...)
}

// groundsOf returns from what a verdict was read that a rule of a user may know
// better; empty for any other.
func groundsOf(r status.Result) string {
	switch {
	case r.Rule == "report": // a condition or a field that sums the kind up is not there
		return "by what is known of its kind"
	case r.Confidence == status.Medium && r.Rule != "generation" && r.Rule != "expectation":
		return "read from its words"
	}
	return ""
}

// warnings tells of those that meet the goals with a reservation.
func (l *waitLog) warnings(b *observe.Board) error {
	var errs []error
	for _, u := range b.Updates() {
		if text := l.reservation(u); text != "" {
			errs = append(errs, l.line("WARNING", u.Target.String()+": "+text))
		}
	}
	return errors.Join(errs...)
}

// reservation returns with what reservation an object counts as met; empty for none.
func (l *waitLog) reservation(u observe.Update) string {
	r := u.Result
	current := r.Status == status.CurrentStatus
	switch {
	case u.Standing == observe.Ignored && current:
		return ""
	case u.Standing == observe.Ignored:
		return fmt.Sprintf("it is ignored, and is %s: %s", r.Status, r.Message)
	case u.Standing != observe.Met && u.Target.IsSelection():
		return r.Message + ", which is ignored"
	case u.Standing != observe.Met:
		return "it does not exist and is ignored"
	case current && r.Confidence == status.Assumed:
		return "current is assumed, " + r.Message
	case current && r.Suspended == status.Asked && r.Reason != "ScaledToZero":
		return "current while suspended, " + r.Message
	case !current && r.Reason != "ExpiredTTL" && l.wantsCurrent(u.Target):
		return fmt.Sprintf("it has been there, and is %s by now: %s", r.Status, r.Message)
	case u.Version.Replaced != "":
		return "it replaced an object of the same name while that was waited for"
	}
	return ""
}

// wantsCurrent reports whether nothing but to be current is asked of an object.
func (l *waitLog) wantsCurrent(t observe.Target) bool {
	return onlyCurrent(l.brief.goalsOf(t))
}

// summary counts the objects that are waited for by their status, and the others.
func (l *waitLog) summary(b *observe.Board, code exitCode) string {
	counts := map[status.Status]int{}
	objects, ignored, short := 0, 0, 0
	for _, u := range b.Updates() {
		switch {
		case u.Standing == observe.Ignored:
			ignored++
		case u.Target.IsSelection():
			short++
		default:
			objects++
			counts[u.Result.Status]++
		}
	}
	silent := len(l.silent())
	var text strings.Builder
	switch {
	case l.known && objects+ignored+silent == 0:
		text.WriteString("nothing matches, ")
	case short > 0 && code != exitOK:
		text.WriteString("too few match, ")
	}
	for _, part := range report.Counted(counts) {
		text.WriteString(part + ", ")
	}
	if ignored > 0 {
		fmt.Fprintf(&text, "%d ignored, ", ignored)
	}
	if silent > 0 {
		fmt.Fprintf(&text, "%d not heard of, ", silent)
	}
	return text.String()
}
