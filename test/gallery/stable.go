package gallery

import (
	"regexp"
	"strings"
)

// Stable is what of an output does not differ from run to run: without the lines on the way
// from the start to the end, and with words in place of what is made up each time.
func Stable(output string) string {
	var kept strings.Builder
	for line := range strings.Lines(output) {
		if m := logLine.FindStringSubmatch(line); m == nil || m[1] == "START" || m[1] == "OPEN" || m[1] == "RESULT" {
			kept.WriteString(line)
		}
	}
	text := kept.String()
	for _, v := range varying {
		text = v.what.ReplaceAllString(text, v.with)
	}
	return cut.ReplaceAllString(text, "$1…")
}

// cut is a line that was cut: where depends on what stands before, which may be longer or shorter.
var cut = regexp.MustCompile(`(?m)^(.{300}).*…$`)

// logLine is a line of the log: its time, a word in a column, what happened.
var logLine = regexp.MustCompile(`^\d+:\d\d (\w+) +`)

// varying is what differs from run to run, in the order in which it is replaced. The hash of a
// ReplicaSet follows from its template and stays.
var varying = []struct {
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
	{regexp.MustCompile(`\(combined from similar events\): `), ""}, // said once there are many
	{regexp.MustCompile(`\b(\d+(\.\d+)?(ms|s|m|h|d))+\b`), "T"},
	{regexp.MustCompile(`(?m) for T(,|$)`), "$1"}, // less than a second is left out
}
