package casefile

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/status"
)

var (
	singleWord    = regexp.MustCompile(`^[A-Za-z][A-Za-z_]{0,39}$`)
	stateText     = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,62}$`)
	conditionText = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_./-]{0,99}$`)
	versionText   = regexp.MustCompile(`^v?\d{1,4}(\.\d{1,4}){1,2}$`)
	fieldName     = regexp.MustCompile(`^([A-Za-z][A-Za-z_]{0,62}|[A-Za-z]*[A-Z][A-Za-z0-9_]{0,62})$`)
	placeholder   = regexp.MustCompile(`^<redacted( \d+)?>$`)
)

// value returns a value without what may be private. The name is that of its field.
func (m *copier) value(name string, v any) any {
	switch v := v.(type) {
	case string:
		return m.text(name, v)
	case []any:
		for i, item := range v {
			v[i] = m.value(name, item)
		}
		return v
	case map[string]any:
		return m.fields(v, m.key)
	}
	if isPrivateField(name) && isLong(v) {
		return inventedNumber
	}
	return v
}

// part returns the status or another part of an object without what may be private. Its keys are
// names of fields.
func (m *copier) part(name string, v any) any {
	if fields, ok := v.(map[string]any); ok {
		return m.fields(fields, func(key string) string { return cmp.Or(fieldName.FindString(key), m.key(key)) })
	}
	return m.value(name, v)
}

// fields returns a map without what may be private. keyOf returns its keys in the copy.
func (m *copier) fields(v map[string]any, keyOf func(string) string) map[string]any {
	out := map[string]any{}
	_, hasType := v["type"].(string)
	_, hasStatus := v["status"].(string)
	for _, key := range slices.Sorted(maps.Keys(v)) {
		item, isText := v[key].(string)
		if isText && hasType && hasStatus && (key == "type" || key == "reason" || key == "status") && conditionText.MatchString(item) {
			out[key] = item
			continue
		}
		out[keyOf(key)] = m.value(key, v[key])
	}
	return out
}

// key returns the key of a map, or a placeholder if it may be a name and not a field.
func (m *copier) key(key string) string {
	if known := m.names[strings.ToLower(key)]; known != "" {
		return known
	}
	if fieldName.MatchString(key) || placeholder.MatchString(key) {
		return key
	}
	return m.secrets.Replace(key)
}

// text returns the text of a field without what may be private.
func (m *copier) text(name, s string) string {
	if s == "" || placeholder.MatchString(s) || publicWords[strings.ToLower(s)] {
		return s
	}
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t.Add(m.shift).UTC().Format(time.RFC3339)
	}
	known := m.names[strings.ToLower(s)]
	switch {
	case isPrivateField(name):
		if known != "" {
			return known
		}
		return m.secrets.Replace(s)
	case isStateField(name) && (known == "" && stateText.MatchString(s) || singleWord.MatchString(s)):
		return s
	case known != "":
		return known
	case isCount(s), versionText.MatchString(s):
		return s
	case singleWord.MatchString(s) && (s != strings.ToLower(s) || m.readFields[name]):
		return s
	case strings.Contains(s, " ") || isMessageField(name):
		return m.message(s)
	}
	return m.secrets.Replace(s)
}

// isMessageField reports whether a field has texts for people.
func isMessageField(name string) bool {
	for _, word := range fieldWords(name) {
		switch word {
		case "message", "messages", "error", "errors", "warning", "warnings", "description":
			return true
		}
	}
	return false
}

// isLong reports whether a number has more digits than a count usually has.
func isLong(v any) bool {
	const digits = 5
	text := fmt.Sprint(v)
	_, isBool := v.(bool)
	return !isBool && len(strings.TrimPrefix(text, "-")) >= digits
}

// number returns a boolean or a number as JSON can have it, and nil for values of other types.
func number(v any) any {
	switch v := v.(type) {
	case bool, int, int32, int64, uint64:
		return v
	case json.Number:
		if json.Valid([]byte(v)) {
			return v
		}
	case float64:
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			return v
		}
	}
	return nil
}

// result returns a verdict without what may be private in its message.
func (m *copier) result(r status.Result) status.Result {
	r.Message = m.message(m.secrets.Text(r.Message))
	return r
}

// collectNames collects the words of an object that its messages may repeat. These are its name and
// namespace, the values of private fields, and the lower-case words of the spec and the labels.
func (m *copier) collectNames(root map[string]any) {
	metadata := decoded.Map(root, "metadata")
	for field, invented := range map[string]string{"name": inventedName, "namespace": inventedNamespace} {
		if name := decoded.Text(metadata, field); name != "" && !publicWords[strings.ToLower(name)] {
			m.names[strings.ToLower(name)] = invented
		}
	}
	visits := 0
	var visit func(name string, v any, all bool, depth int)
	visit = func(name string, v any, all bool, depth int) {
		if visits++; visits > maxVisited || depth > maxDepth {
			return
		}
		switch v := v.(type) {
		case string:
			m.addName(name, v, all)
		case []any:
			for _, item := range v {
				visit(name, item, all, depth+1)
			}
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				if key != "managedFields" && key != "annotations" {
					visit(key, v[key], all || key == "labels" || depth == 0 && key == "spec", depth+1)
				}
			}
		}
	}
	visit("", root, false, 0)
}

// addName adds the value of a field, if it may be a name that messages repeat. all reports whether
// the value of any field may be one.
func (m *copier) addName(field, s string, all bool) {
	const shortest, longest = 3, 253
	if len(s) < shortest || len(s) > longest {
		return
	}
	lower := strings.ToLower(s)
	switch {
	case strings.ContainsAny(s, " \n\t") || m.names[lower] != "" || publicWords[lower]:
	case isPrivateField(field), all && s == lower && strings.ContainsAny(s, "abcdefghijklmnopqrstuvwxyz"):
		m.names[lower] = m.secrets.Replace(s)
	}
}
