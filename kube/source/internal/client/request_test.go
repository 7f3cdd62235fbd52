package client

import (
	"encoding/json"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/status/schema"
)

func TestFieldSelectors(t *testing.T) {
	rows := []struct {
		it    string
		scope Scope
		want  string
	}{
		{"selects all", Scope{}, ""},
		{"selects by name", Scope{Name: "web"}, "metadata.name=web"},
		{"selects by a name with what selectors are made of, as Roles may have", Scope{Name: `a,b=c\d`}, `metadata.name=a\,b\=c\\d`},
		{"selects by a name among those that match", Scope{Name: "web", FieldSelector: "type=x"}, "type=x,metadata.name=web"},
	}
	for _, row := range rows {
		if have := row.scope.narrow(metav1.ListOptions{}).FieldSelector; have != row.want {
			t.Errorf("it %s: have %s, want %s", row.it, have, row.want)
		}
	}
}

// Of the record of writes it is kept who wrote what kind of thing, and when.
func TestTrim(t *testing.T) {
	u := &unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{
		"annotations": map[string]any{lastApplied: "{}", "a": "b"},
		"managedFields": []any{map[string]any{"manager": "m", "subresource": "status", "time": "2026-01-01T12:00:00Z",
			"fieldsV1": map[string]any{"f:status": map[string]any{"f:phase": map[string]any{}}}}, "odd"},
	}}}
	Trim(u.Object)
	have, err := json.Marshal(u.Object["metadata"])
	want := `{"annotations":{"a":"b"},"managedFields":[{"fieldsV1":{"f:status":null},"manager":"m","subresource":"status","time":"2026-01-01T12:00:00Z"},"odd"]}`
	if err != nil || string(have) != want {
		t.Errorf("have %s, %v\nwant %s", have, err, want)
	}
	if schema.StatusWritten(u.UnstructuredContent()) != schema.TristateYes {
		t.Error("it is not known any more that a controller has written the status")
	}
}
