package condense_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"kstatus.dev/cmd/kstatus/internal/condense"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

var began = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// An event is a line about an object at a time after the start.
type event struct {
	after time.Duration
	name  string // Kind/name
	word  string
	text  string
}

func lineOf(s event) condense.Line {
	kind, name, _ := strings.Cut(s.name, "/")
	return condense.Line{At: began.Add(s.after), Target: observe.Target{Kind: status.Kind{Kind: kind}, Name: name}, Word: s.word, Text: s.text, DedupeKey: s.text, Topic: s.word}
}

func texts(all []condense.Printed) string {
	var b strings.Builder
	for _, p := range all {
		fmt.Fprintf(&b, "%s %s %s\n", p.At.Sub(began), p.Word, p.Text)
	}
	return b.String()
}

const ms = time.Millisecond

// many returns lines about n objects of a kind at one time.
func many(n int, after time.Duration, kind, word, text string) (all []event) {
	for i := range n {
		all = append(all, event{after, fmt.Sprintf("%s/%d", kind, i), word, text})
	}
	return all
}

func TestLinesAreCondensed(t *testing.T) {
	for _, c := range []struct {
		it    string
		lines []event
		want  string
	}{
		{"prints a change of the word, and holds back a change of the text until two seconds after the line before", []event{
			{0, "Pod/a", "InProgress", "it is not scheduled yet"},
			{1100 * ms, "Pod/a", "InProgress", "its containers are being created"},
			{1500 * ms, "Pod/a", "InProgress", "it is not ready"},
			{5 * time.Second, "Pod/b", "Current", ""},
			{5100 * ms, "Pod/a", "Current", ""},
		}, "0s InProgress Pod/a: it is not scheduled yet\n2s InProgress Pod/a: it is not ready\n5s Current Pod/b\n5.1s Current Pod/a\n"},
		{"drops what was held back when the word changes", []event{
			{0, "Pod/a", "InProgress", "it is not scheduled yet"}, {1100 * ms, "Pod/a", "InProgress", "it is not ready"}, {1900 * ms, "Pod/a", "Current", ""},
		}, "0s InProgress Pod/a: it is not scheduled yet\n1.9s Current Pod/a\n"},
		{"prints the last of several texts of one moment", []event{
			{0, "Pod/a", "InProgress", "one"}, {100 * ms, "Pod/a", "InProgress", "two"}, {200 * ms, "Pod/a", "InProgress", "three"},
		}, "0s InProgress Pod/a: three\n"},
		{"prints the last text at the end, at the time of the end", []event{
			{0, "Pod/a", "InProgress", "one"}, {1100 * ms, "Pod/a", "InProgress", "two"}, {1200 * ms, "Pod/b", "Current", ""},
		}, "0s InProgress Pod/a: one\n1.2s Current Pod/b\n1.2s InProgress Pod/a: two\n"},
		{"prints nothing about what is as it was printed again", []event{
			{0, "Pod/a", "InProgress", "one"}, {1100 * ms, "Pod/a", "InProgress", "two"}, {1500 * ms, "Pod/a", "InProgress", "one"}, {9 * time.Second, "Pod/a", "InProgress", "one"},
		}, "0s InProgress Pod/a: one\n"},
		{"prints every change of the word", []event{
			{0, "Pod/a", "InProgress", ""}, {100 * ms, "Pod/a", "Current", ""}, {200 * ms, "Pod/a", "InProgress", ""},
		}, "0s InProgress Pod/a\n100ms Current Pod/a\n200ms InProgress Pod/a\n"},
		{"prints ten lines that are alike", many(10, 0, "Pod", "Current", "")[:2], "0s Current Pod/0\n0s Current Pod/1\n"},
		{"folds more of them", append(many(11, 0, "ConfigMap", "Current", ""), many(2, 900*ms, "Job", "Current", "")...),
			"0s Current 13: ConfigMap 11, Job 2\n"},
		{"does not fold what comes later", append(many(10, 0, "ConfigMap", "Current", ""), many(1, time.Second, "Job", "Current", "")...)[9:],
			"0s Current ConfigMap/9\n1s Current Job/0\n"},
		{"gives an example of what is folded", many(11, 0, "Deployment", "InProgress", "0/1 available"),
			"0s InProgress 11: Deployment 11; such as Deployment/0: 0/1 available\n"},
	} {
		t.Run(c.it, func(t *testing.T) {
			// Calls of Due between lines do not change the output.
			for _, ticks := range []bool{false, true} {
				var l condense.Log
				var have []condense.Printed
				now := began
				for _, s := range c.lines {
					for line := lineOf(s); ; {
						if now = now.Add(300 * ms); !ticks || !now.Before(line.At) {
							now = line.At
							have = append(have, l.Due(now)...)
							l.Add(line)
							have = append(have, l.Due(now)...)
							break
						}
						have = append(have, l.Due(now)...)
					}
				}
				if have := texts(append(have, l.Flush(now)...)); have != c.want {
					t.Errorf("it %s: have\n%swant\n%s", c.it, have, c.want)
				}
			}
		})
	}
}

func TestAllLinesArePrintedAtOnce(t *testing.T) {
	l := condense.Log{All: true}
	var have []condense.Printed
	for _, s := range append(many(11, 0, "Pod", "InProgress", "one"), event{0, "Pod/0", "InProgress", "two"}, event{0, "Pod/0", "InProgress", "two"}) {
		l.Add(lineOf(s))
		have = append(have, l.Due(began)...)
	}
	if len(have) != 12 || texts(have[11:]) != "0s InProgress Pod/0: two\n" {
		t.Errorf("have\n%s", texts(have))
	}
}

func TestNotesFollowTheLineOfTheirObject(t *testing.T) {
	var l condense.Log
	for i, s := range many(11, 0, "Pod", "Current", "") {
		line := lineOf(s)
		if i == 5 {
			line.Notes = []string{"it has an annotation"}
		}
		l.Add(line)
	}
	if have, want := texts(l.Flush(began)), "0s Current 11: Pod 11\n0s NOTE Pod/5: it has an annotation\n"; have != want {
		t.Errorf("have\n%swant\n%s", have, want)
	}
}

func TestForgottenLinesArePrintedAgain(t *testing.T) {
	var l condense.Log
	pod := lineOf(event{0, "Pod/a", "Current", ""})
	for range 2 {
		l.Add(pod)
		l.Forget(pod.Target)
	}
	if have, want := texts(l.Flush(began)), "0s Current Pod/a\n0s Current Pod/a\n"; have != want || l.HasLine(pod.Target) {
		t.Errorf("have\n%swant\n%s", have, want)
	}
}

func TestListsAreLimited(t *testing.T) {
	for n, want := range map[int]string{10: "10 []", 11: "11 []", 12: "10 [{10 2}]", 100: "10 [{10 90}]"} {
		kept, left := condense.Limit(n, func(int) (string, string) { return "Failed", "" })
		if have := fmt.Sprint(len(kept), left); have != want {
			t.Errorf("of %d: have %s, want %s", n, have, want)
		}
	}
	// Limit keeps items of another kind at any position.
	kept, left := condense.Limit(30, func(i int) (string, string) {
		if i == 25 {
			return "Failed", "CrashLoop"
		}
		return "Failed", "ImagePullBackOff"
	})
	if have, want := fmt.Sprint(kept, left), "[0 1 2 3 4 5 6 7 8 9 25] [{10 19}]"; have != want {
		t.Errorf("have %s, want %s", have, want)
	}
}
