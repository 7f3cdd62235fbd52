package status

import (
	"kstatus.dev/internal/decoded"
	"kstatus.dev/status/internal/field"
	"kstatus.dev/status/internal/value"
	"kstatus.dev/status/internal/word"
)

// countSignal reads a number in the status. If it counts items in the wanted state, it must
// reach the wanted number in the spec, else in the status.
func (f *Fields) countSignal(s *signals, name string, v any) {
	ev := f.eval
	have, ok := value.Int(v)
	if !ok {
		return
	}
	if name == "replicas" {
		f.replicas(s, have)
		return
	}
	if field.IsPercentage(name) {
		f.percentSignal(s, name, have)
		return
	}
	want, known := field.BareWantedNumber(ev.status, name)
	if noun := field.CountedNoun(name); noun != "" {
		want, known = wantedNumber(ev, noun)
	}
	switch {
	case name == "failed":
		succeeded, _ := field.Number(ev.status, "succeeded")
		if known && have > 0 && have+succeeded >= want { // no item is left
			s.add(detail, &signal{kind: signalCounter, polarity: word.Failing, name: name, have: have, want: want})
		}
	case known && have < want && name == "updatedReplicas" && f.keepsOldReplicas():
	case known: // what is Available may still run an earlier version
		old := have < want && name == "updatedReplicas" && f.hasCondition("Available") && !f.hasCondition("Ready")
		f.counterSignalAs(s, choose(old, override, detail), location{}, name, have, want)
	case have > 0 && ev.isUncounted(name):
		s.add(detail, &signal{kind: signalCounter, polarity: word.Progressing, name: name, want: have})
	}
}

// keepsOldReplicas reports whether the user wants replicas of an earlier version to stay: in a
// partition, or until somebody deletes them. Fields of an unknown kind may have any type.
func (f *Fields) keepsOldReplicas() bool {
	for _, name := range [...]string{"updateStrategy", "strategy"} {
		strategy := decoded.Map(f.eval.spec, name)
		if strategy["type"] == "OnDelete" || strategy["partition"] != nil || decoded.At(strategy, "rollingUpdate", "partition") != nil {
			return true
		}
	}
	return false
}

// percentSignal adds the signal of how much of the work is done. A value of 0 may remain from
// before the work, unless the kind runs to completion.
func (f *Fields) percentSignal(s *signals, name string, have int64) {
	if have > 0 && have <= 100 || have == 0 && f.eval.hint.finite(f.eval.kind.Kind) {
		f.counterSignal(s, location{}, name, have, 100)
	}
}

// isUncounted reports whether a field holds a wanted number for which the status has no count. The
// wanted number of an autoscaler is its result.
func (ev *evaluation) isUncounted(name string) bool {
	noun := field.ExpectedNoun(name)
	if noun == "" || ev.spec["max"+noun] != nil {
		return false
	}
	for _, c := range [...]string{"ready", "available", "updated", "healthy", "current", "actual"} {
		if field.OfNoun(ev.status, c, noun) != nil {
			return false
		}
	}
	return field.OfNoun(ev.status, "", noun) == nil && ev.status["currentHealthy"] == nil
}

// replicas compares the existing replicas with the requested ones. If the status has no count of
// ready replicas, none is ready.
func (f *Fields) replicas(s *signals, have int64) {
	ev := f.eval
	want, known := field.Number(ev.spec, "replicas")
	if known && want != have && !ev.isMultiple(have, want) {
		s.add(detail, &signal{kind: signalCounter, polarity: word.Progressing, name: "replicas", have: have, want: want})
		return
	}
	for name := range ev.status {
		if field.CountedNoun(name) == "Replicas" {
			return
		}
	}
	if have > 0 {
		s.add(component, &signal{kind: signalCounter, polarity: word.Progressing, name: "readyReplicas", want: have})
	}
}

// isMultiple reports whether the count is the wanted number for each of the shards in the spec.
func (ev *evaluation) isMultiple(have, each int64) bool {
	for _, name := range [...]string{"shards", "partitions", "groups"} {
		if n, ok := field.Number(ev.spec, name); ok && n > 1 && have == n*each {
			return true
		}
	}
	return false
}

// counterSignal adds the signal of a number that must reach the wanted one.
func (f *Fields) counterSignal(s *signals, in location, name string, have, want int64) {
	f.counterSignalAs(s, choose(in == location{}, detail, component), in, name, have, want)
}

func (f *Fields) counterSignalAs(s *signals, p precedence, in location, name string, have, want int64) {
	x := signal{kind: signalCounter, in: in, name: name, have: have, want: want, polarity: word.Ready}
	if have < want {
		x.polarity = word.Progressing
	}
	if f.isTraced() {
		f.recordRead(in.path(".", name, ""), have)
	}
	s.add(p, &x)
}

// partCount reads a count of a part, such as readyMembers beside members.
func (f *Fields) partCount(s *signals, in location, name string, m map[string]any, v any) {
	have, ok := value.Int(v)
	if !ok {
		return
	}
	want, known := field.BareWantedNumber(m, name)
	if name == "failed" {
		return
	}
	if noun := field.CountedNoun(name); noun != "" {
		if want, known = field.WantedNumber(m, noun); !known {
			want, known = value.Int(field.OfNoun(m, "", noun))
		}
	}
	if known {
		f.counterSignal(s, in, name, have, want)
	}
}

// wantedNumber returns the wanted number for a noun.
func wantedNumber(ev *evaluation, noun string) (int64, bool) {
	if n, ok := value.Int(field.OfNoun(ev.spec, "", noun)); ok {
		if all, _ := field.Number(ev.status, "replicas"); noun == "Replicas" && ev.isMultiple(all, n) {
			n = all
		}
		return n, true
	}
	if n, ok := field.WantedNumber(ev.status, noun); ok {
		return n, true
	}
	if n, ok := value.Int(field.OfNoun(ev.status, "", noun)); ok || noun != "Replicas" {
		return n, ok
	}
	return value.Int(ev.spec["size"])
}

// shareSignal reads a text that says how much of something is in the wanted state, such as "2/3".
func (f *Fields) shareSignal(s *signals, name, text string) {
	if text[0] < '0' || text[0] > '9' {
		return
	}
	if have, want, ok := value.Ratio(text); ok {
		f.counterSignal(s, location{}, name, have, want)
	} else if field.IsPercentage(name) {
		if have, ok := value.Percent(text); ok {
			f.percentSignal(s, name, have)
		}
	}
}
