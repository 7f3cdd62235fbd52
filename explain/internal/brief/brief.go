// Package brief removes from objects the texts that explanations do not read.
package brief

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"kstatus.dev/status"
)

// Object returns a copy of an object with most texts replaced. It keeps the texts of the
// status, of labels, of references, and of the fields that package explain names. replace
// returns the replacement of every other text, even of a harmless one.
func Object(obj map[string]any, replace func(string) string) map[string]any {
	r := replacer(replace)
	obj = maps.Clone(obj)
	for _, field := range slices.Sorted(maps.Keys(obj)) {
		switch field {
		case "apiVersion", "kind", "status":
		case "metadata":
			if metadata, ok := obj[field].(map[string]any); ok {
				obj[field] = r.metadata(metadata)
			}
		default:
			obj[field] = r.value(field, obj[field])
		}
	}
	return obj
}

// Result returns a copy of a verdict with other texts.
func Result(r status.Result, text func(string) string) status.Result {
	r.Message, r.Caveat = text(r.Message), text(r.Caveat)
	r.Warnings, r.Conditions = slices.Clone(r.Warnings), slices.Clone(r.Conditions)
	for i, w := range r.Warnings {
		r.Warnings[i] = text(w)
	}
	for i, c := range r.Conditions {
		r.Conditions[i].Reason, r.Conditions[i].Message = text(c.Reason), text(c.Message)
	}
	return r
}

// A replacer returns the replacement of a text.
type replacer func(string) string

// metadata returns a copy of metadata. It replaces annotations, except those of
// Kubernetes and of known projects.
func (r replacer) metadata(metadata map[string]any) map[string]any {
	metadata = maps.Clone(metadata)
	annotations, ok := metadata["annotations"].(map[string]any)
	if !ok {
		return metadata
	}
	annotations = maps.Clone(annotations)
	for _, name := range slices.Sorted(maps.Keys(annotations)) {
		domain, _, _ := strings.Cut(name, "/")
		if text, isText := annotations[name].(string); isText && !isKnownDomain(domain) {
			annotations[name] = r(text)
		}
	}
	metadata["annotations"] = annotations
	return metadata
}

// isKnownDomain reports whether explanations may show the annotations of a domain.
func isKnownDomain(domain string) bool {
	for _, known := range [...]string{"kubernetes.io", "k8s.io", "x-k8s.io", "cert-manager.io", "helm.sh", "kstatus.dev", "fluxcd.io", "argoproj.io", "crossplane.io", "external-secrets.io"} {
		if domain == known || strings.HasSuffix(domain, "."+known) {
			return true
		}
	}
	return false
}

// value returns a copy of the value of a field, with the texts replaced that are not
// read.
func (r replacer) value(name string, v any) any {
	switch v := v.(type) {
	case string:
		if IsRead(name) {
			return v
		}
		return r(v)
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = r.value(name, item)
		}
		return list
	case map[string]any:
		m := maps.Clone(v)
		for _, field := range slices.Sorted(maps.Keys(m)) {
			if text, isText := m[field].(string); isText && holdsLabels(name) {
				m[field] = text
				continue
			}
			m[field] = r.value(field, m[field])
		}
		return m
	}
	return v
}

// holdsLabels reports whether a field of that name is a map of labels or of quantities,
// whose keys may be any text. Taints are like labels.
func holdsLabels(name string) bool {
	switch name {
	case "labels", "matchLabels", "selector", "nodeSelector", "limits", "requests", "hard", "capacity", "annotations", "taints", "tolerations":
		return true
	}
	return false
}

// IsRead reports whether an explanation may read the text of a field of that name.
// Package explain names the field, or it is a reference.
func IsRead(name string) bool {
	if readFields[name] {
		return true
	}
	last := strings.LastIndexFunc(name, unicode.IsUpper)
	if last < 0 {
		return false
	}
	switch name[last:] {
	case "Name", "Names", "Ref", "Refs", "Kind", "Namespace", "Class", "Version", "Policy", "Type":
		return true
	}
	return false
}
