package field_test

import (
	"testing"

	"kstatus.dev/status/internal/field"
)

func TestRoles(t *testing.T) {
	for _, c := range []struct {
		name string
		role field.Role
		want bool
	}{
		{"phase", field.StateWord, true},
		{"spec", field.ForeignMap, true},
		{"failureCode", field.ErrorText, true},
		{"completionTime", field.EndTime, true},
		{"completionTime", field.StartTime, false},
		{"failedAt", field.FailTime, true},
		{"health", field.Colour | field.StateWord, true},
		{"Phase", field.StateWord, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := field.RoleOf(c.name).Is(c.role); got != c.want {
				t.Errorf("RoleOf(%q).Is(%b) = %v, want %v", c.name, c.role, got, c.want)
			}
		})
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct {
		what string
		of   func(string) bool
		yes  []string
		no   []string
	}{
		{"state", field.IsState, []string{"deploymentStatus", "power_state"}, []string{"status", "stateful"}},
		{"whole", field.IsWhole, []string{"overallStatus", "currentPhase"}, []string{"deploymentStatus"}},
		{"other", field.IsOther, []string{"desiredState", "lastPhase"}, []string{"state"}},
		{"foreign", field.IsForeign, []string{"history", "podTemplate", "lastResult"}, []string{"members"}},
		{"percentage", field.IsPercentage, []string{"progress", "drainProgress"}, []string{"lastProgress", "loadPercentage"}},
		{"conditions", field.IsConditions, []string{"conditions", "nodeConditions"}, []string{"lastConditions", "condition"}},
	} {
		t.Run(c.what, func(t *testing.T) {
			for _, name := range c.yes {
				if !c.of(name) {
					t.Errorf("%s is not recognized", name)
				}
			}
			for _, name := range c.no {
				if c.of(name) {
					t.Errorf("%s is recognized", name)
				}
			}
		})
	}
}

func TestCounts(t *testing.T) {
	status := map[string]any{"desiredNodes": int64(3), "members": 4, "total": float64(5), "matched": 2}
	for _, c := range []struct {
		count string
		noun  string
		want  int64
		known bool
	}{
		{"readyNodes", "Nodes", 3, true},
		{"availableBytes", "", 0, false},
		{"ready", "", 5, true},
		{"updated", "", 2, true},
		{"running", "", 0, false},
	} {
		t.Run(c.count, func(t *testing.T) {
			noun := field.CountedNoun(c.count)
			want, known := field.BareWantedNumber(status, c.count)
			if noun != "" {
				want, known = field.WantedNumber(status, noun)
			}
			if noun != c.noun || want != c.want || known != c.known {
				t.Errorf("noun %q, want %d, known %v; want %q, %d, %v", noun, want, known, c.noun, c.want, c.known)
			}
		})
	}
	if noun := field.ExpectedNoun("expectedNodes"); noun != "Nodes" {
		t.Errorf("ExpectedNoun is %q, want Nodes", noun)
	}
	if n, ok := value(field.OfNoun(status, "", "Members")); !ok || n != 4 {
		t.Errorf("OfNoun is %d, %v, want 4", n, ok)
	}
}

func value(v any) (int, bool) { n, ok := v.(int); return n, ok }
