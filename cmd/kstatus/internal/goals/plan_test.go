package goals

import (
	"strings"
	"testing"
	"time"

	"kstatus.dev/observe/grace"
	"kstatus.dev/status"
)

// The help has each reason with a default grace, and its duration.
func TestGraceHelpNamesAllDefaults(t *testing.T) {
	help := GraceHelp()
	for reason, d := range grace.Default() {
		if d == grace.Window {
			d = status.Profile{}.FailureWindows()[reason]
		}
		found := false
		for line := range strings.Lines(help) {
			first, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			have, err := time.ParseDuration(first)
			if err != nil {
				t.Fatal(err)
			}
			named := strings.Contains(" "+strings.TrimSpace(rest)+",", " "+reason+",")
			if reason == "" {
				named = strings.Contains(rest, "any other")
			}
			found = found || named && have == d
		}
		if !found {
			t.Errorf("%q with %s is not in the help:\n%s", reason, d, help)
		}
	}
}
