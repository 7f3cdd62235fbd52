package explain

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"kstatus.dev/status"
)

// Brief returns a thing without secrets, as ObjectFact does, and without the texts of its object
// that no explanation reads: of the fields of the status, of labels, of references, and of
// those that this package knows the texts stay; all others are replaced, however harmless
// they look. Equal texts are replaced equally.
func (r *Redactor) Brief(t ObjectFact) ObjectFact {
	t = r.ObjectFact(t)
	if t.Object == nil {
		return t
	}
	obj := maps.Clone(t.Object)
	for _, field := range slices.Sorted(maps.Keys(obj)) {
		switch field {
		case "apiVersion", "kind", "status":
		case "metadata":
			if metadata, ok := obj[field].(map[string]any); ok {
				obj[field] = r.briefMetadata(metadata)
			}
		default:
			obj[field] = r.brief(field, obj[field])
		}
	}
	t.Object = obj
	return t
}

// briefMetadata returns metadata whose annotations are those of Kubernetes and of projects
// that this package knows.
func (r *Redactor) briefMetadata(metadata map[string]any) map[string]any {
	metadata = maps.Clone(metadata)
	annotations, ok := metadata["annotations"].(map[string]any)
	if !ok {
		return metadata
	}
	annotations = maps.Clone(annotations)
	for _, name := range slices.Sorted(maps.Keys(annotations)) {
		domain, _, _ := strings.Cut(name, "/")
		if text, isText := annotations[name].(string); isText && !isKnownDomain(domain) {
			annotations[name] = r.objects.Replace(text)
		}
	}
	metadata["annotations"] = annotations
	return metadata
}

// isKnownDomain reports whether the annotations of a domain say what an explanation may tell.
func isKnownDomain(domain string) bool {
	for _, known := range [...]string{"kubernetes.io", "k8s.io", "x-k8s.io", "cert-manager.io", "helm.sh", "kstatus.dev", "fluxcd.io", "argoproj.io", "crossplane.io", "external-secrets.io"} {
		if domain == known || strings.HasSuffix(domain, "."+known) {
			return true
		}
	}
	return false
}

// brief returns the value of a field with no other texts than those that are read.
func (r *Redactor) brief(name string, v any) any {
	switch v := v.(type) {
	case string:
		if isReadField(name) {
			return v
		}
		return r.objects.Replace(v)
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = r.brief(name, item)
		}
		return list
	case map[string]any:
		m := maps.Clone(v)
		for _, field := range slices.Sorted(maps.Keys(m)) {
			if text, isText := m[field].(string); isText && holdsLabels(name) {
				m[field] = text
				continue
			}
			m[field] = r.brief(field, m[field])
		}
		return m
	case status.Map:
		return r.brief(name, map[string]any(v))
	}
	return v
}

// holdsLabels reports whether a field of that name is a map of labels or of quantities, whose own
// names can be any.
func holdsLabels(name string) bool {
	switch name {
	case "labels", "matchLabels", "selector", "nodeSelector", "limits", "requests", "hard", "capacity", "annotations":
		return true
	}
	return false
}

// isReadField reports whether an explanation may read the text of a field of that name: the
// package names it, or it refers to something.
func isReadField(name string) bool {
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
