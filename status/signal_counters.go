package status

import (
	"strconv"
	"strings"

	"kstatus.dev/status/internal/value"
	"kstatus.dev/status/internal/word"
)

// countPrefixes are the beginnings of the names of fields that count what is as
// wanted, such as readyReplicas.
var countPrefixes = []string{"ready", "available", "updated", "healthy"}

// wantPrefixes are the beginnings of the names of fields that say how many are
// wanted.
var wantPrefixes = []string{"desired", "expected", "total"}

// bareCount is the field that counts what is as wanted without a noun.
const bareCount = "ready"

// bareWants are the fields that say without a noun how many are wanted.
var bareWants = []string{"size", "total", "desired", "replicas", "count"}

// countSignal reads a number in the status. If it counts what is as wanted, it must
// reach the number that the spec, or else the status, says is wanted.
func (f *Fields) countSignal(s *signals, field string, v any) {
	ev := f.eval
	have, ok := value.Int(v)
	if !ok {
		return
	}
	if field == "replicas" {
		f.replicas(s, have)
		return
	}
	want, known := int64(0), false
	if field == bareCount {
		want, known = countFirst(ev.status, bareWants)
	} else if noun := counted(field); noun != "" {
		want, known = wanted(ev, noun)
	}
	switch {
	case known:
		f.counterSignal(s, location{}, field, have, want)
	case have > 0 && ev.uncounted(field):
		s.add(detail, &signal{kind: signalCounter, polarity: word.Progressing, name: field, want: have})
	}
}

// uncounted reports whether a field says how many are wanted of what the status
// does not count. What an autoscaler wants is its result.
func (ev *evaluation) uncounted(field string) bool {
	for _, start := range wantPrefixes[:2] {
		noun, ok := strings.CutPrefix(field, start)
		if !ok || !strings.HasSuffix(noun, "s") || word.HasAnySuffix(noun, stocks) || ev.spec["max"+noun] != nil {
			continue
		}
		for _, c := range [...]string{"ready", "available", "updated", "healthy", "current", "actual"} {
			if nounField(ev.status, c, noun) != nil {
				return false
			}
		}
		return nounField(ev.status, "", noun) == nil
	}
	return false
}

// replicas compares how many there are with how many the spec asks for, and
// takes those that are ready as none if the status does not count them.
func (f *Fields) replicas(s *signals, have int64) {
	ev := f.eval
	want, known := count(ev.spec, "replicas")
	if known && want != have && !ev.multiple(have, want) {
		s.add(detail, &signal{kind: signalCounter, polarity: word.Progressing, name: "replicas", have: have, want: want})
		return
	}
	for field := range ev.status {
		if counted(field) == "Replicas" {
			return
		}
	}
	if have > 0 {
		s.add(component, &signal{kind: signalCounter, polarity: word.Progressing, name: "readyReplicas", want: have})
	}
}

// multiple reports whether there are so many for each of the shards that the
// spec asks for.
func (ev *evaluation) multiple(have, each int64) bool {
	for _, field := range [...]string{"shards", "partitions", "groups"} {
		if n, ok := count(ev.spec, field); ok && n > 1 && have == n*each {
			return true
		}
	}
	return false
}

// counterSignal adds the signal of a number that must reach the wanted one.
func (f *Fields) counterSignal(s *signals, in location, field string, have, want int64) {
	f.counterSignalAs(s, choose(in == location{}, detail, component), in, field, have, want)
}

func (f *Fields) counterSignalAs(s *signals, p precedence, in location, field string, have, want int64) {
	x := signal{kind: signalCounter, in: in, name: field, have: have, want: want, polarity: word.Ready}
	if have < want {
		x.polarity = word.Progressing
	}
	if f.traced() {
		f.saw(in.path(".", field, ""), have)
	}
	s.add(p, &x)
}

// partCount reads a number of a part, such as readyMembers beside members.
func (f *Fields) partCount(s *signals, in location, field string, m map[string]any, v any) {
	have, ok := value.Int(v)
	if !ok {
		return
	}
	want, known := int64(0), false
	if field == bareCount {
		want, known = countFirst(m, bareWants)
	} else if noun := counted(field); noun != "" {
		if want, known = wantedIn(m, noun); !known {
			want, known = value.Int(nounField(m, "", noun))
		}
	}
	if known {
		f.counterSignal(s, in, field, have, want)
	}
}

// The ends of what is measured or handed out, not counted: of that as much is
// available as nobody has taken.
var stocks = []string{
	"Addresses", "Bytes", "CPU", "CPUs", "Capacity", "Cores", "Cpu", "Disk", "GPU", "GPUs", "IPs", "Memory", "Quota", "Size", "Slots", "Space", "Storage",
	"Minutes", "Seconds", "Subnets", "Units",
}

// counted returns what a field counts, as Replicas for readyReplicas; empty if
// it does not count what is as wanted.
func counted(field string) string {
	for _, start := range countPrefixes {
		if noun, ok := strings.CutPrefix(field, start); ok && noun != "" && noun[0] >= 'A' && noun[0] <= 'Z' && !word.HasAnySuffix(noun, stocks) {
			return noun
		}
	}
	return ""
}

// wanted returns how many of what is counted are wanted.
func wanted(ev *evaluation, noun string) (int64, bool) {
	if n, ok := value.Int(nounField(ev.spec, "", noun)); ok {
		if all, _ := count(ev.status, "replicas"); noun == "Replicas" && ev.multiple(all, n) {
			n = all
		}
		return n, true
	}
	if n, ok := wantedIn(ev.status, noun); ok {
		return n, true
	}
	if n, ok := value.Int(nounField(ev.status, "", noun)); ok || noun != "Replicas" {
		return n, ok
	}
	return value.Int(ev.spec["size"])
}

// wantedIn returns how many a map says are wanted of what is counted beside it.
func wantedIn(m map[string]any, noun string) (int64, bool) {
	for _, start := range wantPrefixes {
		if n, ok := value.Int(nounField(m, start, noun)); ok {
			return n, true
		}
	}
	return 0, false
}

// countFirst returns the first of some numbers in a map that is there.
func countFirst(m map[string]any, fields []string) (int64, bool) {
	for _, field := range fields {
		if n, ok := count(m, field); ok {
			return n, true
		}
	}
	return 0, false
}

// nounField returns the field whose name is a start and a noun: desired and Nodes,
// or with no start the noun in small letters.
func nounField(m map[string]any, start, noun string) any {
	var room [48]byte
	name := append(append(room[:0], start...), noun...)
	if start == "" {
		if c := name[0]; c >= 'A' && c <= 'Z' {
			name[0] = c - 'A' + 'a'
		}
	}
	return m[string(name)]
}

func count(m map[string]any, field string) (int64, bool) {
	if m[field] == nil {
		return 0, false
	}
	return value.Int(m[field])
}

// ratio reads a text such as "2/3".
func ratio(text string) (have, want int64, ok bool) {
	a, b, found := strings.Cut(text, "/")
	if !found || len(text) > 12 {
		return 0, 0, false
	}
	have, err := strconv.ParseInt(a, 10, 64)
	if err != nil {
		return 0, 0, false
	}
	want, err = strconv.ParseInt(b, 10, 64)
	return have, want, err == nil
}
