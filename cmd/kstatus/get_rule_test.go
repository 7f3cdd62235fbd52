package main

import (
	"strings"
	"testing"

	"kstatus.dev/docs"
	"kstatus.dev/status"
)

// Every kind with a rule has a description.
func TestGetRuleExplainsEveryRule(t *testing.T) {
	for kind := range (status.Profile{}).Rules() {
		if text := docs.Rule(kind.String()); !strings.Contains(text, ".") || strings.Contains(text, "|") {
			t.Errorf("docs.Rule(%s) = %q, want sentences", kind, text)
		}
	}
	if text := docs.Rule("Widget.example.com"); text != "" {
		t.Errorf("docs.Rule(Widget.example.com) = %q, want none", text)
	}
}
