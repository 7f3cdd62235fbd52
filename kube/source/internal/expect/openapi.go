package expect

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/status/schema"
)

// A document holds the part of an OpenAPI document that is kept.
type document struct {
	uri   string // with its hash, which identifies the content
	kinds map[string]schema.Expectation
}

// An index is the list of the OpenAPI documents of a server.
type index struct {
	Paths map[string]struct {
		URI string `json:"serverRelativeURL"`
	} `json:"paths"`
}

// An openAPI is an OpenAPI document with the needed fields.
type openAPI struct {
	Paths      map[string]struct{} `json:"paths"`
	Components struct {
		Schemas map[string]json.RawMessage `json:"schemas"`
	} `json:"components"`
}

// document finds a kind in the OpenAPI document of its group and version. It reads the document
// only if it has changed.
func (r *Reader) document(ctx context.Context, m *meta.RESTMapping) (e schema.Expectation, found bool, err error) {
	end, err := r.turn.Take(ctx)
	if err != nil {
		return e, false, err
	}
	defer end()
	var all index
	if err := Get(ctx, r.Server, "/openapi/v3", &all); err != nil {
		return e, false, err
	}
	path := strings.TrimPrefix(Path(m.GroupVersionKind.Group), "/") + "/" + m.GroupVersionKind.Version
	uri := all.Paths[path].URI
	if uri == "" {
		return e, false, nil
	}
	r.Kinds.mu.RLock()
	known := r.Kinds.documents[path]
	r.Kinds.mu.RUnlock()
	if known.uri != uri {
		var read openAPI
		if err := Get(ctx, r.Server, uri, &read); err != nil {
			return e, false, err
		}
		known = document{uri, read.expectations(m)}
		r.Kinds.mu.Lock()
		if r.Kinds.documents == nil {
			r.Kinds.documents = map[string]document{}
		}
		r.Kinds.documents[path] = known
		r.Kinds.mu.Unlock()
	}
	e, found = known.kinds[m.GroupVersionKind.Kind]
	if found && e.Status != schema.TristateNo {
		e.Subresource = schema.TristateNo
		if _, is := known.kinds[subresource(m.Resource.Resource)]; is {
			e.Subresource = schema.TristateYes
		}
	}
	if found {
		e.Source = m.Resource.GroupResource().String()
	}
	return e, found, nil
}

// subresource returns the key under which the status subresource of a resource is kept. No kind
// has such a name.
func subresource(resource string) string { return resource + "/status" }

// expectations returns the expectations of the kinds of a group and version.
func (d *openAPI) expectations(m *meta.RESTMapping) map[string]schema.Expectation {
	kinds := map[string]schema.Expectation{}
	for path := range d.Paths {
		if resource, ok := strings.CutSuffix(path, "/{name}/status"); ok {
			kinds[subresource(resource[strings.LastIndexByte(resource, '/')+1:])] = schema.Expectation{}
		}
	}
	for name, text := range d.Components.Schemas {
		for _, kind := range kindsOf(text, m) {
			if e, err := schema.FromOpenAPI(d.resolve(name)); err == nil {
				kinds[kind] = e
			}
		}
	}
	return kinds
}

// kindsOf returns the kinds of a group and version that a schema describes.
func kindsOf(text json.RawMessage, m *meta.RESTMapping) (kinds []string) {
	var of struct {
		Kinds []struct{ Group, Version, Kind string } `json:"x-kubernetes-group-version-kind"`
	}
	if json.Unmarshal(text, &of) != nil {
		return nil // a schema that cannot be read gives no expectations
	}
	for _, k := range of.Kinds {
		if k.Group == m.GroupVersionKind.Group && k.Version == m.GroupVersionKind.Version {
			kinds = append(kinds, k.Kind)
		}
	}
	return kinds
}

// resolve returns a schema in which a reference to the schema of the status is resolved. Other
// references do not matter.
func (d *openAPI) resolve(name string) map[string]any {
	root := d.schema(name)
	properties := decoded.Map(root, "properties")
	if state, ok := properties["status"].(map[string]any); ok {
		properties["status"] = d.follow(state)
	}
	return root
}

// follow returns the schema that a schema refers to, with its own fields added.
func (d *openAPI) follow(s map[string]any) map[string]any {
	refs := []any{s["$ref"]}
	for _, part := range decoded.Maps(s, "allOf") {
		refs = append(refs, part["$ref"])
	}
	i := slices.IndexFunc(refs, func(v any) bool { _, ok := v.(string); return ok })
	if i < 0 {
		return s
	}
	ref, _ := refs[i].(string)
	there := d.schema(strings.TrimPrefix(ref, "#/components/schemas/"))
	if there == nil {
		return map[string]any{"x-kubernetes-preserve-unknown-fields": true}
	}
	maps.Copy(there, s)
	return there
}

func (d *openAPI) schema(name string) (s map[string]any) {
	if json.Unmarshal(d.Components.Schemas[name], &s) != nil {
		return nil
	}
	return s
}
