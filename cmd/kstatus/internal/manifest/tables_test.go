package manifest

import (
	"strings"
	"testing"
)

// For files with verdicts or tables instead of objects, the error says what to save.
func TestFilesThatHoldNoObjects(t *testing.T) {
	const table = "it looks like a table: kubectl get -o yaml prints objects"
	for _, row := range []struct{ it, text, want string }{
		{"is a table of one line", "NAMESPACE   NAME   READY\nshop        web    1/1\n", table},
		{"is a table with a colon", "NAME   MESSAGE\nweb    container: ErrImagePull: no such host\n", table},
		{"is a table of kstatus", "OBJECT           STATUS   AGE   MESSAGE\nDeployment/web   Failed   1m    Pod web-1: container c: ErrImagePull\n", table},
		{"is a report", `{"v": 1, "type": "run", "start": {}}`, "it is a report of kstatus wait, which has no objects"},
		{"is a text", "NAME of the game", "want an object, have a string"},
	} {
		var errs []string
		for _, d := range Documents([]Input{{Name: "file", Text: []byte(row.text)}}) {
			for _, o := range d.Objects() {
				if o.Err != nil {
					errs = append(errs, o.Err.Error())
				}
			}
		}
		if have := strings.Join(errs, "\n"); !strings.Contains(have, row.want) || strings.Contains(row.it, "text") && strings.Contains(have, table) {
			t.Errorf("a file that %s: have %q, want %q", row.it, have, row.want)
		}
	}
}
