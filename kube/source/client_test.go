package source_test

import (
	"testing"

	"k8s.io/client-go/rest"

	"kstatus.dev/kube/source"
	"kstatus.dev/status"
	"kstatus.dev/status/schema"
)

// definition returns the definition of Widget.example.com in one version whose status has
// these fields.
func definition(version string, fields ...string) status.Map {
	properties := map[string]any{}
	for _, f := range fields {
		properties[f] = map[string]any{"type": "integer"}
	}
	state := map[string]any{"type": "object", "properties": properties}
	schema := map[string]any{"type": "object", "properties": map[string]any{"status": state}}
	return status.Map{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": "widgets.example.com"},
		"spec": map[string]any{
			"group": "example.com", "names": map[string]any{"kind": "Widget", "plural": "widgets"},
			"versions": []any{map[string]any{"name": version, "served": true, "schema": map[string]any{"openAPIV3Schema": schema},
				"subresources": map[string]any{"status": map[string]any{}}}},
		},
	}
}

// offline returns a Client without a server.
func offline(t *testing.T) *source.Client {
	t.Helper()
	c, err := source.NewClient(&rest.Config{Host: "https://127.0.0.1:1"}, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestExpectationsOfAClient(t *testing.T) {
	rows := []struct {
		it          string
		definitions []status.Object
		apiVersion  string
		want        schema.Tristate
	}{
		{"has no expectation at first", nil, "example.com/v1", schema.TristateUnknown},
		{"has the expectation of a definition", []status.Object{definition("v1", "observedGeneration")}, "example.com/v1", schema.TristateYes},
		{"has no expectation of another group", []status.Object{definition("v1", "observedGeneration")}, "example.org/v1", schema.TristateUnknown},
		{"has no expectation of another version", []status.Object{definition("v1", "observedGeneration")}, "example.com/v2", schema.TristateUnknown},
		{"has the latest expectation", []status.Object{definition("v1", "observedGeneration"), definition("v1", "phase")}, "example.com/v1", schema.TristateNo},
		{"drops a version that is not served any more", []status.Object{definition("v1", "observedGeneration"), definition("v2", "phase")}, "example.com/v1", schema.TristateUnknown},
		{"ignores an object that is not a definition", []status.Object{definition("v1", "observedGeneration"), status.Map{"kind": "Widget"}}, "example.com/v1", schema.TristateYes},
	}
	for _, row := range rows {
		p := offline(t)
		for _, d := range row.definitions {
			p.AddDefinition(d)
		}
		if have := p.Evaluator().Expect(row.apiVersion, "Widget").ObservedGeneration; have != row.want {
			t.Errorf("it %s: have %d, want %d", row.it, have, row.want)
		}
	}
}

func TestRelatedObjectsOfAClient(t *testing.T) {
	class := func(version, name string, mode any) status.Object {
		return status.Map{"apiVersion": version, "kind": "StorageClass", "metadata": map[string]any{"name": name}, "volumeBindingMode": mode}
	}
	rows := []struct {
		it    string
		learn []status.Object
		want  any
	}{
		{"has no mode at first", nil, nil},
		{"has the mode of a class", []status.Object{class("storage.k8s.io/v1", "fast", "WaitForFirstConsumer")}, "WaitForFirstConsumer"},
		{"has the default mode of a class", []status.Object{class("storage.k8s.io/v1", "fast", nil)}, "Immediate"},
		{"has the latest mode", []status.Object{class("storage.k8s.io/v1", "fast", "WaitForFirstConsumer"), class("storage.k8s.io/v1", "fast", "Immediate")}, "Immediate"},
		{"has no mode of another class", []status.Object{class("storage.k8s.io/v1", "slow", "Immediate")}, nil},
		{"ignores another kind of that name", []status.Object{class("example.com/v1", "fast", "Immediate")}, nil},
	}
	for _, row := range rows {
		p := offline(t)
		for _, d := range row.learn {
			p.AddDefinition(d)
		}
		var have any
		if obj := p.Evaluator().Related(status.Kind{Group: "storage.k8s.io", Kind: "StorageClass"}, "", "fast"); obj != nil {
			have = obj.UnstructuredContent()["volumeBindingMode"]
		}
		if have != row.want {
			t.Errorf("it %s: have %v, want %v", row.it, have, row.want)
		}
		if p.Evaluator().Related(status.Kind{Kind: "ConfigMap"}, "", "fast") != nil {
			t.Errorf("it %s: it knows a ConfigMap", row.it)
		}
	}
}
