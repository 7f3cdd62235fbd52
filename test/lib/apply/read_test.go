package apply

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func TestParse(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string // kind/name
		err        string
	}{
		{name: "nothing", text: ""},
		{name: "comments and empty documents only", text: "# a\n---\n---\n# b\n"},
		{name: "documents", text: "kind: A\napiVersion: v1\nmetadata: {name: a}\n---\nkind: B\napiVersion: v1\nmetadata: {name: b}\n", want: []string{"A/a", "B/b"}},
		{name: "JSON", text: `{"kind": "A", "apiVersion": "v1", "metadata": {"name": "a"}}`, want: []string{"A/a"}},
		{
			name: "a list", text: "kind: List\napiVersion: v1\nitems:\n- {kind: A, apiVersion: v1, metadata: {name: a}}\n- {kind: B, apiVersion: v1, metadata: {name: b}}\n",
			want: []string{"A/a", "B/b"},
		},
		{name: "no object", text: "- 1\n- 2\n", err: "document 1"},
		{name: "no kind", text: "kind: A\napiVersion: v1\n---\napiVersion: v1\n", err: "document 2"},
		{name: "no YAML", text: "kind: A\n\t- :", err: "document 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			objects, err := Parse([]byte(test.text))
			if test.err == "" && err != nil || test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
				t.Fatalf("Parse = %v, want an error with %q", err, test.err)
			}
			if have := names(objects); test.err == "" && !slices.Equal(have, test.want) {
				t.Errorf("Parse = %q, want %q", have, test.want)
			}
		})
	}
}

func TestFile(t *testing.T) {
	dir := t.TempDir()
	for file, text := range map[string]string{
		"b.yaml": "kind: B\napiVersion: v1\nmetadata: {name: b}\n", "a.json": `{"kind": "A", "apiVersion": "v1", "metadata": {"name": "a"}}`,
		"kustomization.yaml": "resources: [b.yaml]\n", "README.md": "kind: C\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	objects, err := File(dir)
	if have := names(objects); err != nil || !slices.Equal(have, []string{"A/a", "B/b"}) {
		t.Errorf("File(folder) = %q, %v, want its manifests in order", have, err)
	}
	objects, err = Kustomization(dir)
	if have := names(objects); err != nil || !slices.Equal(have, []string{"B/b"}) {
		t.Errorf("Kustomization = %q, %v, want what it names", have, err)
	}
	if _, err := File(filepath.Join(dir, "none.yaml")); err == nil {
		t.Error("File of what is not there succeeds")
	}
	bad := filepath.Join(dir, "bad.yaml")
	if err := os.WriteFile(bad, []byte("- 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := File(dir); err == nil || !strings.Contains(err.Error(), bad) {
		t.Errorf("File(folder with a bad file) = %v, want an error that names it", err)
	}
}

func TestSortByKind(t *testing.T) {
	text := ""
	for _, kind := range []string{"Catalog", "Deployment", "ServiceAccount", "CustomResourceDefinition", "ConfigMap", "Namespace"} {
		text += "---\nkind: " + kind + "\napiVersion: v1\nmetadata: {name: x}\n"
	}
	objects, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"Namespace/x", "CustomResourceDefinition/x", "ServiceAccount/x", "Catalog/x", "Deployment/x", "ConfigMap/x"}
	if have := names(sortByKind(objects)); !slices.Equal(have, want) {
		t.Errorf("ordered = %q, want %q", have, want)
	}
}

func names(objects []*unstructured.Unstructured) []string {
	var all []string
	for _, o := range objects {
		all = append(all, o.GetKind()+"/"+o.GetName())
	}
	return all
}
