package audit

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// A Suppression accepts findings. Every non-empty field must match. In Kind,
// Namespace, Name and Path an asterisk matches any text.
type Suppression struct {
	Rule      string    `json:"rule,omitempty"` // ID or name
	Kind      string    `json:"kind,omitempty"`
	Namespace string    `json:"namespace,omitempty"`
	Name      string    `json:"name,omitempty"`
	Path      string    `json:"path,omitempty"`
	Reason    string    `json:"reason"`         // required
	Until     time.Time `json:"until,omitzero"` // findings after this time are not suppressed
}

// covers reports whether the suppression matches the finding.
func (s Suppression) covers(f Finding) bool {
	return s.Reason != "" && (s.Rule == "" || s.Rule == f.Rule || s.Rule == f.Name) &&
		matchesPattern(s.Kind, f.Object.Kind.Kind) && matchesPattern(s.Namespace, f.Object.Namespace) && matchesPattern(s.Name, f.Object.Name) && matchesPattern(s.Path, f.Path) &&
		(s.Until.IsZero() || !f.Last.After(s.Until))
}

// matchesPattern reports whether a text matches a pattern with asterisks. An empty
// pattern matches every text.
func matchesPattern(pattern, s string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == "" || pattern == s
	}
	first, last := parts[0], parts[len(parts)-1]
	if !strings.HasPrefix(s, first) || !strings.HasSuffix(s[len(first):], last) {
		return false
	}
	s = s[len(first) : len(s)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(s, part)
		if i < 0 {
			return false
		}
		s = s[i+len(part):]
	}
	return true
}

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
