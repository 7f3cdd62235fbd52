package terminal

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"kstatus.dev/explain/layout"
)

func TestAnExplanationAtAnyWidth(t *testing.T) {
	lines := []layout.Line{
		{Role: layout.RoleTitle, Text: "Deployment/api in shop: Failed for 31s"},
		{Role: layout.RoleBlank},
		{Role: layout.RoleChain, Lead: "Deployment/api            ", Text: "2/3 available, revision 14"},
		{Role: layout.RoleChain, Depth: 1, Lead: "ReplicaSet/api-7c9f    ", Text: "2/3 ready"},
		{Role: layout.RoleChain, Depth: 2, Lead: "Pod/" + strings.Repeat("long-", 10) + "  ", Text: "container api exits repeatedly with code 1"},
		{Role: layout.RoleEvidence, Lead: "Evidence  event   ", Text: strings.Repeat("back-off restarting failed container ", 4)},
		{Role: layout.RoleLog, Text: strings.Repeat("panic: missing configuration ", 3)},
		{Role: layout.RoleNext, Lead: "Next      ", Text: "kubectl -n shop logs api-7c9f-x2x4p -c api --previous --selector 'tier in (front, back)' --tail 100"},
	}
	for _, width := range []int{60, 61, 72, 80, 100, 200} {
		var out strings.Builder
		if err := (Page{&out, Style{Width: width, Colour: true, UTF8: true}}).Print(lines); err != nil {
			t.Fatal(err)
		}
		text := out.String()
		for line := range strings.Lines(text) {
			if n := ansi.StringWidth(strings.TrimSuffix(line, "\n")); n > width && !strings.Contains(line, "long-") {
				t.Errorf("at width %d a line is %d wide: %q", width, n, line)
			}
		}
		bare := ansi.Strip(text)
		if strings.Contains(bare, "`- ") || !strings.Contains(bare, "   └─ Pod/") {
			t.Errorf("at width %d, want marks of the terminal:\n%s", width, bare)
		}
		joined := strings.Join(strings.Fields(strings.ReplaceAll(bare, "\\\n", "")), " ")
		if !strings.Contains(joined, "-c api --previous --selector 'tier in (front, back)' --tail 100") {
			t.Errorf("at width %d, want the command whole:\n%s", width, bare)
		}
	}
}

func TestAnExplanationInAFile(t *testing.T) {
	var out strings.Builder
	text := strings.Repeat("word ", 100) + "end"
	if err := (Page{Out: &out}).Print([]layout.Line{{Role: layout.RoleCause, Lead: "Cause     ", Text: text}}); err != nil {
		t.Fatal(err)
	}
	if want := "  Cause     " + text + "\n"; out.String() != want {
		t.Errorf("have %q, want one line as it is", out.String())
	}
}
