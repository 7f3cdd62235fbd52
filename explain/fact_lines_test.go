package explain

import (
	"bytes"
	"strings"
	"testing"

	"kstatus.dev/status"
)

// TestFactLines: the line of a thing has its identity and its verdict, and earlier lines can be read.
func TestFactLines(t *testing.T) {
	node := Thing{
		ID:     ID{Kind: "Node", Name: "a"},
		Result: status.Result{Status: status.UnknownStatus, Reason: "Forbidden", Message: "no", Confidence: status.Explicit},
	}
	const verdict = `,"result":{"status":"Unknown","reason":"Forbidden","message":"no","confidence":"explicit","rule":""}}}`
	line := `{"type":"thing","thing":{"id":{"group":"","kind":"Node","namespace":"","name":"a"}` + verdict
	t.Run("it writes an empty namespace", func(t *testing.T) {
		var out bytes.Buffer
		if err := (&Facts{Things: []Thing{node}}).Write(&out); err != nil {
			t.Fatal(err)
		}
		if _, got, _ := strings.Cut(strings.TrimSpace(out.String()), "\n"); got != line {
			t.Errorf("have %s\nwant %s", got, line)
		}
	})
	for name, text := range map[string]string{
		"it reads an empty namespace":        line,
		"it reads a line without namespaces": strings.Replace(line, `"namespace":"",`, "", 1),
	} {
		t.Run(name, func(t *testing.T) {
			f, err := ReadFacts(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			if len(f.Things) != 1 || f.Things[0].ID != node.ID || f.Things[0].Result.Message != "no" || f.Things[0].Result.Status != status.UnknownStatus {
				t.Errorf("have %+v, want %+v", f.Things, node)
			}
		})
	}
}
