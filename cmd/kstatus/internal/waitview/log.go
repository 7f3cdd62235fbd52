package waitview

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/explainer"
	"kstatus.dev/cmd/kstatus/internal/output"
	explainlayout "kstatus.dev/explain/layout"
	"kstatus.dev/internal/directive"
	"kstatus.dev/internal/duration"
	"kstatus.dev/internal/text"
	"kstatus.dev/observe"
	"kstatus.dev/report"
	"kstatus.dev/status"
)

// A Log is the plain log of a wait: one line per change, in fixed columns,
// without escape sequences. The first verdicts are printed together and sorted, once all
// are known or a heartbeat comes.
type Log struct {
	Config
	Pending
	first   []Event // held back so far
	started bool    // the first verdicts have been told
	before  map[observe.Target]string
	stale   map[observe.Target]bool // those that cannot be looked at for the time being
	notes   output.Notes            // what has been said of annotations
}

// NewLog returns a log.
func NewLog(l Config) *Log {
	return &Log{Config: l, before: map[observe.Target]string{}, stale: map[observe.Target]bool{}, notes: output.Notes{}}
}

// kindWord matches kinds that can be an argument of a command.
var kindWord = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9.-]*$`)

// mostNamed is how many objects a heartbeat names.
const mostNamed = 10

// Start prints the request, unless the log is quiet.
func (l *Log) Start() error {
	if l.Quiet {
		return nil
	}
	request := l.Brief.Request
	parts := []string{request.Subject}
	switch n := len(request.Namespaces); {
	case n == 1 && request.Namespaces[0] != "":
		parts = append(parts, "namespace "+request.Namespaces[0])
	case n > 1:
		parts = append(parts, text.Count(n, "namespace"))
	case n == 0 && request.Objects < 0:
		parts = append(parts, "all namespaces")
	}
	switch n := len(request.Contexts); {
	case n == 1:
		parts = append(parts, "context "+request.Contexts[0])
	case n > 1:
		parts = append(parts, "contexts "+strings.Join(request.Contexts, " and "))
	}
	parts = append(parts, "goal "+l.Brief.goalText(), l.Brief.timeText())
	return l.line("START", strings.Join(parts, ", "))
}

// Update prints a change.
func (l *Log) Update(u Event, b *observe.Board) error {
	tick := u.Tick()
	if !tick {
		l.MarkReported(u.Target)
		if err := l.lost(u); err != nil {
			return err
		}
	}
	switch {
	case !tick && l.started:
		return l.change(u)
	case !tick:
		l.first = append(l.first, u)
	}
	if !l.started && (u.Synced || tick) {
		l.started = true
		slices.SortStableFunc(l.first, func(x, y Event) int { return x.Target.Compare(y.Target) })
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
func (l *Log) lost(u Event) error {
	had := len(l.stale)
	if u.StaleSince.IsZero() || u.Removed {
		delete(l.stale, u.Target)
	} else {
		l.stale[u.Target] = true
	}
	switch has := len(l.stale); {
	case l.Quiet:
	case had == 0 && has > 0:
		return l.line("STALE", fmt.Sprintf("connection lost; showing the last known state: %v", u.Err))
	case had > 0 && has == 0:
		return l.line("FRESH", "all objects are read again")
	}
	return nil
}

// change tells a verdict, unless it reads as the one before, or there is
// nothing new in it but that the object cannot be looked at. Of a selection
// that has what it needs, its objects tell.
func (l *Log) change(u Event) error {
	text := u.text
	text += l.failure(u)
	whole := u.word + text
	known, told := l.before[u.Target]
	switch {
	case l.Quiet, known == whole, told && !u.StaleSince.IsZero() && u.Result.Status == u.Previous:
		return nil
	case u.Target.IsSelection() && u.Progress == observe.ProgressReached:
		delete(l.before, u.Target)
		return nil
	case u.Removed:
		delete(l.before, u.Target)
	default:
		l.before[u.Target] = whole
	}
	errs := []error{l.line(u.word, text)}
	return errors.Join(append(errs, l.note(u.Update))...)
}

// failure says when the failure of an object counts; empty if it does not fail.
func (l *Log) failure(u Event) string {
	if u.Progress != observe.ProgressFailing || u.FailsAt.IsZero() {
		return ""
	}
	unless := " unless it recovers"
	switch u.Result.Status {
	case status.TerminatingStatus, status.NotFoundStatus:
		unless = " unless it is created again"
	}
	at := u.FailsAt.Sub(l.Began)
	if limit := l.Brief.limit(); limit > 0 && at >= limit-time.Second {
		return "; counts as failed at the timeout" + unless
	}
	return "; fails at " + duration.Clock(at) + unless
}

// note tells of the annotations of an object, unless it has been told for its kind.
func (l *Log) note(u observe.Update) error {
	var errs []error
	for _, w := range l.notes.Of(u.Target.Kind, u.Result.Warnings) {
		errs = append(errs, l.line("NOTE", u.Target.String()+": "+w))
	}
	return errors.Join(errs...)
}

// heartbeat says that there is life, and what is still waited for.
func (l *Log) heartbeat(b *observe.Board) error {
	var names []string
	for _, u := range b.Unmet() {
		name := u.Target.String()
		if !u.StaleSince.IsZero() {
			name += " (not seen for " + duration.Text(l.EventTime().Sub(u.StaleSince)) + ")"
		} else if remark := l.Progress.remark(u.Target, l.EventTime()); remark != "" {
			name += " (" + remark + ")"
		}
		names = append(names, name)
	}
	unheard := len(l.unreported())
	text := fmt.Sprintf("%d of %d", len(names)+unheard, b.Len()-b.ProgressCounts()[observe.ProgressIgnored]+unheard)
	if unheard > 0 {
		text += fmt.Sprintf(", %d not read yet", unheard)
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
func (l *Log) line(word, what string) error {
	_, err := fmt.Fprintf(l.Out, "%s %-10s %s\n", duration.Clock(l.EventTime().Sub(l.Began)), word, text.Line(what))
	return err
}

// End prints what is open or, after success, the warnings.
func (l *Log) End(b *observe.Board, e Result) error {
	var errs []error
	for _, u := range l.first {
		errs = append(errs, l.change(u))
	}
	switch {
	case e.Code == exit.OK:
		errs = append(errs, l.warnings(b))
	case e.Cut, l.Quiet:
		errs = append(errs, l.open(b, e))
	}
	return errors.Join(errs...)
}

// Explain prints the explanation, in lines without a time.
func (l *Log) Explain(e *explainer.Explanation) error {
	lines := e.Lines(e.Facts.Now)
	if len(lines) == 0 { // all is Current but for the goals, and nothing is wrong
		return nil
	}
	blank := []explainlayout.Line{{Role: explainlayout.RoleBlank}}
	page := l.Page
	page.Out = l.Out
	return page.Print(slices.Concat(blank, lines, blank))
}

// Result prints the outcome, the counts of the statuses, and how long the wait took.
func (l *Log) Result(b *observe.Board, e Result) error {
	text := e.Code.Outcome() + ": " + l.summary(b, e.Code) + "took " + duration.Text(l.EventTime().Sub(l.Began))
	if e.Code != exit.OK {
		text += fmt.Sprintf(", exit %d", e.Code)
	}
	return l.line("RESULT", text)
}

// open lists what is not there, the worst first, with the reason and since when.
func (l *Log) open(b *observe.Board, e Result) error {
	var errs []error
	for _, u := range b.Unmet() {
		text := fmt.Sprintf("%s: %s for %s, %s", u.Target, wordOf(u), duration.Text(l.EventTime().Sub(u.Since)), u.Result.Reason)
		if message := u.Message(); message != "" {
			text += ": " + message
		}
		if why := standing(u); len(why) > 0 {
			text += "; " + strings.Join(why, "; ")
		}
		if how := groundsOf(u.Result); how != "" {
			text += "; " + how
			if kindWord.MatchString(u.Target.Kind.String()) {
				text += fmt.Sprintf(": see get --explain-rule %s, and --rules to say otherwise", u.Target.Kind)
			}
		}
		if !u.StaleSince.IsZero() {
			text += "; not seen for " + duration.Text(l.EventTime().Sub(u.StaleSince))
		} else if remark := l.Progress.remark(u.Target, l.EventTime()); remark != "" {
			text += "; " + remark
		}
		errs = append(errs, l.line("OPEN", text))
	}
	return errors.Join(append(errs, l.unread(e))...)
}

// unread lists what has not been read, unless the wait has ended with an answer that says why.
func (l *Log) unread(e Result) error {
	if e.Err != nil && !connection.IsUnreachable(e.Err) {
		return nil
	}
	var errs []error
	const silence = ": the API server has not answered yet"
	for _, t := range l.unreported() {
		errs = append(errs, l.line("OPEN", t.String()+silence))
	}
	if !l.known {
		for _, name := range l.Brief.Request.Names {
			errs = append(errs, l.line("OPEN", name+silence))
		}
	}
	return errors.Join(errs...)
}

// groundsOf returns from what a verdict was read that a rule of a user may know
// better; empty for any other.
func groundsOf(r status.Result) string {
	switch {
	case r.Rule == output.OwnRule:
		return ""
	case r.Rule == "report": // a condition or a field that sums the kind up is not there
		return "by what is known of its kind"
	case r.Confidence == status.ConfidenceMedium && r.Rule != "generation" && r.Rule != "expectation":
		return "read from its words"
	}
	return ""
}

// warnings tells of those that meet the goals with a reservation.
func (l *Log) warnings(b *observe.Board) error {
	var errs []error
	for _, u := range b.Updates() {
		if text := l.reservation(u); text != "" {
			errs = append(errs, l.line("WARNING", u.Target.String()+": "+text))
		}
	}
	return errors.Join(errs...)
}

// reservation returns with what reservation an object counts as met; empty for none.
func (l *Log) reservation(u observe.Update) string {
	r := u.Result
	current := r.Status == status.CurrentStatus
	switch {
	case u.Progress == observe.ProgressIgnored && current:
		return ""
	case u.Progress == observe.ProgressIgnored:
		return fmt.Sprintf("it is ignored%s, and is %s: %s", ignoredBy(u), r.Status, u.Message())
	case u.Progress != observe.ProgressReached && u.Target.IsSelection():
		return u.Message() + ", which is ignored"
	case u.Progress != observe.ProgressReached:
		return "it does not exist and is ignored"
	case current && r.Confidence == status.ConfidenceAssumed:
		return "current is assumed, " + u.Message()
	case current && r.Rule == output.OwnRule:
		return "current " + u.Message()
	case current && r.Suspended == status.SuspendedByUser && r.Reason != "ScaledToZero":
		return "current while suspended, " + u.Message()
	case !current && r.Reason != "ExpiredTTL" && l.wantsCurrent(u.Target):
		return fmt.Sprintf("it has been there, and is %s by now: %s", r.Status, u.Message())
	case u.Version.ReplacedUID != "":
		return "it replaced an object of the same name while that was waited for"
	}
	return ""
}

// ignoredBy says that an object is ignored because it asks for that itself; empty if not.
func ignoredBy(u observe.Update) string {
	for _, w := range u.Result.Warnings {
		if strings.HasSuffix(w, "by its annotation "+directive.Ignore) {
			return " by its annotation " + directive.Ignore
		}
	}
	return ""
}

// wantsCurrent reports whether nothing but to be current is asked of an object.
func (l *Log) wantsCurrent(t observe.Target) bool {
	return onlyCurrent(l.Brief.goalsOf(t))
}

// summary counts the objects that are waited for by their status, and the others.
func (l *Log) summary(b *observe.Board, code exit.Code) string {
	counts := map[status.Status]int{}
	objects, ignored, short := 0, 0, 0
	for _, u := range b.Updates() {
		switch {
		case u.Progress == observe.ProgressIgnored:
			ignored++
		case u.Target.IsSelection():
			short++
		default:
			objects++
			counts[status.Status(wordOf(u))]++
		}
	}
	silent := len(l.unreported())
	var text strings.Builder
	switch {
	case l.known && objects+ignored+silent == 0:
		text.WriteString("nothing matches, ")
	case short > 0 && code != exit.OK:
		text.WriteString("too few match, ")
	}
	for _, part := range report.Summarize(counts) {
		text.WriteString(part + ", ")
	}
	if ignored > 0 {
		fmt.Fprintf(&text, "%d ignored, ", ignored)
	}
	if silent > 0 {
		fmt.Fprintf(&text, "%d not read yet, ", silent)
	}
	return text.String()
}
