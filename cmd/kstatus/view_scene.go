package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"kstatus.dev/internal/text"
	"kstatus.dev/observe"
	"kstatus.dev/report"
	"kstatus.dev/status"
)

// A scene is what there is to see of a wait at one time. Frames of any size are
// made of it.
type scene struct {
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
	sign    sign
	word    string
	object  string
	since   time.Duration // it has had its word
	changed time.Duration // ago something has changed about it
	why     string
	remark  string // what stands behind why, and is kept where that is cut
	close   bool   // the remark belongs to why
}

// A sign repeats in one column what the word says.
type sign int

// The signs.
const (
	signMoving sign = iota
	signWrong
	signDone
	signAside
)

// A stage is what a scene is made of.
type stage struct {
	look  waitLook
	roll  *roll
	board *observe.Board
	pace  *pace
	now   time.Time
	most  int // rows that are needed; the others are counted. Zero: all
}

// scene says what there is to see.
func (s stage) scene() scene {
	name := s.naming()
	brief := s.look.brief
	sc := scene{subject: s.subject(), done: "there", elapsed: s.now.Sub(s.look.began), timeout: brief.limit()}
	if len(brief.scoped) == 0 && onlyCurrent(brief.goals) {
		sc.done = "current"
	}
	counts, folds, open := map[string]int{}, map[string]map[string]int{}, 0
	for _, u := range s.board.Updates() {
		switch {
		case u.Standing == observe.Met:
			sc.met++
			fold(folds, u)
			continue
		case u.Standing == observe.Ignored:
			counts["ignored"]++
			fold(folds, u)
			continue
		}
		word := spoken(wordOf(u))
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
	silent := s.roll.silent()
	sc.all = sc.met + open + len(silent)
	if n := len(silent); n > 0 {
		counts["not heard of"] = n
	}
	sc.folds = folded(folds)
	for _, word := range countOrder {
		if n := counts[word]; n > 0 {
			sc.counts = append(sc.counts, count{n, word})
		}
	}
	return sc
}

// The words of the head line, in their order there.
var countOrder = []string{"in progress", "not found", "terminating", "unknown", "failing", "failed", "current", "late", "ignored", "not heard of"}

// spoken returns a status word as it stands in a sentence.
func spoken(word string) string {
	switch word {
	case string(status.InProgressStatus):
		return "in progress"
	case string(status.NotFoundStatus):
		return "not found"
	}
	return strings.ToLower(word)
}

// row tells of an object that is waited for.
func (s stage) row(u observe.Update, name func(observe.Target) string) row {
	r := row{word: wordOf(u), object: name(u.Target), why: strings.Join(because(u), "; "), since: s.now.Sub(u.Since)}
	switch u.Standing {
	case observe.Failing, observe.Failed, observe.Barred, observe.Late:
		r.sign = signWrong
	}
	since, changed := s.pace.times(u.Target)
	if !changed.IsZero() {
		r.changed = s.now.Sub(changed)
	}
	switch {
	case !u.Stale.IsZero():
		r.remark = "not seen for " + report.Lasting(s.now.Sub(u.Stale))
	case u.Standing == observe.Failing && !u.FailsAt.IsZero():
		if !since.IsZero() {
			r.since = s.now.Sub(since)
		}
		r.remark, r.close = "fails in "+report.Lasting(u.FailsAt.Sub(s.now)), true
	default:
		r.remark = s.pace.remark(u.Target, s.now)
	}
	return r
}

// fold counts what is as it should be, or does not matter, by word and kind.
func fold(folds map[string]map[string]int, u observe.Update) {
	word := string(u.Result.Status)
	switch r := u.Result; {
	case u.Standing == observe.Ignored:
		word = "Ignored"
	case r.Status != status.CurrentStatus:
	case r.Confidence == status.Assumed:
		word += " assumed"
	case r.Suspended != status.NotSuspended:
		word += " suspended"
	}
	if folds[word] == nil {
		folds[word] = map[string]int{}
	}
	folds[word][u.Target.Kind.Kind]++
}

// folded returns one row for each word, those that are plainly current last.
func folded(folds map[string]map[string]int) (rows []row) {
	for _, words := range slices.Backward(slices.Sorted(maps.Keys(folds))) {
		word, how, _ := strings.Cut(words, " ")
		kinds := folds[words]
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
		r := row{sign: signDone, word: word, why: fmt.Sprintf("%d%s: %s", total, how, strings.Join(names, ", "))}
		if word == "Ignored" {
			r.sign = signAside
		}
		rows = append(rows, r)
	}
	return rows
}

// subject says where the objects are.
func (s stage) subject() string {
	request := s.look.brief.request
	var parts []string
	switch n := len(request.namespaces); {
	case n == 1 && request.namespaces[0] != "":
		parts = append(parts, request.namespaces[0])
	case n > 1:
		parts = append(parts, text.Count(n, "namespace"))
	case n == 0 && request.objects < 0:
		parts = append(parts, "all namespaces")
	}
	if n := len(request.clusters); n > 1 {
		parts = append(parts, text.Count(n, "context"))
	}
	return strings.Join(parts, ", ")
}

// naming returns how objects are named: with their namespace only if there are several.
func (s stage) naming() func(observe.Target) string {
	several := len(s.look.brief.request.namespaces) != 1
	return func(t observe.Target) string {
		if !several {
			t.Namespace = ""
		}
		return t.String()
	}
}
