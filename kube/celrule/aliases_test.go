package celrule

import (
	"strings"
	"testing"

	"kstatus.dev/status"
)

// The expansion of aliases in rules has the same limit as in manifests.
func TestRulesHaveBoundedAliases(t *testing.T) {
	bomb := "x: &x [" + strings.Repeat("0,", 90_000) + "]\ny: [*x, *x]\ncurrent: 'true'\n"
	if _, err := Parse("rules.yaml", []byte(bomb)); err == nil || !strings.Contains(err.Error(), "aliases expand to more than 100000 values") {
		t.Errorf("a file: have %v, want that aliases expand to too much", err)
	}
	if r := parseAnnotation(status.Kind{Kind: "X"}, bomb, "annotation"); r.err == nil || !strings.Contains(r.err.Error(), "aliases expand to more than 100000 values") {
		t.Errorf("an annotation: have %v, want that aliases expand to too much", r.err)
	}
}
