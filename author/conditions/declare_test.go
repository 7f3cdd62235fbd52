package conditions_test

import (
	"strings"
	"testing"

	"kstatus.dev/author/conditions"
)

func TestNewSetErrors(t *testing.T) {
	type list = []conditions.Declaration
	for name, c := range map[string]struct {
		declared list
		want     string
	}{
		"it accepts a set of all forms":              {declared.Declarations(), ""},
		"it accepts qualified types":                 {list{conditions.Positive("example.com/ServerUp")}, ""},
		"it rejects a duplicate type":                {list{conditions.Positive("A"), conditions.Negative("A")}, "condition A: declared twice"},
		"it rejects an empty type":                   {list{conditions.Positive("")}, "type is empty"},
		"it rejects a type with a space":             {list{conditions.Positive("Server Up")}, "not a qualified name"},
		"it rejects a long type":                     {list{conditions.Positive(strings.Repeat("A", 317))}, "317 characters, 316 at most"},
		"it rejects an empty reason":                 {list{conditions.Positive("A", "")}, `reason "" is empty`},
		"it rejects a reason with a dash":            {list{conditions.Positive("A", "not-ready")}, `reason "not-ready" is not a word`},
		"it rejects a duplicate reason":              {list{conditions.Positive("A", "R", "R")}, "reason R declared twice"},
		"it rejects a long reason":                   {list{conditions.Positive("A", strings.Repeat("R", 1025))}, "1025 characters"},
		"it rejects an unknown part":                 {list{conditions.Summary("Ready", "A")}, "part A is not declared"},
		"it rejects a duplicate part":                {list{conditions.Summary("Ready", "A", "A"), conditions.Positive("A")}, "part A is listed twice"},
		"it rejects a summary of summaries":          {list{conditions.Summary("Ready", "Available"), conditions.Summary("Available", "A"), conditions.Positive("A")}, "part Available is itself a summary of parts"},
		"it rejects a neutral part":                  {list{conditions.Summary("Ready", "Paused"), conditions.Neutral("Paused")}, "part Paused is neutral or obsolete"},
		"it rejects an obsolete part":                {list{conditions.Summary("Ready", "Old"), conditions.Obsolete("Old")}, "part Old is neutral or obsolete"},
		"it rejects a summary of foreign conditions": {list{conditions.Summary("Ready", "A").OwnedBy("them"), conditions.Positive("A")}, "a summary of parts cannot have another owner"},
		"it accepts a summary with reasons":          {list{conditions.Summary("Ready", "A").WithReasons("Ready", "NotReady", "ReadyUnknown"), conditions.Positive("A")}, ""},
		"it rejects a summary with two reasons":      {list{{Type: "Ready", Summary: true, Parts: []string{"A"}, Reasons: []string{"X", "Y"}}, conditions.Positive("A")}, "has 2 reasons"},
		"it rejects an invalid summary":              {list{{Type: "Degraded", Polarity: conditions.PolarityNegative, Summary: true}}, "a summary must be good when True"},
		"it rejects parts without a summary":         {list{{Type: "A", Parts: []string{"B"}}, conditions.Positive("B")}, "has parts, but is not a summary"},
		"it rejects an unknown polarity":             {list{{Type: "A", Polarity: 9}}, "polarity 9"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := conditions.NewSet(c.declared...)
			switch {
			case c.want == "" && err != nil:
				t.Errorf("error is %v, want none", err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("error is %v, want %s", err, c.want)
			}
		})
	}
}

func TestMustSetPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a wrong set did not panic")
		}
	}()
	conditions.MustSet(conditions.Positive(""))
}
