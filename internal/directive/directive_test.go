package directive_test

import (
	"fmt"
	"testing"

	"kstatus.dev/internal/directive"
)

func TestOf(t *testing.T) {
	for _, c := range []struct {
		it    string
		notes any
		want  string
	}{
		{"has no directives", nil, "false 0s no []"},
		{"is ignored", map[string]any{directive.Ignore: "true"}, "true 0s no []"},
		{"is not ignored", map[string]any{directive.Ignore: "false"}, "false 0s no []"},
		{"has two durations", map[string]any{directive.Timeout: "7s", directive.FirstStatus: "0"}, "false 7s 0s []"},
		{"has a negative duration", map[string]any{directive.Timeout: "-1s"}, `false 0s no [annotation kstatus.dev/timeout: want a duration such as 10m, have "-1s"]`},
		{"has an invalid duration", map[string]any{directive.FirstStatus: "soon"}, `false 0s no [annotation kstatus.dev/first-status: want a duration such as 10m, have "soon"]`},
		{"has an invalid boolean", map[string]any{directive.Ignore: "yes"}, `false 0s no [annotation kstatus.dev/ignore: want true or false, have "yes"]`},
		{"has a number", map[string]any{directive.Timeout: 7}, "false 0s no []"},
		{"has annotations that are not a map", "odd", "false 0s no []"},
	} {
		d, problems := directive.Of(map[string]any{"metadata": map[string]any{"annotations": c.notes}})
		first := "no"
		if d.FirstStatus != nil {
			first = d.FirstStatus.String()
		}
		if have := fmt.Sprint(d.Ignore, " ", d.Timeout, " ", first, " ", problems); have != c.want {
			t.Errorf("what %s: have %s, want %s", c.it, have, c.want)
		}
	}
}
