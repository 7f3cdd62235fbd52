package status

import (
	"strconv"
	"strings"

	"kstatus.dev/status/internal/word"
)

// The beginnings of the names of fields that count what is as wanted, such as
// readyReplicas.
var countStarts = []string{"ready", "available", "updated", "healthy"}

// The beginnings of the names of fields that say how many are wanted.
var wantStarts = []string{"desired", "expected", "total"}

// The field that counts what is as wanted without a noun, and those that say how
// many are wanted.
const bareCount = "ready"

var bareWants = []string{"size", "total", "desired", "replicas", "count"}

// countSign reads a number in the status: if it counts what is as wanted, it is
// to reach how many are wanted, by the spec, or else by the status.
func (f *Fields) countSign(s *signs, field string, v any) {
	h := f.hearing
	have, ok := whole(v)
	if !ok {
		return
	}
	if field == "replicas" {
		f.replicas(s, have)
		return
	}
	want, known := int64(0), false
	if field == bareCount {
		want, known = countFirst(h.status, bareWants)
	} else if noun := counted(field); noun != "" {
		want, known = wanted(h, noun)
	}
	switch {
	case known:
		f.reach(s, place{}, field, have, want)
	case have > 0 && h.uncounted(field):
		s.add(detail, &sign{from: fromCounter, says: word.Progressing, at: field, want: have})
	}
}

// uncounted reports whether a field says how many are wanted of what the status
// does not count. What an autoscaler wants is its result.
func (h *hearing) uncounted(field string) bool {
	for _, start := range wantStarts[:2] {
		noun, ok := strings.CutPrefix(field, start)
		if !ok || !strings.HasSuffix(noun, "s") || word.HasAnySuffix(noun, stocks) || h.spec["max"+noun] != nil {
			continue
		}
		for _, c := range [...]string{"ready", "available", "updated", "healthy", "current", "actual"} {
			if nounField(h.status, c, noun) != nil {
				return false
			}
		}
		return nounField(h.status, "", noun) == nil
	}
	return false
}

// replicas compares how many there are with how many the spec asks for, and
// takes those that are ready as none if the status does not count them.
func (f *Fields) replicas(s *signs, have int64) {
	h := f.hearing
	want, known := count(h.spec, "replicas")
	if known && want != have && !h.multiple(have, want) {
		s.add(detail, &sign{from: fromCounter, says: word.Progressing, at: "replicas", have: have, want: want})
		return
	}
	for field := range h.status {
		if counted(field) == "Replicas" {
			return
		}
	}
	if have > 0 {
		s.add(part, &sign{from: fromCounter, says: word.Progressing, at: "readyReplicas", want: have})
	}
}

// multiple reports whether there are so many for each of the shards that the
// spec asks for.
func (h *hearing) multiple(have, each int64) bool {
	for _, field := range [...]string{"shards", "partitions", "groups"} {
		if n, ok := count(h.spec, field); ok && n > 1 && have == n*each {
			return true
		}
	}
	return false
}

// reach says whether a number has reached the one that is wanted.
func (f *Fields) reach(s *signs, in place, field string, have, want int64) {
	f.reachAs(s, pick(in == place{}, detail, part), in, field, have, want)
}

func (f *Fields) reachAs(s *signs, weighs weight, in place, field string, have, want int64) {
	x := sign{from: fromCounter, in: in, at: field, have: have, want: want, says: word.Ready}
	if have < want {
		x.says = word.Progressing
	}
	if f.traced() {
		f.saw(in.path(".", field, ""), have)
	}
	s.add(weighs, &x)
}

// partCount reads a number of a part, such as readyMembers beside members.
func (f *Fields) partCount(s *signs, in place, field string, m map[string]any, v any) {
	have, ok := whole(v)
	if !ok {
		return
	}
	want, known := int64(0), false
	if field == bareCount {
		want, known = countFirst(m, bareWants)
	} else if noun := counted(field); noun != "" {
		if want, known = wantedIn(m, noun); !known {
			want, known = whole(nounField(m, "", noun))
		}
	}
	if known {
		f.reach(s, in, field, have, want)
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
	for _, start := range countStarts {
		if noun, ok := strings.CutPrefix(field, start); ok && noun != "" && noun[0] >= 'A' && noun[0] <= 'Z' && !word.HasAnySuffix(noun, stocks) {
			return noun
		}
	}
	return ""
}

// wanted returns how many of what is counted are wanted.
func wanted(h *hearing, noun string) (int64, bool) {
	if n, ok := whole(nounField(h.spec, "", noun)); ok {
		if all, _ := count(h.status, "replicas"); noun == "Replicas" && h.multiple(all, n) {
			n = all
		}
		return n, true
	}
	if n, ok := wantedIn(h.status, noun); ok {
		return n, true
	}
	if n, ok := whole(nounField(h.status, "", noun)); ok || noun != "Replicas" {
		return n, ok
	}
	return whole(h.spec["size"])
}

// wantedIn returns how many a map says are wanted of what is counted beside it.
func wantedIn(m map[string]any, noun string) (int64, bool) {
	for _, start := range wantStarts {
		if n, ok := whole(nounField(m, start, noun)); ok {
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
	return whole(m[field])
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
