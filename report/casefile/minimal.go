package casefile

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/text"
	"kstatus.dev/redact"
	"kstatus.dev/status"
)

// The limits of a case.
const (
	maxBytes   = 48 << 10 // of all keys and values
	maxItems   = 50       // of a list
	maxDepth   = 20
	maxText    = 1024   // bytes of one text
	maxVisited = 50_000 // values that are searched for private names
)

// The invented names, and the number in place of a long number in a private field.
const (
	inventedName      = "example"
	inventedNamespace = "example-namespace"
	inventedNumber    = int64(10000)
)

// A copier makes the small copy of one object.
type copier struct {
	reads      []string          // the paths that the verdict has read
	readFields map[string]bool   // the names of the fields in these paths
	shift      time.Duration     // added to each time
	left       int               // the rest of maxBytes
	names      map[string]string // replacements of private words, by the word in lower case
	secrets    redact.Objects    // replaces secrets and private values
}

// newCopier returns a copier for an object.
func newCopier(root map[string]any, reads []status.Read, shift time.Duration) *copier {
	m := &copier{shift: shift, left: maxBytes, names: map[string]string{}, readFields: map[string]bool{}}
	for _, r := range reads {
		m.reads = append(m.reads, r.Path)
		for field := range strings.SplitSeq(r.Path, ".") {
			field, _, _ = strings.Cut(field, "[")
			m.readFields[field] = true
		}
	}
	m.collectNames(root)
	return m
}

// object returns the copy of an object. whole includes all fields except for data and metadata.
func (m *copier) object(root map[string]any, whole bool) map[string]any {
	out := map[string]any{}
	for _, field := range []string{"apiVersion", "kind"} {
		out[field] = root[field] // the verdict has checked that they are texts
	}
	out["metadata"] = m.metadata(decoded.Map(root, "metadata"))
	parts := map[string]any{}
	for _, field := range m.rootFields(root, whole) {
		if v := m.pruned(root[field], 0); v != nil {
			parts[field] = v
		}
	}
	if spec, ok := root["spec"].(map[string]any); ok && !whole {
		if spec := m.spec(spec); len(spec) > 0 {
			parts["spec"] = spec
		}
	}
	parts = m.secrets.Object(parts)
	for _, field := range slices.Sorted(maps.Keys(parts)) {
		out[field] = m.part(field, parts[field])
	}
	return out
}

// rootFields returns the fields of an object that are copied: the status and other fields that
// the verdict has read, or also the spec.
func (m *copier) rootFields(root map[string]any, whole bool) []string {
	fields := []string{"status"}
	if whole {
		fields = append(fields, "spec")
	}
	for _, path := range m.reads {
		field, _, _ := strings.Cut(path, ".")
		field, _, _ = strings.Cut(field, "[")
		switch field {
		case "apiVersion", "kind", "metadata", "spec", "data", "stringData", "binaryData":
			continue
		}
		if root[field] != nil && !slices.Contains(fields, field) {
			fields = append(fields, field)
		}
	}
	return fields
}

// metadata returns the copy of the metadata. Labels, annotations and owners are not part of it.
func (m *copier) metadata(of map[string]any) map[string]any {
	out := map[string]any{"name": inventedName}
	if namespace := decoded.Text(of, "namespace"); namespace != "" {
		out["namespace"] = cmp.Or(m.names[strings.ToLower(namespace)], namespace)
	}
	fields := []string{"generation", "creationTimestamp"}
	if of["deletionTimestamp"] != nil {
		fields = append(fields, "deletionTimestamp", "deletionGracePeriodSeconds", "finalizers")
	}
	for _, field := range fields {
		if of[field] != nil {
			out[field] = m.value(field, m.pruned(of[field], maxDepth-1))
		}
	}
	return out
}

// spec returns the numbers, switches and words of a spec that the verdict has read, or that a
// rule often needs.
func (m *copier) spec(spec map[string]any) map[string]any {
	out := map[string]any{}
	for name := range specFields {
		m.copyPath(out, spec, []string{name})
	}
	for _, path := range m.reads {
		if path, isSpec := strings.CutPrefix(path, "spec."); isSpec && !strings.Contains(path, "[") {
			m.copyPath(out, spec, strings.Split(path, "."))
		}
	}
	return out
}

// copyPath copies one value, unless it is a list or a map.
func (m *copier) copyPath(to, from map[string]any, path []string) {
	v := from[path[0]]
	if below, ok := v.(map[string]any); ok {
		if len(path) == 1 {
			return
		}
		next, ok := to[path[0]].(map[string]any)
		if !ok {
			next = map[string]any{}
		}
		if m.copyPath(next, below, path[1:]); len(next) > 0 {
			to[path[0]] = next
		}
		return
	}
	if _, isList := v.([]any); len(path) == 1 && v != nil && !isList {
		to[path[0]] = m.pruned(v, maxDepth)
	}
}

// pruned returns the copy of a value within the limits. Of a map, single values come first, then
// conditions, because they decide most often.
func (m *copier) pruned(v any, depth int) any {
	m.left -= 8 + 2*depth // with its indentation
	switch v := v.(type) {
	case string:
		v = text.Cut(text.Safe(text.Cut(v, 4*maxText)), maxText)
		m.left -= len(v)
		return v
	case map[string]any:
		out := map[string]any{}
		if depth >= maxDepth {
			return out
		}
		keys := slices.SortedFunc(maps.Keys(v), func(a, b string) int {
			return cmp.Or(cmp.Compare(order(a, v[a]), order(b, v[b])), cmp.Compare(a, b))
		})
		for _, key := range keys {
			if m.left -= len(key); m.left <= 0 {
				break
			}
			out[key] = m.pruned(v[key], depth+1)
		}
		return out
	case []any:
		out := []any{}
		for _, item := range v {
			if len(out) == maxItems || depth >= maxDepth || m.left <= 0 {
				break
			}
			out = append(out, m.pruned(item, depth+1))
		}
		return out
	}
	return number(v)
}

// order returns the position of a value of a map.
func order(key string, v any) int {
	switch v.(type) {
	case map[string]any, []any:
		if key == "conditions" {
			return 1
		}
		return 2
	}
	return 0
}
