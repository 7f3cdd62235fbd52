// Package brief removes from objects the texts that explanations do not read.
package brief

import (
	"maps"
	"slices"
	"strings"

	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/reference"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/status"
)

// Object returns a copy of an object with most texts replaced. It keeps the texts of the
// metadata and of the status, and those that package explain reads. These are the fields of the kind
// in the table and the fields that decided, and references in kinds that are not of Kubernetes. replace
// returns the replacement of every other text, even of a harmless one.
func Object(obj map[string]any, decided []status.Read, replace func(string) string) map[string]any {
	group, _, grouped := strings.Cut(decoded.Text(obj, "apiVersion"), "/")
	if !grouped {
		group = ""
	}
	r := &replacer{replace: replace, decided: map[string]bool{}, isCustom: !isBuiltin(group), status: obj["status"]}
	for _, read := range decided {
		r.decided[withoutItems(read.Path)] = true
	}
	at := treeOf(status.Kind{Group: group, Kind: decoded.Text(obj, "kind")})
	obj = maps.Clone(obj)
	for _, field := range slices.Sorted(maps.Keys(obj)) {
		switch field {
		case "apiVersion", "kind", "status":
		case "metadata":
			if metadata, ok := obj[field].(map[string]any); ok {
				obj[field] = r.metadata(metadata)
			}
		default:
			obj[field] = r.value(place{at: at.under(field), path: field, field: field}, obj[field])
		}
	}
	return obj
}

// withoutItems returns a path without the names of items: spec.containers.image for
// spec.containers[api].image.
func withoutItems(path string) string {
	for {
		before, rest, found := strings.Cut(path, "[")
		_, after, closed := strings.Cut(rest, "]")
		if !found || !closed {
			return path
		}
		path = before + after
	}
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

// A replacer replaces the texts of one object.
type replacer struct {
	replace  func(string) string
	decided  map[string]bool // the paths of the fields that decided
	isCustom bool            // the kind is not one of Kubernetes
	status   any
	named    *messages.Names // in the texts of the status; nil until first needed
}

// A place is where a value is in an object.
type place struct {
	at            *tree
	path          string // without the names of items
	parent, field string // the last two names of the path
}

// isNamed reports whether a text of the status contains a name.
func (r *replacer) isNamed(name string) bool {
	if r.named == nil {
		r.named = new(messages.Names)
		addTexts(r.named, r.status)
	}
	return r.named.Has(name)
}

func addTexts(names *messages.Names, v any) {
	switch v := v.(type) {
	case string:
		names.Add(v)
	case []any:
		for _, item := range v {
			addTexts(names, item)
		}
	case map[string]any:
		for _, field := range v {
			addTexts(names, field)
		}
	}
}

// metadata returns a copy of metadata. It replaces annotations, except those of
// Kubernetes and of known projects.
func (r *replacer) metadata(metadata map[string]any) map[string]any {
	metadata = maps.Clone(metadata)
	annotations, ok := metadata["annotations"].(map[string]any)
	if !ok {
		return metadata
	}
	annotations = maps.Clone(annotations)
	for _, name := range slices.Sorted(maps.Keys(annotations)) {
		domain, _, _ := strings.Cut(name, "/")
		if text, isText := annotations[name].(string); isText && !isKnownDomain(domain) {
			annotations[name] = r.replace(text)
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

// value returns a copy of a value, with the texts replaced that are not read.
func (r *replacer) value(p place, v any) any {
	switch v := v.(type) {
	case string:
		if r.isRead(p, v) {
			return v
		}
		return r.replace(v)
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = r.value(p, item)
		}
		return list
	case map[string]any:
		m := maps.Clone(v)
		for _, field := range slices.Sorted(maps.Keys(m)) {
			m[field] = r.value(place{p.at.under(field), p.path + "." + field, p.field, field}, m[field])
		}
		return m
	}
	return v
}

// isRead reports whether explanations read a text.
func (r *replacer) isRead(p place, text string) bool {
	return p.at != nil && p.at.isText || r.decided[p.path] || r.isCustom && reference.IsRead(p.parent, p.field, text, r.isNamed)
}
