package conditionstest

import (
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Diff returns the differences between conditions, one line each. It is empty if they are equal
// and in the same order. It ignores lastTransitionTime.
func Diff(have, want []metav1.Condition) string {
	var lines []string
	for i := range max(len(have), len(want)) {
		switch {
		case i >= len(have):
			lines = append(lines, fmt.Sprintf("%d: have none, want %s", i, text(want[i])))
		case i >= len(want):
			lines = append(lines, fmt.Sprintf("%d: have %s, want none", i, text(have[i])))
		case text(have[i]) != text(want[i]):
			lines = append(lines, fmt.Sprintf("%d: have %s, want %s", i, short(text(have[i])), short(text(want[i]))))
		}
	}
	return strings.Join(lines, "\n")
}

// Assert fails the test unless each wanted condition exists. It compares the fields that are set
// in the wanted condition, except lastTransitionTime. Other conditions may exist too.
func Assert(t testing.TB, have []metav1.Condition, want ...metav1.Condition) {
	t.Helper()
	for _, w := range want {
		if problem := lacks(have, w); problem != "" {
			t.Error(problem)
		}
	}
}

func lacks(have []metav1.Condition, want metav1.Condition) string {
	for _, c := range have {
		if c.Type != want.Type {
			continue
		}
		seen := c
		if want.Status == "" {
			seen.Status = ""
		}
		if want.Reason == "" {
			seen.Reason = ""
		}
		if want.Message == "" {
			seen.Message = ""
		}
		if want.ObservedGeneration == 0 {
			seen.ObservedGeneration = 0
		}
		if text(seen) != text(want) {
			return fmt.Sprintf("condition is %s\nwant %s", short(text(c)), short(text(want)))
		}
		return ""
	}
	return fmt.Sprintf("there is no condition %s; want %s", want.Type, text(want))
}

func text(c metav1.Condition) string {
	return fmt.Sprintf("%s=%s(%s) of generation %d: %q", c.Type, c.Status, c.Reason, c.ObservedGeneration, c.Message)
}

// short returns the beginning and the end of a long text.
func short(s string) string {
	if len(s) <= 400 {
		return s
	}
	return fmt.Sprintf("%.200s … (%d bytes) … %s", s, len(s), strings.ToValidUTF8(s[len(s)-100:], ""))
}
