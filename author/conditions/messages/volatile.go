package messages

import (
	"regexp"
	"slices"
	"strings"
)

// A VolatilePart is a part of a message that may differ although nothing has changed.
type VolatilePart struct {
	// Class is the kind of the part, such as timestamp or request ID.
	Class string
	// Text is the part as the message has it.
	Text string
	// Replaced is true if [Stable] replaces the part by a mark.
	Replaced bool
}

// volatile lists the patterns of volatile parts, the most specific first. A
// pattern with a mark replaces the part. A pattern without a mark only reports
// it: people may need the fact, such as the server or the commit.
var volatile = []struct {
	class   string
	mark    string
	pattern *regexp.Regexp
	group   int // the group of the pattern with the part
}{
	{"request ID", "<request-id>", regexp.MustCompile(`(?i)\b(?:x-)?(?:request|correlation|trace|activity|operation)[-_ ]?id"?\s*[:=]?\s*"?([0-9a-z][0-9a-z-]{7,}[0-9a-z])\b`), 1},
	{"request ID", "<request-id>", regexp.MustCompile(`\breq-[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b`), 0},
	{"timestamp", "<time>", regexp.MustCompile(`\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?(?: [A-Z]{3,4})?(?: m=[+-][0-9.]+)?`), 0},
	{"pointer", "<pointer>", regexp.MustCompile(`\b0x[cC]0[0-9a-fA-F]{8}\b`), 0},
	{"local port", "<local>", regexp.MustCompile(`((?:\[[0-9a-fA-F:.%a-z]+\]|\b\d{1,3}(?:\.\d{1,3}){3}):\d{4,5})->`), 1},
	{"exact duration", "<duration>", regexp.MustCompile(`\b(?:\d+h)?(?:\d+m)?(?:\d+\.\d+(?:s|ms|µs|us|ns)|\d+(?:ms|µs|us|ns))\b`), 0},
	{"UUID", "", regexp.MustCompile(`\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b`), 0},
	{"hash", "", regexp.MustCompile(`\b[0-9a-f]{16,}\b`), 0},
	{"epoch", "", regexp.MustCompile(`\b1[5-9]\d{8}(?:\d{3}|\d{6}|\d{9})?\b`), 0},
}

// FindVolatile returns the parts of a message that may differ although nothing has
// changed, in their order. A part that occurs several times is returned once.
func FindVolatile(message string) []VolatilePart {
	type found struct {
		VolatilePart
		span
	}
	var all []found
	for _, v := range volatile {
		for _, at := range spans(message, v.pattern, v.group) {
			if !slices.ContainsFunc(all, func(f found) bool { return at.from < f.to && f.from < at.to }) {
				all = append(all, found{VolatilePart{v.class, message[at.from:at.to], v.mark != ""}, at})
			}
		}
	}
	slices.SortFunc(all, func(a, b found) int { return a.from - b.from })
	var tokens []VolatilePart
	for _, f := range all {
		if !slices.Contains(tokens, f.VolatilePart) {
			tokens = append(tokens, f.VolatilePart)
		}
	}
	return tokens
}

// Stable returns a message in which marks replace the parts that differ each time:
// timestamps, request IDs, pointers, local ports and exact durations. UUIDs,
// hashes and numbers stay, since they mostly identify something.
func Stable(message string) string {
	for _, v := range volatile {
		if v.mark == "" {
			continue
		}
		var b strings.Builder
		last := 0
		for _, at := range spans(message, v.pattern, v.group) {
			b.WriteString(message[last:at.from] + v.mark)
			last = at.to
		}
		message = b.String() + message[last:]
	}
	return message
}

const digits = "0123456789"

// span is a range of a text, in bytes.
type span struct{ from, to int }

// spans returns the matches of a pattern. Matches without a digit are words,
// and do not count.
func spans(message string, pattern *regexp.Regexp, group int) (all []span) {
	if !strings.ContainsAny(message, digits) {
		return nil
	}
	for _, at := range pattern.FindAllStringSubmatchIndex(message, -1) {
		if s := (span{at[2*group], at[2*group+1]}); strings.ContainsAny(message[s.from:s.to], digits) {
			all = append(all, s)
		}
	}
	return all
}
