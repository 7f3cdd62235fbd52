package fields_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kstatus.dev/cmd/kstatus/internal/fields"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/explain"
	"kstatus.dev/status"
)

// verdict returns the verdict on a Pod with a node and a number of restarts.
func verdict(name, node string, restarts any) output.Verdict {
	root := status.Map{
		"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": name}, "spec": map[string]any{"nodeName": node},
		"status": map[string]any{"containerStatuses": []any{map[string]any{"name": "a", "restartCount": restarts}, map[string]any{"name": "b"}}},
	}
	return output.Verdict{ObjectFact: &explain.ObjectFact{Object: root}}
}

func TestFieldsOfObjectsArePrintedAsKubectlPrintsThem(t *testing.T) {
	file := filepath.Join(t.TempDir(), "columns")
	if err := os.WriteFile(file, []byte("NAME   NODE\n.metadata.name {.spec.nodeName}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	all := []output.Verdict{verdict("x", "n1", int64(1)), verdict("y", "", int64(2)), {}}
	for _, row := range []struct {
		it, format string
		single     bool
		want       string
	}{
		{"prints a field of one object", "jsonpath={.metadata.name}", true, "x"},
		{"prints fields of a List", "jsonpath={range .items[*]}{.metadata.name}{\"\\n\"}{end}", false, "x\ny\n"},
		{"prints nothing for a field that is missing", "jsonpath={.spec.nope}", true, ""},
		{"prints JSON", "jsonpath-as-json={.metadata.name}", true, "[\n    \"x\"\n]\n"},
		{"prints columns", "custom-columns=NAME:.metadata.name,RESTARTS:status.containerStatuses[*].restartCount,NOPE:{.nope}", false,
			"NAME   RESTARTS   NOPE\nx      1          <none>\ny      2          <none>\n"},
		{"reads columns from a file", "custom-columns-file=" + file, false, "NAME   NODE\nx      n1\ny      \n"},
	} {
		t.Run(row.it, func(t *testing.T) {
			var out bytes.Buffer
			p, err := fields.New(&out, row.format, true)
			if err != nil {
				t.Fatal(err)
			}
			p.Single = row.single
			some := all
			if row.single {
				some = all[:1]
			}
			for _, v := range some {
				if err := p.Object(v); err != nil {
					t.Fatal(err)
				}
			}
			if err := p.End(output.Result{}); err != nil || out.String() != row.want {
				t.Errorf("it prints %q, %v, want %q", out.String(), err, row.want)
			}
		})
	}
}

func TestFormatsThatCannotBeParsedAreRefused(t *testing.T) {
	for _, format := range []string{"jsonpath", "jsonpath=", "jsonpath={", "custom-columns=NAME", "custom-columns=A:{.x", "custom-columns=A:", "custom-columns-file=/nope"} {
		if p, err := fields.New(nil, format, true); err == nil {
			t.Errorf("-o %s: have %v, want an error", format, p)
		}
	}
}

func TestFieldThatNoObjectHasDoesNotSort(t *testing.T) {
	all := []output.Verdict{verdict("b", "", int64(10)), verdict("a", "", int64(9))}
	if err := fields.Sort(all, ".metadata.nope"); fmt.Sprint(err) != "--sort-by .metadata.nope: no object has this field" {
		t.Errorf("the error is %v", err)
	}
	if err := fields.Sort(nil, ".metadata.nope"); err != nil {
		t.Errorf("without objects the error is %v", err)
	}
}

func TestObjectsAreSortedByAField(t *testing.T) {
	for _, row := range []struct{ it, path, want string }{
		{"sorts by name", ".metadata.name", "a b c d"},
		{"sorts numbers as such, and what has none first", "{.status.containerStatuses[0].restartCount}", "d c a b"},
		{"keeps the order of what is equal", "kind", "b a c d"},
	} {
		t.Run(row.it, func(t *testing.T) {
			all := []output.Verdict{verdict("b", "", int64(10)), verdict("a", "", int64(9)), verdict("c", "", int64(1)), verdict("d", "", nil)}
			if err := fields.Sort(all, row.path); err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, v := range all {
				names = append(names, v.ObjectFact.Object["metadata"].(map[string]any)["name"].(string))
			}
			if have := strings.Join(names, " "); have != row.want {
				t.Errorf("it is %s, want %s", have, row.want)
			}
		})
	}
}

// On a terminal, a value cannot act. Programs get it as it is.
func TestValuesOnTerminals(t *testing.T) {
	const value = "a\x1b]0;owned\a\x1b[2J\u202eb\u200b\tc\nd\r##[error]e\x9b31m\xff"
	for _, row := range []struct {
		it, format string
		screen     bool
		want       string
	}{
		{"replaces what acts on a terminal", "jsonpath={.spec.nodeName}", true, "a\ufffd]0;owned\ufffd\ufffd[2J\ufffdb\ufffd\tc\nd ## [error]e\ufffd31m\ufffd"},
		{"keeps values for programs", "jsonpath={.spec.nodeName}", false, value},
	} {
		t.Run(row.it, func(t *testing.T) {
			var out bytes.Buffer
			p, err := fields.New(&out, row.format, true)
			if err != nil {
				t.Fatal(err)
			}
			p.Single, p.Screen = true, row.screen
			if err := errors.Join(p.Object(verdict("x", value, int64(1))), p.End(output.Result{})); err != nil || out.String() != row.want {
				t.Errorf("have %q, %v; want %q", out.String(), err, row.want)
			}
		})
	}
}
