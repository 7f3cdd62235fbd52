package waitview

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"kstatus.dev/cmd/kstatus/internal/condense"
	"kstatus.dev/cmd/kstatus/internal/frame"
	"kstatus.dev/cmd/kstatus/internal/history"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/internal/duration"
	"kstatus.dev/internal/text"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A modelInput is the input of a model.
type modelInput struct {
	config   Config
	pending  *Pending
	board    *observe.Board
	progress *history.Progress
	now      time.Time
	most     int  // the maximum number of rows; others are counted. Zero: all
	endless  bool // the wait does not end by itself
	limited  bool // of similar objects only the first ones are shown
}

// model returns the content of a frame.
func (s modelInput) model() frame.Model {
	name := s.naming()
	brief := s.config.Brief
	sc := frame.Model{Subject: s.subject(), Done: "met", Elapsed: s.now.Sub(s.config.Began), Timeout: brief.limit(), Endless: s.endless}
	if len(brief.Scoped) == 0 && onlyCurrent(brief.Goals) {
		sc.Done = "current"
	}
	if len(brief.Scoped) == 0 && onlyDeleted(brief.Goals) {
		sc.Done = "gone"
	}
	counts, folds := map[string]int{}, groupCount{}
	var open []observe.Update
	for _, u := range s.board.Updates() {
		switch {
		case u.Progress == observe.ProgressReached:
			sc.Met++
			folds.add(u)
			continue
		case u.Progress == observe.ProgressIgnored:
			counts["ignored"]++
			folds.add(u)
			continue
		}
		open = append(open, u)
		counts[frame.SentenceWord(wordOf(u))]++
	}
	sc.All = sc.Met + len(open)
	if s.limited {
		open, sc.Left = limit(open, s.config.Full)
	}
	for i, u := range open {
		if s.most == 0 || i < s.most {
			sc.Rows = append(sc.Rows, s.row(u, name))
			continue
		}
		if sc.More == nil {
			sc.More = map[string]int{}
		}
		sc.More[frame.SentenceWord(wordOf(u))]++
	}
	silent := s.pending.unreported()
	if n := len(silent); n > 0 {
		counts["not read yet"] = n
		sc.All += n
	}
	sc.Folds = folds.rows()
	for _, word := range frame.CountOrder {
		if n := counts[word]; n > 0 {
			sc.Counts = append(sc.Counts, frame.Count{N: n, Word: word})
		}
	}
	return sc
}

// row returns the row of an object that is waited for.
func (s modelInput) row(u observe.Update, name func(observe.Target) string) frame.Row {
	r := frame.Row{
		Word: wordOf(u), Object: name(u.Target), Since: s.now.Sub(u.Since),
		Why:   strings.TrimSuffix(joined(details(u, u.Message())...), "."),
		Short: strings.TrimSuffix(joined(details(u, output.ShortMessage(u.Result.Message, u.Parts))...), "."),
	}
	switch u.Progress {
	case observe.ProgressFailing, observe.ProgressFailed, observe.ProgressUnreadable, observe.ProgressTimedOut:
		r.Marker = frame.MarkerFailed
	}
	since, changed := s.progress.Times(u.Target)
	if !changed.IsZero() {
		r.Changed = s.now.Sub(changed)
	}
	switch {
	case !u.StaleSince.IsZero():
		r.Remark = "not seen for " + duration.Text(s.now.Sub(u.StaleSince))
	case u.Progress == observe.ProgressFailing && !u.FailsAt.IsZero():
		if !since.IsZero() {
			r.Since = s.now.Sub(since)
		}
		r.Remark, r.Close = "fails in "+duration.Text(u.FailsAt.Sub(s.now)), true
	default:
		r.Remark = s.progress.Remark(u.Target, s.now)
	}
	return r
}

// A group is a set of objects that meet their goals or do not matter: their word, and its
// reservation.
type group struct{ word, how string }

func (g group) compare(h group) int {
	return cmp.Or(cmp.Compare(g.word, h.word), cmp.Compare(g.how, h.how))
}

// A groupCount counts the objects of groups by kind.
type groupCount map[group]map[string]int

func (c groupCount) add(u observe.Update) {
	g := group{word: wordOf(u)}
	switch r := u.Result; {
	case u.Progress == observe.ProgressIgnored:
		g.word = "Ignored"
	case r.Status != status.CurrentStatus:
	case r.Confidence == status.ConfidenceAssumed:
		g.how = "assumed"
	case r.Suspended != "":
		g.how = "suspended"
	}
	if c[g] == nil {
		c[g] = map[string]int{}
	}
	c[g][u.Target.Kind.Kind]++
}

// rows returns one row for each group. The Current objects without a reservation come last.
func (c groupCount) rows() (rows []frame.Row) {
	groups := slices.SortedFunc(maps.Keys(c), group.compare)
	for _, g := range slices.Backward(groups) {
		word, text := g.word, condense.CountKinds(c[g])
		if g.how != "" {
			text = strings.Replace(text, ":", " "+g.how+":", 1)
		}
		r := frame.Row{Marker: frame.MarkerDone, Word: word, Why: text}
		if word == "Ignored" {
			r.Marker = frame.MarkerIgnored
		}
		rows = append(rows, r)
	}
	return rows
}

// subject returns where the objects are.
func (s modelInput) subject() string {
	request := s.config.Brief.Request
	var parts []string
	switch n := len(request.Namespaces); {
	case n == 1 && request.Namespaces[0] != "":
		parts = append(parts, request.Namespaces[0])
	case n > 1:
		parts = append(parts, text.Count(n, "namespace"))
	case n == 0 && request.Objects < 0:
		parts = append(parts, "all namespaces")
	}
	if n := len(request.Clusters); n > 1 {
		parts = append(parts, text.Count(n, "context"))
	}
	return strings.Join(parts, ", ")
}

// naming returns how objects are named: with their namespace only if they are in several.
func (s modelInput) naming() func(observe.Target) string {
	several := len(s.config.Brief.Request.Namespaces) != 1
	return func(t observe.Target) string {
		if !several {
			t.Namespace = ""
		}
		return t.String()
	}
}
