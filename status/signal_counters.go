package status

import (
	"strconv"
	"strings"

	"kstatus.dev/status/internal/value"
	"kstatus.dev/status/internal/word"
)

// countPrefixes are the first words of fields that count replicas or items in the wanted state,
// such as readyReplicas.
var countPrefixes = []string{"ready", "available", "updated", "healthy"}

// wantPrefixes are the first words of fields that hold the wanted number.
var wantPrefixes = []string{"desired", "expected", "total"}

// bareCount is the field that counts items in the wanted state and has no noun.
const bareCount = "ready"

// bareWants are the fields without a noun that hold the wanted number.
var bareWants = []string{"size", "total", "desired", "replicas", "count"}

// countSignal reads a number in the status. If it counts items in the wanted state, it must
// reach the wanted number in the spec, else in the status.
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
		want, known = firstCount(ev.status, bareWants)
	} else if noun := countedNoun(field); noun != "" {
		want, known = wantedNumber(ev, noun)
	}
	switch {
	case known:
		f.counterSignal(s, location{}, field, have, want)
	case have > 0 && ev.isUncounted(field):
		s.add(detail, &signal{kind: signalCounter, polarity: word.Progressing, name: field, want: have})
	}
}

// isUncounted reports whether a field holds a wanted number for which the status has no count. The
// wanted number of an autoscaler is its result.
func (ev *evaluation) isUncounted(field string) bool {
	for _, start := range wantPrefixes[:2] {
		noun, ok := strings.CutPrefix(field, start)
		if !ok || !strings.HasSuffix(noun, "s") || word.HasAnySuffix(noun, capacityNouns) || ev.spec["max"+noun] != nil {
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

// replicas compares the existing replicas with the requested ones. If the status has no count of
// ready replicas, none is ready.
func (f *Fields) replicas(s *signals, have int64) {
	ev := f.eval
	want, known := count(ev.spec, "replicas")
	if known && want != have && !ev.isMultiple(have, want) {
		s.add(detail, &signal{kind: signalCounter, polarity: word.Progressing, name: "replicas", have: have, want: want})
		return
	}
	for field := range ev.status {
		if countedNoun(field) == "Replicas" {
			return
		}
	}
	if have > 0 {
		s.add(component, &signal{kind: signalCounter, polarity: word.Progressing, name: "readyReplicas", want: have})
	}
}

// isMultiple reports whether the count is the wanted number for each of the shards in the spec.
func (ev *evaluation) isMultiple(have, each int64) bool {
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
	if f.isTraced() {
		f.recordRead(in.path(".", field, ""), have)
	}
	s.add(p, &x)
}

// partCount reads a count of a part, such as readyMembers beside members.
func (f *Fields) partCount(s *signals, in location, field string, m map[string]any, v any) {
	have, ok := value.Int(v)
	if !ok {
		return
	}
	want, known := int64(0), false
	if field == bareCount {
		want, known = firstCount(m, bareWants)
	} else if noun := countedNoun(field); noun != "" {
		if want, known = wantedNumberIn(m, noun); !known {
			want, known = value.Int(nounField(m, "", noun))
		}
	}
	if known {
		f.counterSignal(s, in, field, have, want)
	}
}

// capacityNouns are the last words of fields that measure capacity and do not count: "available"
// means free there.
var capacityNouns = []string{
	"Addresses", "Bytes", "CPU", "CPUs", "Capacity", "Cores", "Cpu", "Disk", "GPU", "GPUs", "IPs", "Memory", "Quota", "Size", "Slots", "Space", "Storage",
	"Minutes", "Seconds", "Subnets", "Units",
}

// countedNoun returns the noun of a field that counts, such as Replicas for readyReplicas. It is
// empty if the field does not count items in the wanted state.
func countedNoun(field string) string {
	for _, start := range countPrefixes {
		if noun, ok := strings.CutPrefix(field, start); ok && noun != "" && noun[0] >= 'A' && noun[0] <= 'Z' && !word.HasAnySuffix(noun, capacityNouns) {
			return noun
		}
	}
	return ""
}

// wantedNumber returns the wanted number for a noun.
func wantedNumber(ev *evaluation, noun string) (int64, bool) {
	if n, ok := value.Int(nounField(ev.spec, "", noun)); ok {
		if all, _ := count(ev.status, "replicas"); noun == "Replicas" && ev.isMultiple(all, n) {
			n = all
		}
		return n, true
	}
	if n, ok := wantedNumberIn(ev.status, noun); ok {
		return n, true
	}
	if n, ok := value.Int(nounField(ev.status, "", noun)); ok || noun != "Replicas" {
		return n, ok
	}
	return value.Int(ev.spec["size"])
}

// wantedNumberIn returns the wanted number for a noun in the map that has its count.
func wantedNumberIn(m map[string]any, noun string) (int64, bool) {
	for _, start := range wantPrefixes {
		if n, ok := value.Int(nounField(m, start, noun)); ok {
			return n, true
		}
	}
	return 0, false
}

// firstCount returns the first of the fields that the map has.
func firstCount(m map[string]any, fields []string) (int64, bool) {
	for _, field := range fields {
		if n, ok := count(m, field); ok {
			return n, true
		}
	}
	return 0, false
}

// nounField returns the field named by a start and a noun, such as desiredNodes. Without a start
// it is the noun in lower case.
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
