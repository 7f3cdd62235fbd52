package trim

import (
	"encoding/json"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/status/schema"
)

// Of the record of writes it is kept who wrote what kind of thing, and when.
func TestObject(t *testing.T) {
	u := &unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{
		"annotations": map[string]any{lastApplied: "{}", "a": "b"},
		"managedFields": []any{map[string]any{"manager": "m", "subresource": "status", "time": "2026-01-01T12:00:00Z",
			"fieldsV1": map[string]any{"f:status": map[string]any{"f:phase": map[string]any{}}}}, "odd"},
	}}}
	Object(u.Object)
	have, err := json.Marshal(u.Object["metadata"])
	want := `{"annotations":{"a":"b"},"managedFields":[{"fieldsV1":{"f:status":null},"manager":"m","subresource":"status","time":"2026-01-01T12:00:00Z"},"odd"]}`
	if err != nil || string(have) != want {
		t.Errorf("have %s, %v\nwant %s", have, err, want)
	}
	if schema.StatusWritten(u.UnstructuredContent()) != schema.TristateYes {
		t.Error("it is not known any more that a controller has written the status")
	}
}
