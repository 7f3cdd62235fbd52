package waitview

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"kstatus.dev/cmd/kstatus/internal/condense"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/explainer"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	explainlayout "kstatus.dev/explain/layout"
	"kstatus.dev/internal/directive"
	"kstatus.dev/internal/duration"
	"kstatus.dev/internal/text"
	"kstatus.dev/observe"
	"kstatus.dev/report"
	"kstatus.dev/status"
)

// A Log is the plain log of a wait: one line per change, in fixed columns, without escape
// sequences. The first verdicts are printed together and sorted, when all are known or at the
// first heartbeat. Unless it is full, lines are condensed.
type Log struct {
	Config
	Pending
	held    []Event // events held back so far
	started bool    // the first verdicts have been printed
	lines   condense.Log
	stale   map[observe.Target]bool // objects that cannot be read at the moment
	notes   output.Notes            // printed notes about annotations
}

// NewLog returns a log.
func NewLog(l Config) *Log {
	return &Log{Config: l, lines: condense.Log{All: l.Full}, stale: map[observe.Target]bool{}, notes: output.Notes{}}
}

// kindWord matches kinds that can be an argument of a command.
var kindWord = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9.-]*$`)

// maxNamed is the maximum number of objects in a heartbeat.
const maxNamed = 10

// Start prints the request, unless the log is quiet.
func (l *Log) Start() error {
	if l.Quiet {
		return nil
	}
	request := l.Brief.Request
	parts := append([]string{request.Subject}, request.Revisions...)
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
	if err := l.Flush(); err != nil {
		return err
	}
	tick := u.Tick()
	if !tick {
		l.MarkReported(u.Target)
		if err := l.lost(u); err != nil {
			return err
		}
	}
	switch {
	case !tick && l.started:
		l.change(u)
	case !tick:
		l.held = append(l.held, u)
	}
	if !l.started && (u.Synced || tick) {
		l.started = true
		slices.SortStableFunc(l.held, func(x, y Event) int { return x.Target.Compare(y.Target) })
		for _, u := range l.held {
			l.change(u)
		}
		l.held = nil
		if err := l.print(l.lines.EndWindow(l.EventTime())); err != nil {
			return err
		}
	}
	if tick {
		return l.heartbeat(b)
	}
	return l.Flush()
}

// Flush prints the lines that are due.
func (l *Log) Flush() error { return l.print(l.lines.Due(l.EventTime())) }

// print prints lines about objects.
func (l *Log) print(all []condense.Printed) error {
	var errs []error
	for _, p := range all {
		errs = append(errs, l.lineAt(p.At, p.Word, p.Text))
	}
	return errors.Join(errs...)
}

// lost prints that objects can no longer be read, and that all can again: once each, since an
// unreachable server concerns all objects.
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

// change adds the line for a verdict, unless it only repeats that the object cannot be read. For
// a selection with enough objects, only its objects have lines.
func (l *Log) change(u Event) {
	text, key := u.text, u.text
	if failure := l.failure(u); failure != "" {
		text = strings.TrimPrefix(joined(text, failure), "; ")
		key += "; it has a time"
	}
	if l.Full {
		key = text
	} else {
		key = dedupeKey(u.Update, key)
	}
	switch {
	case l.Quiet, !u.StaleSince.IsZero() && u.Result.Status == u.Previous && l.lines.HasLine(u.Target):
		return
	case u.Target.IsSelection() && u.Progress == observe.ProgressReached,
		u.Removed && u.Previous == u.Result.Status && (u.Result.Status == status.NotFoundStatus || explainer.IsSet(u.Target)): // its objects have lines now
		l.lines.Forget(u.Target)
		return
	}
	l.lines.Add(condense.Line{
		At: l.EventTime(), Target: u.Target, Word: u.word, State: string(u.Progress), Text: text, DedupeKey: key, Repeats: !l.Full && isFailure(u.Update), Topic: topicOf(u.Update),
		Notes: l.notes.Of(u.Target.Kind, u.Result.Warnings),
	})
	if u.Removed {
		l.lines.Forget(u.Target)
	}
}

// failure returns when the failure of an object counts; empty if it is not failing.
func (l *Log) failure(u Event) string {
	if u.Progress != observe.ProgressFailing || u.FailsAt.IsZero() || l.Brief.once() {
		return ""
	}
	at := u.FailsAt.Sub(l.Began)
	if limit := l.Brief.limit(); limit > 0 && at >= limit-time.Second {
		return "counts as failed at the timeout " + recoveryText(u.Result.Status)
	}
	return "fails at " + duration.Clock(at) + " " + recoveryText(u.Result.Status)
}

// recoveryText returns what would prevent a failing object from having failed.
func recoveryText(s status.Status) string {
	if s == status.TerminatingStatus || s == status.NotFoundStatus {
		return "unless it is created again"
	}
	return "unless it recovers"
}

// note prints the notes about the annotations of an object that were not printed yet for its
// kind.
func (l *Log) note(u observe.Update) error {
	var errs []error
	for _, w := range l.notes.Of(u.Target.Kind, u.Result.Warnings) {
		errs = append(errs, l.line("NOTE", u.Target.String()+": "+w))
	}
	return errors.Join(errs...)
}

// heartbeat prints that the wait runs, and what it waits for.
func (l *Log) heartbeat(b *observe.Board) error {
	var names []string
	for _, u := range b.Unmet() {
		name := u.Target.String()
		if !u.StaleSince.IsZero() {
			name += " (not seen for " + duration.Text(l.EventTime().Sub(u.StaleSince)) + ")"
		} else if remark := l.Progress.Remark(u.Target, l.EventTime()); remark != "" {
			name += " (" + remark + ")"
		}
		names = append(names, name)
	}
	unheard := len(l.unreported())
	text := fmt.Sprintf("%d of %d", len(names)+unheard, b.Len()-b.ProgressCounts()[observe.ProgressIgnored]+unheard)
	if unheard > 0 {
		text += fmt.Sprintf(", %d not read yet", unheard)
	}
	if more := len(names) - maxNamed; more > 0 {
		names = append(names[:maxNamed], fmt.Sprintf("and %d more", more))
	}
	if len(names) > 0 {
		text += ": " + strings.Join(names, ", ")
	}
	return l.line("WAITING", text)
}

// line prints one line: the time since the start, a word, and a text.
func (l *Log) line(word, what string) error {
	return errors.Join(l.print(l.lines.EndWindow(l.EventTime())), l.lineAt(l.EventTime(), word, what))
}

// wordWidth is the width of the column of words: that of the longest status.
const wordWidth = len(status.TerminatingStatus)

// lineAt prints one line. On a terminal it wraps long lines.
func (l *Log) lineAt(at time.Time, word, what string) error {
	lead := fmt.Sprintf("%s %-*s ", duration.Clock(at.Sub(l.Began)), wordWidth, word)
	_, err := fmt.Fprintln(l.Out, strings.Join(terminal.Wrap(lead, text.Line(what), l.Columns), "\n"))
	return err
}

// End prints pending objects or, after success, the warnings.
func (l *Log) End(b *observe.Board, e Result) error {
	var errs []error
	for _, u := range l.held {
		l.change(u)
	}
	errs = append(errs, l.print(l.lines.Flush(l.EventTime())))
	switch {
	case e.Code == exit.OK:
		errs = append(errs, l.warnings(b))
	case e.Cut, l.Quiet:
		errs = append(errs, l.notMet(b, e))
	}
	return errors.Join(errs...)
}

// Explain prints the explanation, in lines without a time.
func (l *Log) Explain(e *explainer.Explanation) error {
	lines := e.Sorted().Lines(e.Facts.Now)
	if len(lines) == 0 { // all is Current except for the goals, without a problem
		return nil
	}
	blank := []explainlayout.Line{{Role: explainlayout.RoleBlank}}
	page := l.Page
	page.Out = l.Out
	return page.Print(slices.Concat(blank, lines, blank))
}

// Result prints the outcome, the counts of the statuses, and how long the wait took.
func (l *Log) Result(b *observe.Board, e Result) error {
	text := resultWord(e.Code) + ": " + l.summary(b, e.Code) + "took " + duration.Text(l.EventTime().Sub(l.Began))
	if e.Code != exit.OK {
		text += fmt.Sprintf(", exit %d", e.Code)
	}
	return l.line("RESULT", text)
}

// resultWord returns the outcome in words.
func resultWord(code exit.Code) string {
	switch code {
	case exit.Missing:
		return "objects missing"
	case exit.WrongUsage:
		return "wrong usage"
	}
	return code.Outcome()
}

// wordNotMet begins the lines at the end about objects that do not meet their goals.
const wordNotMet = "NOT MET"

// notMet lists the objects that do not meet their goals, the worst first, with the reason and its
// time. Of similar objects it lists the first ones.
func (l *Log) notMet(b *observe.Board, e Result) error {
	var errs []error
	unmet := b.Unmet()
	kept, left := limit(unmet, l.Full)
	for _, u := range kept {
		errs = append(errs, l.line(wordNotMet, l.notMetText(u)))
	}
	for _, m := range left {
		errs = append(errs, l.line(wordNotMet, m))
	}
	return errors.Join(append(errs, l.unread(e))...)
}

// limit returns the first of similar updates, and texts about the others.
func limit(all []observe.Update, full bool) (kept []observe.Update, left []string) {
	if full {
		return all, nil
	}
	places, more := condense.Limit(len(all), func(i int) (word, topic string) { return statusWord(all[i]), topicOf(all[i]) })
	for _, i := range places {
		kept = append(kept, all[i])
	}
	for _, m := range more {
		first := all[m.First]
		left = append(left, fmt.Sprintf("and %d more alike: %s, %s (--progress=full lists all)", m.Count, statusWord(first), first.Result.Reason))
	}
	return kept, left
}

func (l *Log) notMetText(u observe.Update) string {
	text := u.Target.String() + ": " + statusWord(u) + duration.For(l.EventTime().Sub(u.Since)) + ", " + u.Result.Reason
	if message := u.Message(); message != "" {
		text += ": " + message
	}
	if why := standing(u); len(why) > 0 {
		text += "; " + joined(why...)
	}
	if how := evidenceText(u.Result); how != "" {
		text += "; " + how
		if kindWord.MatchString(u.Target.Kind.String()) {
			text += fmt.Sprintf(": see kstatus get --explain-rule %s; to change it, set a rule with --rules", u.Target.Kind)
		}
	}
	if !u.StaleSince.IsZero() {
		text += "; not seen for " + duration.Text(l.EventTime().Sub(u.StaleSince))
	} else if remark := l.Progress.Remark(u.Target, l.EventTime()); remark != "" {
		text += "; " + remark
	}
	return joined(text)
}

// unread lists what has not been read, unless the error of the wait explains it.
func (l *Log) unread(e Result) error {
	if e.Err != nil && (l.known || !e.Cut) {
		return nil
	}
	var errs []error
	const silence = ": the API server has not responded yet"
	for _, t := range l.unreported() {
		errs = append(errs, l.line(wordNotMet, t.String()+silence))
	}
	if !l.known {
		for _, name := range l.Brief.Request.Names {
			errs = append(errs, l.line(wordNotMet, name+silence))
		}
	}
	return errors.Join(errs...)
}

// evidenceText returns the evidence of a verdict that a user's rule could improve; empty for
// others. It is empty for an unknown state too, since the explanation names the rule.
func evidenceText(r status.Result) string {
	switch {
	case r.Rule == output.ObjectRule, r.Rule == "kind", r.Reason == status.ReasonStateNotKnown:
		return ""
	case r.Rule == "report": // a summary condition or field is missing
		return "judged by the hint for its kind"
	case r.Confidence == status.ConfidenceMedium && r.Rule != "generation" && r.Rule != "expectation":
		return "judged by the words of its status"
	}
	return ""
}

// warnings prints the objects that meet the goals with a reservation.
func (l *Log) warnings(b *observe.Board) error {
	var errs []error
	for _, u := range b.Updates() {
		if text := l.reservationText(u); text != "" {
			errs = append(errs, l.line("WARNING", u.Target.String()+": "+text))
		}
	}
	return errors.Join(errs...)
}

// reservationText returns the reservation with which an object meets its goals; empty if it has
// none.
func (l *Log) reservationText(u observe.Update) string {
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
	case current && r.Rule == output.ObjectRule:
		return "current " + u.Message()
	case current && r.Reason == status.ReasonAwaitingManualDeletion:
		return "current with outdated Pods, " + u.Message()
	case current && r.Suspended == status.SuspendedByUser && r.Caveat == "" && r.Reason != status.ReasonScaledToZero:
		return "current while suspended, " + u.Message()
	case current && len(r.AllWarnings()) > 0:
		return "current, but " + strings.Join(r.AllWarnings(), "; ")
	case !current && r.Reason != status.ReasonExpiredTTL && l.wantsCurrent(u.Target):
		return fmt.Sprintf("it met its goal earlier, and is %s now: %s", r.Status, u.Message())
	}
	if u.Version.ReplacedUID != "" {
		return "it replaced an object of the same name during the wait"
	}
	return ""
}

// ignoredBy returns why the object's own annotation ignores it; empty if it does not.
func ignoredBy(u observe.Update) string {
	for _, w := range u.Result.Warnings {
		if strings.HasSuffix(w, "by its annotation "+directive.Ignore) {
			return " by its annotation " + directive.Ignore
		}
	}
	return ""
}

// wantsCurrent reports whether Current is the only goal of an object.
func (l *Log) wantsCurrent(t observe.Target) bool {
	return onlyCurrent(l.Brief.goalsOf(t))
}

// summary counts the objects that are waited for by their status, and the others.
func (l *Log) summary(b *observe.Board, code exit.Code) string {
	counts, words := map[status.Status]int{}, map[string]int{}
	objects, ignored, short, unreached := 0, 0, 0, 0
	for _, u := range b.Updates() {
		switch {
		case u.Progress == observe.ProgressIgnored:
			ignored++
		case u.Target.IsSelection() && u.Result.Reason == status.ReasonTransport:
			unreached++
		case u.Target.IsSelection():
			short++
		default:
			objects++
			if word := wordOf(u); word == wordMet || word == wordGone || word == wordUnmet {
				words[word]++
			} else {
				counts[status.Status(statusWord(u))]++
			}
		}
	}
	silent := len(l.unreported())
	var text strings.Builder
	switch {
	case unreached > 0:
		text.WriteString("API server not reached, ")
	case l.known && objects+ignored+silent == 0:
		text.WriteString("nothing matches, ")
	case short > 0 && code != exit.OK:
		text.WriteString("too few match, ")
	}
	for _, word := range []string{wordGone, wordMet, wordUnmet} {
		if n := words[word]; n > 0 {
			fmt.Fprintf(&text, "%d %s, ", n, strings.ToLower(word))
		}
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
