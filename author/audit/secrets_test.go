package audit

import (
	"strings"
	"testing"
)

// TestFindingsKeepSecrets checks that no rule reveals a secret in a message
// that it quotes for another reason.
func TestFindingsKeepSecrets(t *testing.T) {
	const stream = `
+0s create kubectl {"spec":{"providerID":"lamp://admin:hunter22@example.com"}}
+1s status lamp og=1 Ready=False/NoLogin/"password=hunter22 refused at 2026-01-01T00:00:01Z"
+1m status lamp og=1 Ready=False/NoLogin/"password=hunter22 refused at 2026-01-01T00:01:01Z"
+1m status lamp og=1 Ready=False/NoLogin/"password=hunter22 refused at 2026-01-01T00:02:01Z"
+1m status lamp og=1 Ready=False/NoLogin/"password=hunter22 refused at 2026-01-01T00:03:01Z"
+1m status lamp og=1 Ready=False/NoLogin/"password=hunter22 refused at 2026-01-01T00:04:01Z"
+1m spec kubectl {"spec":{"providerID":"lamp://admin:hunter23@example.com"}}
`
	a := New(Options{})
	for _, w := range parseStream(t, stream) {
		a.Add(w)
	}
	rules := map[string]bool{}
	for _, f := range a.Findings() {
		rules[f.Rule] = true
		if strings.Contains(f.Evidence, "hunter2") || strings.Contains(f.Path, "hunter2") {
			t.Errorf("%s tells %s: %s", f.Rule, f.Path, f.Evidence)
		}
	}
	if !rules["W-53"] || !rules["W-38"] || !rules["W-27"] {
		t.Errorf("found %v, want W-53, W-38 and one that quotes the message", rules)
	}
}
