// Package redact removes secrets from objects and texts.
package redact

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Objects redacts objects. Equal values get equal placeholders, so that a reader
// still sees whether a value has changed. The zero value is ready for use, by one
// goroutine.
type Objects struct {
	placeholders map[string]string // by value
	secretNames  map[string]bool   // of fields: whether they hold secrets
}

const redacted = "<redacted>"

// Object returns an object without secrets. The one given stays as it is.
func (r *Objects) Object(obj map[string]any) map[string]any {
	root := maps.Clone(obj)
	if kind := obj["kind"]; kind == "Secret" || kind == "ConfigMap" {
		for _, field := range [...]string{"data", "stringData", "binaryData"} {
			if data, ok := root[field].(map[string]any); ok {
				root[field] = withoutValues(data)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(root)) { // in order, so that the placeholders are the same each time
		root[key] = r.value(key, root[key])
	}
	return root
}

// withoutValues returns a map whose values are gone.
func withoutValues(data map[string]any) map[string]any {
	data = maps.Clone(data)
	for key := range data {
		data[key] = redacted
	}
	return data
}

// value returns the value of a field without secrets.
func (r *Objects) value(key string, value any) any {
	switch value := value.(type) {
	case string:
		if r.isSecret(key) {
			return r.placeholder(value)
		}
		return Text(value)
	case map[string]any:
		return r.withoutSecrets(key, value)
	case []any:
		list := make([]any, len(value))
		secret := false
		for i, item := range value {
			text, isText := item.(string)
			if secret && isText {
				item, secret = r.placeholder(text), false
			} else {
				secret = isText && secretFlag.MatchString(text)
			}
			list[i] = r.value(key, item)
		}
		return list
	case nil, bool:
		return value
	}
	if r.isSecret(key) {
		return r.placeholder(fmt.Sprint(value))
	}
	return value
}

// isSecret reports whether a field of that name holds a secret.
func (r *Objects) isSecret(name string) bool {
	is, known := r.secretNames[name]
	if !known {
		if r.secretNames == nil {
			r.secretNames = map[string]bool{}
		}
		is = secretField.MatchString(name)
		r.secretNames[name] = is
	}
	return is
}

// withoutSecrets returns a map without secrets.
func (r *Objects) withoutSecrets(key string, m map[string]any) map[string]any {
	m = maps.Clone(m)
	_, named := m["name"].(string)
	for _, field := range slices.Sorted(maps.Keys(m)) {
		value := m[field]
		text, isText := value.(string)
		switch {
		case key == "annotations" && isText:
			if field == lastApplied {
				delete(m, field)
				continue
			}
			if mayHoldObject(text) {
				m[field] = redacted
				continue
			}
		case named && field == "value" && value != nil && value != "":
			if !isText {
				text = fmt.Sprint(value)
			}
			m[field] = r.placeholder(text)
			continue
		}
		m[field] = r.value(field, value)
	}
	return m
}

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// mayHoldObject reports whether an annotation is an object, or too long to tell.
func mayHoldObject(text string) bool {
	const long = 2048
	t := strings.TrimSpace(text)
	return len(t) > long || (strings.HasPrefix(t, "{") || strings.HasPrefix(t, "[{")) && json.Valid([]byte(t))
}

// placeholder returns what a value is replaced by.
func (r *Objects) placeholder(value string) string {
	if value == "" || isPlaceholder.MatchString(value) {
		return value
	}
	if r.placeholders == nil {
		r.placeholders = map[string]string{}
	}
	if r.placeholders[value] == "" {
		r.placeholders[value] = fmt.Sprintf("<redacted %d>", len(r.placeholders)+1)
	}
	return r.placeholders[value]
}
