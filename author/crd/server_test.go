package crd

import (
	"math/rand/v2"
	"strings"
	"testing"

	"kstatus.dev/author/crd/internal/difference"
	"kstatus.dev/author/lint"
)

const lamps = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: lamps.example.com
spec:
  group: example.com
  names: {kind: Lamp, listKind: LampList, plural: lamps, singular: lamp}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              colour: {type: string, default: white, enum: [white, red]}
          status:
            type: object
            default: {observedGeneration: -1}
            properties:
              observedGeneration: {type: integer, format: int64}
              conditions:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [type]
                items: {type: object, required: [type], properties: {type: {type: string}}}
            x-kubernetes-validations:
            - rule: "!has(self.observedGeneration) || self.observedGeneration >= -1"
`

func definition(t *testing.T, text string) map[string]any {
	t.Helper()
	objects := Parse("lamps.yaml", []byte(text)).Objects()
	if len(objects) != 1 {
		t.Fatal("want one object")
	}
	return objects[0].Value
}

// checkProblem compares the path and the text of the first problem. An empty text
// means no problem.
func checkProblem(t *testing.T, it string, found []lint.Problem, path, want string) {
	t.Helper()
	switch {
	case want == "" && len(found) > 0:
		t.Errorf("it %s: have %v", it, found)
	case want == "":
	case len(found) == 0:
		t.Errorf("it %s: have nothing", it)
	case found[0].Path.String() != path || !strings.Contains(found[0].Message, want):
		t.Errorf("it %s: have %s: %s; want %s: …%s…", it, found[0].Path, found[0].Message, path, want)
	}
}

func TestValidate(t *testing.T) {
	rows := []struct {
		it, old, new string
		path, want   string
	}{
		{"accepts a valid definition", "", "", "", ""},
		{"reports a default that the schema does not allow", "format: int64}", "format: int64, minimum: 1}",
			"spec.versions[0].schema.openAPIV3Schema.properties.status.default.observedGeneration", "greater than or equal to 1"},
		{"reports a schema that is not structural", "          status:\n            type: object", "          status:\n            nullable: true",
			"spec.versions[0].schema.openAPIV3Schema.properties.status.type", "Required value"},
		{"reports an invalid rule", "self.observedGeneration >= -1", "self.missing",
			"spec.versions[0].schema.openAPIV3Schema.properties.status.default", "undefined field"},
		{"reports a name that does not match the group", "name: lamps.example.com", "name: lamp.example.com", "metadata.name", "must be spec.names.plural"},
		{"reports an unsupported version", "apiextensions.k8s.io/v1\n", "apiextensions.k8s.io/v1beta1\n", "", "want apiextensions.k8s.io/v1"},
		{"reports a malformed definition", "served: true", "served: [yes]", "", "cannot unmarshal"},
	}
	server := &Validator{}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			for range 2 { // the second result comes from the cache
				found := server.Validate(definition(t, strings.Replace(lamps, row.old, row.new, 1)))
				checkProblem(t, row.it, found, row.path, row.want)
			}
		})
	}
}

func TestValidateObject(t *testing.T) {
	rows := []struct {
		it     string
		object map[string]any
		path   string
		want   string
	}{
		{"accepts a valid object", map[string]any{"spec": map[string]any{}}, "", ""},
		{"prunes unknown fields", map[string]any{"strange": 1}, "", ""},
		{"reports a value that is not allowed", map[string]any{"spec": map[string]any{"colour": "blue"}}, "spec.colour", "Unsupported value"},
		{"reports a duplicate item", map[string]any{"status": map[string]any{"conditions": []any{map[string]any{"type": "A"}, map[string]any{"type": "A"}}}},
			"status.conditions[1]", "Duplicate value"},
		{"reports a violated rule", map[string]any{"status": map[string]any{"observedGeneration": -2}}, "status", "failed rule"},
	}
	server := &Validator{}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			row.object["apiVersion"], row.object["kind"], row.object["metadata"] = "example.com/v1", "Lamp", map[string]any{"name": "a"}
			found := server.ValidateObject(definition(t, lamps), "v1", row.object)
			checkProblem(t, row.it, found, row.path, row.want)
		})
	}
	if found := server.ValidateObject(definition(t, lamps), "v2", map[string]any{}); len(found) == 0 {
		t.Error("it says that there is no such version: have nothing")
	}
}

// schema makes a random structural schema, with defaults at all depths.
func (m maker) schema(depth int) map[string]any {
	s := map[string]any{"type": "object"}
	switch n := m.IntN(6); {
	case depth == 0 || n == 0:
		s = map[string]any{"type": []string{"string", "integer", "boolean"}[m.IntN(3)]}
	case n == 1:
		s = map[string]any{"type": "array", "items": m.schema(depth - 1)}
	case n == 2:
		s["additionalProperties"] = m.schema(depth - 1)
	default:
		properties := map[string]any{}
		for range 1 + m.IntN(3) {
			properties[someNames[m.IntN(4)]] = m.schema(depth - 1)
		}
		s["properties"] = properties
	}
	if m.IntN(4) == 0 {
		s["nullable"] = true
	}
	if m.IntN(2) == 0 {
		s["default"] = m.valueFor(s, 2)
	}
	return s
}

// valueFor makes a value of the type of a schema, with missing parts and nulls.
func (m maker) valueFor(s map[string]any, depth int) any {
	if s["nullable"] == true && m.IntN(4) == 0 {
		return nil
	}
	switch s["type"] {
	case "string":
		return "text"
	case "integer":
		return int64(m.IntN(9))
	case "boolean":
		return true
	case "array":
		list := []any{}
		for range m.IntN(3) {
			list = append(list, m.valueFor(s["items"].(map[string]any), depth-1))
		}
		return list
	}
	o := map[string]any{}
	properties, _ := s["properties"].(map[string]any)
	for name, below := range properties {
		switch n := m.IntN(3); {
		case n == 0 && depth > 0:
			o[name] = m.valueFor(below.(map[string]any), depth-1)
		case n == 1 && m.IntN(3) == 0:
			o[name] = nil
		}
	}
	if rest, ok := s["additionalProperties"].(map[string]any); ok {
		for range m.IntN(3) {
			o[someNames[m.IntN(4)]] = m.valueFor(rest, depth-1)
		}
	}
	return o
}

// Package lint computes the same defaults as the API server.
func TestDefaultsAgreeWithServer(t *testing.T) {
	for seed := range uint64(1500) {
		m := maker{rand.New(rand.NewPCG(seed, 11))}
		crd := definition(t, lamps)
		version := crd["spec"].(map[string]any)["versions"].([]any)[0].(map[string]any)
		schema := map[string]any{"type": "object", "properties": map[string]any{"spec": m.schema(4), "status": m.schema(4)}}
		version["schema"] = map[string]any{"openAPIV3Schema": schema}
		form, err := (&Validator{}).Schema(crd, "v1")
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, object := range []any{map[string]any{}, map[string]any{"status": map[string]any{"conditions": []any{}}}, m.valueFor(schema, 4)} {
			want := form.withDefaults(object.(map[string]any))
			have := lint.Schema{Node: schema}.WithDefaults(object)
			if !difference.Equal(have, want) {
				t.Fatalf("seed %d: %s under %s\nhave %s\nwant %s", seed, jsonText(object), jsonText(schema), jsonText(have), jsonText(want))
			}
		}
	}
}

func TestPlural(t *testing.T) {
	for kind, want := range map[string]string{"OpenStackCluster": "openstackclusters", "IPAddress": "ipaddresses", "Proxy": "proxies", "Gateway": "gateways"} {
		t.Run(kind, func(t *testing.T) {
			if have := Plural(kind); have != want {
				t.Errorf("Plural(%s) = %s, want %s", kind, have, want)
			}
		})
	}
}
