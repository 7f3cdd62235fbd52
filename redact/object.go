package redact

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unsafe"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/redact/internal/naming"
)

// Objects redacts objects. It replaces:
//
//   - the values of environment variables and of other pairs of a name and a
//     value.
//   - the data of Secrets and ConfigMaps, also inside of other objects.
//   - values below fields with secret names.
//   - arguments of commands, and annotations that contain whole objects.
//   - all secrets that [Text] finds in other texts.
//
// Equal values get equal placeholders, so that a change of a value is visible,
// but the value is not. The zero value is ready for use, by one goroutine.
type Objects struct {
	// Numbered adds numbers to placeholders in texts too, so that a change of a
	// text is visible.
	Numbered bool

	placeholders   map[string]string       // by value.
	classes        map[string]naming.Class // of fields.
	texts          map[textID]string       // redacted long texts.
	cached         int                     // the size of texts, in bytes.
	newPlaceholder func(string) string     // returns placeholders; nil: with numbers.
	depth          int                     // nesting of documents in texts.
	changed        bool                    // a secret was replaced.
}

// A textID identifies a text by its address and length. A text that occurs many
// times, for example by a YAML alias, is redacted once. As a key of a map it
// keeps the text alive.
type textID struct {
	start  *byte
	length int
}

// Object returns a copy of an object without secrets.
func (r *Objects) Object(obj map[string]any) map[string]any {
	if obj == nil {
		return nil
	}
	return r.fields("", obj, false)
}

// Replace returns a placeholder for any text.
func (r *Objects) Replace(s string) string { return r.placeholder(s) }

// Field returns the value of a field without secrets. The path determines the
// field, such as "spec.adminPassword".
func (r *Objects) Field(path string, v any) any {
	parent, name := "", path
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		parent, name = path[:i], path[i+1:]
	}
	if i := strings.IndexByte(name, '['); i > 0 {
		name = name[:i]
	}
	if name == "value" && strings.HasSuffix(parent, "]") && v != nil {
		return r.value(name, v, true) // of a variable
	}
	return r.field(nil, name, v, false)
}

// Text returns a text without secrets, as [Text] does.
func (r *Objects) Text(s string) string {
	if len(s) < minLength {
		return s
	}
	const long = 256
	id := textID{}
	if len(s) >= long {
		id = textID{unsafe.StringData(s), len(s)}
		if is, known := r.texts[id]; known {
			r.changed = r.changed || is != s
			return is
		}
	}
	place := r.newPlaceholder
	if r.Numbered {
		place = r.placeholder
	}
	is := replaceAll(s, r.depth, place)
	if id.start != nil {
		const most = 4 << 20
		if r.cached += len(s); r.texts == nil || r.cached > most {
			r.texts, r.cached = map[textID]string{}, len(s)
		}
		r.texts[id] = is
	}
	r.changed = r.changed || is != s
	return is
}

// value returns the value of a field without secrets. within is true below a
// field with a secret name.
func (r *Objects) value(name string, v any, inSecret bool) any {
	switch v := v.(type) {
	case nil, bool:
		return v
	case string:
		if inSecret {
			return r.placeholder(v)
		}
		return r.Text(v)
	case map[string]any:
		return r.fields(name, v, inSecret)
	case []any:
		return r.list(name, v, inSecret, nil)
	}
	if inSecret {
		return r.placeholder(fmt.Sprint(v))
	}
	return v
}

// list returns a list without secrets. before holds the preceding words of a
// list of arguments.
func (r *Objects) list(name string, list []any, inSecret bool, before []any) []any {
	all := make([]any, len(list))
	line := commandLine{anyTool: true, listed: true}
	for _, item := range before {
		if word, ok := item.(string); ok {
			line.next(word)
		}
	}
	for i, item := range list {
		word, isText := item.(string)
		if !isText {
			line = commandLine{anyTool: true, listed: true}
			all[i] = r.value(name, item, inSecret)
			continue
		}
		if from, kind := line.next(word); kind != "" && !inSecret {
			all[i] = word[:from] + r.placeholder(word[from:])
			continue
		}
		all[i] = r.value(name, word, inSecret)
	}
	return all
}

// classOf returns the class of the name of a field.
func (r *Objects) classOf(name string) naming.Class {
	c, known := r.classes[name]
	if !known {
		if r.classes == nil {
			r.classes = map[string]naming.Class{}
		}
		c = naming.Of(name)
		r.classes[name] = c
	}
	return c
}

// fields returns a copy of a map without secrets.
func (r *Objects) fields(name string, m map[string]any, inSecret bool) map[string]any {
	m = maps.Clone(m)
	if kind, ok := m["kind"].(string); ok {
		r.ofKind(kind, m)
	}
	pair := pairOf(m)
	for _, field := range slices.Sorted(maps.Keys(m)) { // sorted, so that the placeholders are the same each time
		v := m[field]
		switch {
		case name == "annotations":
			if text, ok := v.(string); ok {
				r.annotation(m, field, text)
				continue
			}
		case field == "managedFields" && name == "metadata":
			continue // it contains names only
		case field == "stringData", field == "data" && isTemplate(name), field == "binaryData" && isTemplate(name):
			if data, ok := v.(map[string]any); ok {
				m[field] = r.withoutValues(data)
				continue
			}
		case pair.isValue(field):
			m[field] = r.value(field, v, true)
			continue
		}
		m[field] = r.field(m, field, v, inSecret)
	}
	return m
}

// field returns the value of a field of a map without secrets.
func (r *Objects) field(m map[string]any, field string, v any, inSecret bool) any {
	class := r.classOf(field)
	switch {
	case class == naming.ClassSetting || inSecret && naming.IsSetting(strings.ToLower(field)) || isReference(m, field):
		inSecret = false
	case class.IsSecret():
		_, isMap := v.(map[string]any)
		switch {
		case isMap && (class == naming.ClassLoose || !holdsSecrets(field)):
		case isPullSecrets(field) && holdsNames(v):
			return slices.Clone(v.([]any))
		default:
			inSecret = true
		}
	}
	if list, ok := v.([]any); ok && field == "args" {
		command := decoded.List(m, "command")
		return r.list(field, list, inSecret, command)
	}
	return r.value(field, v, inSecret)
}

// holdsSecrets reports whether a map in a field with a secret name contains
// secrets and not settings.
func holdsSecrets(field string) bool {
	lower := strings.ToLower(field)
	for _, end := range [...]string{"auth", "cookie", "signature", "dsn", "sig"} {
		if strings.HasSuffix(lower, end) {
			return false
		}
	}
	return true
}

// isReference reports whether a field refers to an object or a key of it.
func isReference(m map[string]any, field string) bool {
	switch field {
	case "key":
		return m["name"] != nil || m["path"] != nil
	case "secretKey":
		return m["remoteRef"] != nil || m["sourceRef"] != nil || m["remoteKey"] != nil
	case "items", "secretRef", "name", "namespace", "kind":
		return true
	}
	return false
}

// isPullSecrets reports whether a field contains names of Secrets.
func isPullSecrets(field string) bool {
	return strings.HasSuffix(strings.ToLower(field), "pullsecrets")
}

// holdsNames reports whether a value is a list of strings.
func holdsNames(v any) bool {
	list, ok := v.([]any)
	return ok && !slices.ContainsFunc(list, func(item any) bool { _, isText := item.(string); return !isText })
}

// isTemplate reports whether a field contains a template of a Secret or a
// ConfigMap.
func isTemplate(name string) bool {
	return strings.HasSuffix(strings.ToLower(name), "template") || strings.HasSuffix(strings.ToLower(name), "templates")
}

// ofKind replaces the secrets of objects of a kind in a copy.
func (r *Objects) ofKind(kind string, m map[string]any) {
	if kind != "ConfigMap" && !strings.HasSuffix(kind, "Secret") {
		return
	}
	for _, field := range [...]string{"data", "stringData", "binaryData"} {
		switch data := m[field].(type) {
		case map[string]any:
			m[field] = r.withoutValues(data)
		case string:
			m[field] = r.anonymousPlaceholder(data)
		}
	}
	if kind != "Secret" {
		return
	}
	metadata := decoded.Map(m, "metadata")
	annotations := decoded.Map(metadata, "annotations")
	if len(annotations) == 0 {
		return
	}
	annotations = maps.Clone(annotations)
	for name, v := range annotations {
		if text, ok := v.(string); ok && !isOfKubernetes(name) {
			annotations[name] = r.anonymousPlaceholder(text)
		}
	}
	metadata = maps.Clone(metadata)
	metadata["annotations"], m["metadata"] = annotations, metadata
}

// withoutValues returns a map with the keys of data, without its values.
func (r *Objects) withoutValues(data map[string]any) map[string]any {
	data = maps.Clone(data)
	for key, v := range data {
		if text, ok := v.(string); ok {
			data[key] = r.anonymousPlaceholder(text)
		} else if v != nil {
			data[key] = r.anonymousPlaceholder(fmt.Sprint(v))
		}
	}
	return data
}

// anonymousPlaceholder returns a placeholder that cannot be compared with others.
func (r *Objects) anonymousPlaceholder(value string) string {
	if value == Placeholder {
		return value
	}
	r.changed = true
	return Placeholder
}

// isOfKubernetes reports whether Kubernetes or a known tool defines a label or annotation. Such
// labels and annotations contain no secrets.
func isOfKubernetes(name string) bool {
	domain, _, _ := strings.Cut(name, "/")
	for _, d := range [...]string{"kubernetes.io", "k8s.io", "cert-manager.io", "helm.sh", "kstatus.dev", "fluxcd.io", "argoproj.io", "external-secrets.io", "crossplane.io"} {
		if domain == d || strings.HasSuffix(domain, "."+d) {
			return true
		}
	}
	return false
}

// annotation replaces the secrets in an annotation.
func (r *Objects) annotation(m map[string]any, name, text string) {
	const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"
	switch {
	case name == lastApplied:
		delete(m, name)
		r.changed = true
	case mayHoldObject(text):
		m[name] = r.anonymousPlaceholder(text)
	case strings.HasSuffix(name, "secret") && isOfKubernetes(name):
		m[name] = r.Text(text) // the name of a Secret
	default:
		m[name] = r.field(m, name, text, false)
	}
}

// mayHoldObject reports whether an annotation may contain an object: it looks like one, or is
// too long to check.
func mayHoldObject(text string) bool {
	const long = 2048
	t := strings.TrimSpace(text)
	return len(t) > long || (strings.HasPrefix(t, "{") || strings.HasPrefix(t, "[{")) && json.Valid([]byte(t))
}

// A pair describes a map with a name in one field and the value of that name in another.
type pair struct {
	value  string // the field with the value; empty if the map is not a pair
	filled bool
}

// pairOf returns the pair in a map. With "name", any map with a value is a pair. With "key",
// which tolerations also have, the key must be the name of a secret.
func pairOf(m map[string]any) pair {
	for _, value := range [...]string{"value", "Value"} {
		v, has := m[value]
		if !has || v == nil || v == "" {
			continue
		}
		for _, field := range [...]string{"name", "Name", "key", "Key", "header", "variable", "env"} {
			text, ok := m[field].(string)
			if !ok {
				continue
			}
			if _, isBool := v.(bool); isBool && value == "Value" {
				continue
			}
			if strings.EqualFold(field, "name") || naming.Of(text).IsSecret() || isSecretHeader(text) {
				return pair{value, true}
			}
		}
	}
	return pair{}
}

func (p pair) isValue(field string) bool { return p.filled && field == p.value }

// placeholder returns the replacement of a value.
func (r *Objects) placeholder(value string) string {
	if value == "" || isReplaced(value, 0, len(value)) && placeholderEnd(value, 0) == len(value) {
		return value
	}
	r.changed = true
	if r.newPlaceholder != nil {
		return r.newPlaceholder(value)
	}
	if r.placeholders == nil {
		r.placeholders = map[string]string{}
	}
	if r.placeholders[value] == "" {
		r.placeholders[value] = fmt.Sprintf("<redacted %d>", len(r.placeholders)+1)
	}
	return r.placeholders[value]
}
