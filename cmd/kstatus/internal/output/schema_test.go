package output

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/explain"
	"kstatus.dev/status"
)

// TestSchemaNamesEveryField checks that the published schema has every field of the lines, and
// every stage of a verdict.
func TestSchemaNamesEveryField(t *testing.T) {
	text, err := os.ReadFile("../../../../docs/reference/output.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	type shape struct {
		Properties map[string]json.RawMessage
		Items      json.RawMessage
	}
	var schema struct {
		Defs map[string]shape `json:"$defs"`
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	sub := func(s shape, name string) (inner shape) {
		if err := json.Unmarshal(s.Properties[name], &inner); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return inner
	}
	object := schema.Defs["object"]
	var item shape
	if err := json.Unmarshal(sub(object, "evidence").Items, &item); err != nil {
		t.Fatal(err)
	}
	for line, has := range map[reflect.Type]shape{
		reflect.TypeFor[Start]():           schema.Defs["start"],
		reflect.TypeFor[Object]():          object,
		reflect.TypeFor[Update]():          object,
		reflect.TypeFor[manifest.Source](): sub(object, "source"),
		reflect.TypeFor[status.Read]():     item,
		reflect.TypeFor[Result]():          schema.Defs["result"],

		reflect.TypeFor[explain.Cause]():    schema.Defs["cause"],
		reflect.TypeFor[explain.Step]():     schema.Defs["link"],
		reflect.TypeFor[explain.Evidence](): schema.Defs["fact"],
		reflect.TypeFor[status.ID]():        schema.Defs["id"],
		reflect.TypeFor[status.Kind]():      schema.Defs["id"],
		reflect.TypeFor[explain.LogID]():    schema.Defs["log"],
		reflect.TypeFor[explain.Gap]():      schema.Defs["gap"],
	} {
		for _, field := range reflect.VisibleFields(line) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if !field.IsExported() || field.Anonymous && name == "" || name == "-" {
				continue
			}
			if has.Properties[name] == nil {
				t.Errorf("%s has %q, which docs/reference/output.schema.json does not name", line, name)
			}
		}
	}
	for stage := range (status.Profile{}).Stages() {
		if rule := string(object.Properties["rule"]); !strings.Contains(rule, stage) {
			t.Errorf("the description of rule does not name the stage %q: %s", stage, rule)
		}
	}
}
