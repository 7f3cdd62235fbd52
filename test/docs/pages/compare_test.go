package pages

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// volatile are the parts of outputs that differ from run to run.
var volatile = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`(?m)[ \t]+$`), ""},
	{regexp.MustCompile(`(?m)^\d+:\d\d `), "mm:ss "},
	{regexp.MustCompile(`\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z\b`), "TIME"},
	{regexp.MustCompile(`\b(\d+(\.\d+)?(d|h|ms|m|s))+\b`), "AGE"},
	{regexp.MustCompile(`-[bcdfghjklmnpqrstvwxz2456789]{8,10}-[bcdfghjklmnpqrstvwxz2456789]{5}\b`), "-POD"},
	{regexp.MustCompile(`-[bcdfghjklmnpqrstvwxz2456789]{8,10}\b`), "-HASH"},
	{regexp.MustCompile(`\b\d+ restarts?\b`), "N restarts"},
	{regexp.MustCompile(`restartCount = \d+`), "restartCount = N"},
	{regexp.MustCompile(` \(x\d+ in AGE\)`), ""},
	{regexp.MustCompile(`\(version \d+ after \d+\)`), "(version V after V)"},
	{regexp.MustCompile(`  +`), "  "}, // columns are as wide as their values
}

func normalized(text string) string {
	for _, v := range volatile {
		text = v.pattern.ReplaceAllString(text, v.instead)
	}
	return strings.TrimRight(text, "\n") + "\n"
}

// compare returns an error if an output is not as a page shows it.
func compare(shown, have string) error {
	shown, have = normalized(shown), normalized(have)
	var b strings.Builder
	b.WriteString(`^`)
	for line := range strings.Lines(shown) {
		if line == "…\n" {
			b.WriteString(`(?:.*\n)*?`)
			continue
		}
		b.WriteString(strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".*"))
	}
	b.WriteString(`$`)
	pattern, err := regexp.Compile(b.String())
	if err != nil {
		return err
	}
	if !pattern.MatchString(have) {
		return fmt.Errorf("want:\n%sthe command prints:\n%s", shown, have)
	}
	return nil
}

func TestCompare(t *testing.T) {
	rows := []struct {
		it, shown, have string
		same            bool
	}{
		{"equal lines", "a\nb\n", "a\nb\n", true},
		{"another line", "a\nb\n", "a\nc\n", false},
		{"a missing line", "a\nb\n", "a\n", false},
		{"one line more", "a\n", "a\nb\n", false},
		{"any lines", "a\n…\nd\n", "a\nb\nc\nd\n", true},
		{"no lines for any lines", "a\n…\nd\n", "a\nd\n", true},
		{"another line after any lines", "a\n…\nd\n", "a\nb\nc\n", false},
		{"any end of a line", "a: …\n", "a: b\n", true},
		{"any end of another line", "a: …\n", "b: b\n", false},
		{"only one line for the end of a line", "a: …\n", "a: b\nc\n", false},
		{"times and ages", "00:10 took 10s at 2026-01-01T00:00:00Z\n", "01:20 took 1m20s at 2026-11-23T10:00:00Z\n", true},
		{"names of Pods", "Pod api-67cb5d4d7d-w7kzn, ReplicaSet api-67cb5d4d7d\n", "Pod api-5fb4c7d9bd-2xkzq, ReplicaSet api-5fb4c7d9bd\n", true},
		{"names of other Pods", "Pod api-67cb5d4d7d-w7kzn\n", "Pod web-67cb5d4d7d-w7kzn\n", false},
		{"widths of columns", "NAME     AGE\nlong     1s\n", "NAME  AGE\nlong  10m0s\n", true},
		{"other numbers", "exit 3\n", "exit 4\n", false},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			if err := compare(row.shown, row.have); (err == nil) != row.same {
				t.Errorf("same = %t, want %t: %v", err == nil, row.same, err)
			}
		})
	}
}
