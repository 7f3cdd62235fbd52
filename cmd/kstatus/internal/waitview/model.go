package waitview

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"kstatus.dev/internal/duration"
	"kstatus.dev/internal/text"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A model is what there is to see of a wait at one time. Frames of any size are
// made of it.
type model struct {
	subject string // where it plays
	done    string // the word for what meets the goals
	met     int
	all     int // that are waited for
	counts  []count
	elapsed time.Duration
	timeout time.Duration  // zero: for ever
	rows    []row          // what is open, the worst first
	more    map[string]int // how many more are open, by what they are said to be
	folds   []row          // what is not, one row for each word
}

// A count is how many objects have a word.
type count struct {
	n    int
	word string
}

// A row is a line about one object, or about many that are as they should be.
type row struct {
	marker  marker
	word    string
	object  string
	since   time.Duration // it has had its word
	changed time.Duration // ago something has changed about it
	why     string
	remark  string // what stands behind why, and is kept where that is cut
	close   bool   // the remark belongs to why
}

// A marker repeats in one column what the word says.
type marker int

// The markers.
const (
	markerMoving marker = iota
	markerWrong
	markerDone
	markerAside
)

// A modelInput is what a model is made of.
type modelInput struct {
	look     Config
	pending  *Pending
	board    *observe.Board
	progress *Progress
	now      time.Time
	most     int // rows that are needed; the others are counted. Zero: all
}

// model says what there is to see.
func (s modelInput) model() model {
	name := s.naming()
	brief := s.look.Brief
	sc := model{subject: s.subject(), done: "there", elapsed: s.now.Sub(s.look.Began), timeout: brief.limit()}
	if len(brief.Scoped) == 0 && onlyCurrent(brief.Goals) {
		sc.done = "current"
	}
	counts, folds, open := map[string]int{}, groupCount{}, 0
	for _, u := range s.board.Updates() {
		switch {
		case u.Progress == observe.ProgressReached:
			sc.met++
			folds.add(u)
			continue
		case u.Progress == observe.ProgressIgnored:
			counts["ignored"]++
			folds.add(u)
			continue
		}
		word := sentenceWord(wordOf(u))
		counts[word]++
		open++
		if s.most == 0 || open <= s.most {
			sc.rows = append(sc.rows, s.row(u, name))
			continue
		}
		if sc.more == nil {
			sc.more = map[string]int{}
		}
		sc.more[word]++
	}
	silent := s.pending.unreported()
	sc.all = sc.met + open + len(silent)
	if n := len(silent); n > 0 {
		counts["not read yet"] = n
	}
	sc.folds = folds.rows()
	for _, word := range countOrder {
		if n := counts[word]; n > 0 {
			sc.counts = append(sc.counts, count{n, word})
		}
	}
	return sc
}

// The words of the head line, in their order there.
var countOrder = []string{"in progress", "not found", "terminating", "unknown", "failing", "failed", "current", "late", "ignored", "not read yet"}

// sentenceWord returns a status word as it stands in a sentence.
func sentenceWord(word string) string {
	switch word {
	case string(status.InProgressStatus):
		return "in progress"
	case string(status.NotFoundStatus):
		return "not found"
	}
	return strings.ToLower(word)
}

// row tells of an object that is waited for.
func (s modelInput) row(u observe.Update, name func(observe.Target) string) row {
	r := row{word: wordOf(u), object: name(u.Target), why: strings.Join(details(u), "; "), since: s.now.Sub(u.Since)}
	switch u.Progress {
	case observe.ProgressFailing, observe.ProgressFailed, observe.ProgressUnreadable, observe.ProgressTimedOut:
		r.marker = markerWrong
	}
	since, changed := s.progress.times(u.Target)
	if !changed.IsZero() {
		r.changed = s.now.Sub(changed)
	}
	switch {
	case !u.StaleSince.IsZero():
		r.remark = "not seen for " + duration.Text(s.now.Sub(u.StaleSince))
	case u.Progress == observe.ProgressFailing && !u.FailsAt.IsZero():
		if !since.IsZero() {
			r.since = s.now.Sub(since)
		}
		r.remark, r.close = "fails in "+duration.Text(u.FailsAt.Sub(s.now)), true
	default:
		r.remark = s.progress.remark(u.Target, s.now)
	}
	return r
}

// A group is objects that are as they should be, or do not matter: their word, and
// in how far it holds.
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

// rows returns one row for each group, those that are plainly current last.
func (c groupCount) rows() (rows []row) {
	groups := slices.SortedFunc(maps.Keys(c), group.compare)
	for _, g := range slices.Backward(groups) {
		kinds, word, how := c[g], g.word, g.how
		names := slices.SortedFunc(maps.Keys(kinds), func(x, y string) int {
			return cmp.Or(cmp.Compare(kinds[y], kinds[x]), cmp.Compare(x, y))
		})
		total := 0
		for i, kind := range names {
			total += kinds[kind]
			names[i] = fmt.Sprintf("%s %d", kind, kinds[kind])
		}
		if how != "" {
			how = " " + how
		}
		r := row{marker: markerDone, word: word, why: fmt.Sprintf("%d%s: %s", total, how, strings.Join(names, ", "))}
		if word == "Ignored" {
			r.marker = markerAside
		}
		rows = append(rows, r)
	}
	return rows
}

// subject says where the objects are.
func (s modelInput) subject() string {
	request := s.look.Brief.Request
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

// naming returns how objects are named: with their namespace only if there are several.
func (s modelInput) naming() func(observe.Target) string {
	several := len(s.look.Brief.Request.Namespaces) != 1
	return func(t observe.Target) string {
		if !several {
			t.Namespace = ""
		}
		return t.String()
	}
}
