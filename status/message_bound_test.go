package status

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// Controllers may write texts of any size and content. The message has one line of bounded size
// in each profile except the compat profiles.
func TestMessagesAreBounded(t *testing.T) {
	long := strings.Repeat("é failed\x1b[2J\n", 10_000)
	for name, status := range map[string]map[string]any{
		"message": {"conditions": []any{map[string]any{"type": "Ready", "status": "False", "message": long}}},
		"type":    {"conditions": []any{map[string]any{"type": long + "Ready", "status": "False", "reason": "Error"}}},
		"reason":  {"conditions": []any{map[string]any{"type": "Stalled", "status": "True", "reason": long}}},
		"state":   {"state": long},
		"error":   {"errorMessage": long},
		"beside":  {"phase": "Failed", "message": long},
		"key":     {"members": map[string]any{long: map[string]any{"state": "Failed"}}},
		"field":   {long + "State": "Failed"},
	} {
		obj := Map{"apiVersion": "example.com/v1", "kind": "Widget", "status": status}
		for _, p := range []Profile{{}, StrictProfile(), StartedProfile()} {
			t.Run(name+"/"+p.Name(), func(t *testing.T) {
				r, err := Evaluator{Profile: p}.Compute(obj)
				if err != nil {
					t.Fatal(err)
				}
				if n := len(r.Message); n < maxMessage/2 || n > maxMessage+len("…") || !utf8.ValidString(r.Message) {
					t.Errorf("the message has %d bytes, want at most %d: %.80q", n, maxMessage, r.Message)
				}
				for _, c := range r.Conditions {
					if len(c.Message) > maxMessage+len("…") {
						t.Errorf("the message of condition %s has %d bytes", c.Type, len(c.Message))
					}
				}
				if strings.ContainsAny(r.Message, "\x1b\n") {
					t.Errorf("the message holds control characters: %.80q", r.Message)
				}
			})
		}
	}
}

// The same warnings are kept in whatever order they are added.
func TestWarningsAreBounded(t *testing.T) {
	var list []any
	for i := range 1000 {
		list = append(list, map[string]any{"type": fmt.Sprintf("Node%dWarning", i), "status": "True"})
	}
	warned := func() []string {
		r, err := Compute(Map{"apiVersion": "example.com/v1", "kind": "Widget", "status": map[string]any{"conditions": list}})
		if err != nil {
			t.Fatal(err)
		}
		return r.Warnings
	}
	first := warned()
	slices.Reverse(list)
	if again := warned(); len(first) != maxWarnings || !slices.Equal(first, again) {
		t.Errorf("have %d warnings, want %d; in another order:\n%q\n%q", len(first), maxWarnings, first, again)
	}
}
