package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"kstatus.dev/status/schema"
)

const widgets = "CustomResourceDefinition widgets.example.com"

// crd returns a definition of example.com/v1 Widget whose version has the given fields.
func crd(version string) string {
	return `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": {"name": "widgets.example.com"},
		"spec": {"group": "example.com", "names": {"kind": "Widget"},
			"versions": [{"name": "v1", "served": true` + version + `}]}}`
}

// withSchema returns a definition with a status subresource and the given schema.
func withSchema(text string) string {
	return crd(`, "subresources": {"status": {}}, "schema": {"openAPIV3Schema": ` + text + `}`)
}

func object(t *testing.T, text string) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestFromCRDs(t *testing.T) {
	const (
		unknown  = schema.TristateUnknown
		promised = schema.TristateYes
		denied   = schema.TristateNo
	)
	for name, c := range map[string]struct {
		crd  string
		want schema.Expectation
	}{
		"it declares the fields of the status": {
			withSchema(`{"properties": {"status": {"properties": {"observedGeneration": {"type": "integer"}, "conditions": {"type": "array"}}}}}`),
			schema.Expectation{Status: promised, ObservedGeneration: promised, Conditions: promised, Subresource: promised, Source: widgets},
		},
		"it has the summary condition of the kind's table": {
			crd(`, "additionalPrinterColumns": [
				{"name": "Paused", "jsonPath": ".status.conditions[?(@.type=='Paused')].status"},
				{"name": "Synced", "jsonPath": ".status.conditions[?(@.type==\"Synced\")].status"},
				{"name": "Ready", "jsonPath": ".status.conditions[?(@.type=='Ready')].status"},
				{"name": "Why", "jsonPath": ".status.conditions[?(@.type=='Available')].reason"}]`),
			schema.Expectation{Subresource: denied, SummaryCondition: "Ready", Source: widgets},
		},
		"it denies missing fields of the status": {
			withSchema(`{"properties": {"status": {"properties": {"phase": {"type": "string"}}}}}`),
			schema.Expectation{Status: promised, ObservedGeneration: denied, Conditions: denied, Subresource: promised, Source: widgets},
		},
		"it denies a status that is not in the schema": {
			withSchema(`{"type": "object", "properties": {"spec": {"type": "object"}}}`),
			schema.Expectation{Status: denied, ObservedGeneration: denied, Conditions: denied, Source: widgets},
		},
		"it denies a status without fields": {
			withSchema(`{"properties": {"status": {"type": "object"}}}`),
			schema.Expectation{Status: denied, ObservedGeneration: denied, Conditions: denied, Source: widgets},
		},
		"it declares a status that is not an object": {
			withSchema(`{"properties": {"status": {"type": "string"}}}`),
			schema.Expectation{Status: promised, ObservedGeneration: denied, Conditions: denied, Subresource: promised, Source: widgets},
		},
		"it declares an open status, with unknown fields": {
			withSchema(`{"properties": {"status": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}`),
			schema.Expectation{Status: promised, Subresource: promised, Source: widgets},
		},
		"it treats additional properties as an open status": {
			withSchema(`{"properties": {"status": {"additionalProperties": {"type": "string"}}}}`),
			schema.Expectation{Status: promised, Subresource: promised, Source: widgets},
		},
		"it does not treat forbidden additional properties as an open status": {
			withSchema(`{"properties": {"status": {"additionalProperties": false, "properties": {"phase": {}}}}}`),
			schema.Expectation{Status: promised, ObservedGeneration: denied, Conditions: denied, Subresource: promised, Source: widgets},
		},
		"it is unknown if the root preserves unknown fields": {
			withSchema(`{"x-kubernetes-preserve-unknown-fields": true, "properties": {"spec": {}}}`),
			schema.Expectation{Subresource: promised, Source: widgets},
		},
		"it declares a status although the root preserves unknown fields": {
			withSchema(`{"x-kubernetes-preserve-unknown-fields": true, "properties": {"status": {"properties": {"conditions": {}}}}}`),
			schema.Expectation{Status: promised, ObservedGeneration: denied, Conditions: promised, Subresource: promised, Source: widgets},
		},
		"it is unknown without a schema": {
			crd(`, "subresources": {"status": {}}`),
			schema.Expectation{Subresource: promised, Source: widgets},
		},
		"it is unknown with an empty schema": {
			withSchema(`{}`),
			schema.Expectation{Subresource: promised, Source: widgets},
		},
		"it reports a missing status subresource": {
			crd(`, "schema": {"openAPIV3Schema": {"properties": {"status": {"properties": {"phase": {}}}}}}`),
			schema.Expectation{Status: promised, ObservedGeneration: denied, Conditions: denied, Subresource: denied, Source: widgets},
		},
		"it does not need the subresource of a denied status": {
			crd(`, "schema": {"openAPIV3Schema": {"properties": {"spec": {}}}}`),
			schema.Expectation{Status: denied, ObservedGeneration: denied, Conditions: denied, Source: widgets},
		},
		"it has a default of -1": {
			withSchema(`{"properties": {"status": {"default": {"observedGeneration": -1}, "properties": {"observedGeneration": {}}}}}`),
			schema.Expectation{Status: promised, ObservedGeneration: promised, Conditions: denied, DefaultsStatus: true, Subresource: promised, Source: widgets},
		},
		"it has default conditions that are Unknown": {
			withSchema(`{"properties": {"status": {"default": {}, "properties": {"conditions": {"default": [{"type": "Ready", "status": "Unknown"}]}}}}}`),
			schema.Expectation{Status: promised, ObservedGeneration: denied, Conditions: promised, DefaultsStatus: true, Subresource: promised, Source: widgets},
		},
		"it ignores the default of a field in a status without a default": {
			withSchema(`{"properties": {"status": {"properties": {"observedGeneration": {"default": -1}}}}}`),
			schema.Expectation{Status: promised, ObservedGeneration: promised, Conditions: denied, Subresource: promised, Source: widgets},
		},
		"it omits a version that is not served": {
			strings.Replace(withSchema(`{"properties": {"spec": {}}}`), `"served": true`, `"served": false`, 1),
			schema.Expectation{},
		},
		"it reads v1beta1, whose schema is for all versions": {
			`{"apiVersion": "apiextensions.k8s.io/v1beta1", "kind": "CustomResourceDefinition", "metadata": {"name": "widgets.example.com"},
				"spec": {"group": "example.com", "version": "v1", "names": {"kind": "Widget"}, "subresources": {"status": {}},
					"validation": {"openAPIV3Schema": {"properties": {"status": {"properties": {"conditions": {}}}}}}}}`,
			schema.Expectation{Status: promised, ObservedGeneration: denied, Conditions: promised, Subresource: promised, Source: widgets},
		},
	} {
		t.Run(name, func(t *testing.T) {
			expect, err := schema.FromCRDs(object(t, c.crd))
			if err != nil {
				t.Fatal(err)
			}
			if got := expect("example.com/v1", "Widget"); got != c.want {
				t.Errorf("expectation of Widget = %+v, want %+v", got, c.want)
			}
			if got := expect("example.com/v2", "Widget"); got != (schema.Expectation{}) {
				t.Errorf("expectation of a version that is not defined = %+v, want none", got)
			}
		})
	}
}

func TestFromCRDsTakesTheLater(t *testing.T) {
	first := object(t, withSchema(`{"properties": {"spec": {}}}`))
	later := object(t, withSchema(`{"properties": {"status": {"properties": {"phase": {}}}}}`))
	expect, err := schema.FromCRDs(first, later)
	if err != nil {
		t.Fatal(err)
	}
	if got := expect("example.com/v1", "Widget").Status; got != schema.TristateYes {
		t.Errorf("promise of a status = %v, want that of the later definition", got)
	}
}

func TestFromCRDsNamesWhatItCannotRead(t *testing.T) {
	good := object(t, withSchema(`{"properties": {"spec": {}}}`))
	for name, c := range map[string]struct{ crd, want string }{
		"another kind":       {`{"apiVersion": "v1", "kind": "Pod"}`, "read CustomResourceDefinition: the object is of another kind"},
		"no kind":            {`{}`, "read CustomResourceDefinition: the object is of another kind"},
		"no names":           {`{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "x"}}`, "read CustomResourceDefinition x: spec.group and spec.names.kind: want both, have an empty one"},
		"versions no list":   {`{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "x"}, "spec": {"group": "g", "names": {"kind": "K"}, "versions": {}}}`, "read CustomResourceDefinition x: spec.versions: want a list, have a map of 0 keys"},
		"properties no map":  {withSchema(`{"properties": []}`), "read CustomResourceDefinition widgets.example.com: spec.versions[0].schema.openAPIV3Schema.properties: want a map, have a list of 0 items"},
		"status a number":    {withSchema(`{"properties": {"status": 3}}`), "read CustomResourceDefinition widgets.example.com: spec.versions[0].schema.openAPIV3Schema.properties.status: want a map, have number 3"},
		"spec is not a map":  {`{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "x"}, "spec": 1}`, "read CustomResourceDefinition x: spec: want a map, have number 1"},
		"served as a string": {strings.Replace(withSchema(`{}`), `true`, `"yes"`, 1), `read CustomResourceDefinition widgets.example.com: spec.versions[0].served: want a boolean, have string "yes"`},
	} {
		t.Run(name, func(t *testing.T) {
			expect, err := schema.FromCRDs(object(t, c.crd), good)
			if err == nil || err.Error() != c.want {
				t.Errorf("error = %v, want %s", err, c.want)
			}
			if got := expect("example.com/v1", "Widget").Status; got != schema.TristateNo {
				t.Errorf("promise of the good definition = %v, want it anyway", got)
			}
		})
	}
	if _, err := schema.FromCRDs(nil); err == nil {
		t.Error("a nil definition is no error, want one")
	}
}

func TestFromOpenAPI(t *testing.T) {
	var document map[string]any
	if err := json.Unmarshal([]byte(`{"properties": {"status": {"properties": {"observedGeneration": {}}}}}`), &document); err != nil {
		t.Fatal(err)
	}
	want := schema.Expectation{Status: schema.TristateYes, ObservedGeneration: schema.TristateYes, Conditions: schema.TristateNo}
	if got, err := schema.FromOpenAPI(document); err != nil || got != want {
		t.Errorf("have %+v, %v, want %+v", got, err, want)
	}
	if got, err := schema.FromOpenAPI(nil); err != nil || got != (schema.Expectation{}) {
		t.Errorf("of no schema: have %+v, %v, want nothing", got, err)
	}
	if _, err := schema.FromOpenAPI(map[string]any{"properties": 3}); err == nil || err.Error() != "read schema: schema.properties: want a map, have number 3" {
		t.Errorf("of a schema that is none: have %v", err)
	}
}
