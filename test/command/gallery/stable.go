package gallery

import (
	"regexp"
	"strings"
)

// Stable returns the parts of an output that do not differ from run to run. It drops the lines
// between the start and the end, and replaces random names by words.
func Stable(output string) string {
	var kept strings.Builder
	for line := range strings.Lines(output) {
		if m := logLine.FindStringSubmatch(line); m == nil || m[1] == "START" || m[1] == "NOT MET" || m[1] == "RESULT" {
			kept.WriteString(line)
		}
	}
	text := kept.String()
	for _, v := range variableTexts {
		text = v.what.ReplaceAllString(text, v.with)
	}
	return cutLine.ReplaceAllString(text, "$1…")
}

// cutLine is a truncated line. The length of the text before it, which may vary, decides where it
// is cut.
var cutLine = regexp.MustCompile(`(?m)^(.{300}).*…$`)

// logLine is a line of the log: its time, a word in a column, and an event.
var logLine = regexp.MustCompile(`^\d+:\d\d (NOT MET|\w+) +`)

// variableTexts are the texts that differ from run to run, in the order of their replacement. The
// hash of a ReplicaSet follows from its template and stays.
var variableTexts = []struct {
	what *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`(?m)^\d+:\d\d `), "mm:ss "},
	{regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`), "UID"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`), "TIME"},
	{regexp.MustCompile(`\b10\.244\.\d+\.\d+\b|\b127\.0\.0\.1:\d+\b`), "ADDRESS"},
	{regexp.MustCompile(`\bnode-[1-3]\b`), "node-N"},
	{regexp.MustCompile(`-[bcdfghjklmnpqrstvwxz2456789]{5}(\W|_|$)`), "-RANDOM$1"},
	{regexp.MustCompile(` \(x\d+( in \w+)?\)`), ""},
	{regexp.MustCompile(`\(combined from similar events\): `), ""}, // printed only with many events
	{regexp.MustCompile(`\b(\d+(\.\d+)?(ms|s|m|h|d))+\b`), "T"},
	{regexp.MustCompile(`(?m) for T(,|$)`), "$1"}, // less than a second is omitted
}
