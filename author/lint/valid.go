package lint

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"time"
	"unicode/utf8"

	"kstatus.dev/internal/decoded"
)

// maxDepth limits the depth of schemas.
const maxDepth = 64

// Refusal returns the first reason, in the order of the fields, why the API server would reject
// a value. It is empty if the value is valid. It evaluates the parts of a structural schema that
// limit one value. It does not evaluate CEL rules, nor formats other than int32, int64 and
// date-time.
func (s Schema) Refusal(value any) string { return invalid(s, value, nil) }

func invalid(s Schema, value any, at Path) string {
	if s.Node == nil || len(at) > maxDepth {
		return ""
	}
	if value == nil {
		if s.Node["nullable"] == true {
			return ""
		}
		return refusalText(at, "found null; want %s", orElse(s.Type(), "a value"))
	}
	if s.Node["x-kubernetes-int-or-string"] != true {
		if t := typeOf(value); s.Type() != "" && t != s.Type() && !(s.Type() == "number" && t == "integer") {
			return refusalText(at, "found %s; want %s", t, s.Type())
		}
	}
	if list, ok := s.Node["enum"].([]any); ok && !slices.ContainsFunc(list, func(allowed any) bool { return equalValues(allowed, value) }) {
		return refusalText(at, "found %v; want one of %v", value, list)
	}
	switch v := value.(type) {
	case map[string]any:
		return invalidObject(s, v, at)
	case []any:
		return invalidList(s, v, at)
	case string:
		return invalidText(s, v, at)
	}
	if n, ok := number(value); ok {
		return invalidNumber(s, n, at)
	}
	return ""
}

func invalidObject(s Schema, v map[string]any, at Path) string {
	for _, name := range texts(s.Node["required"]) {
		if _, there := v[name]; !there {
			return refusalText(at, "%s is required", name)
		}
	}
	if least, ok := number(s.Node["minProperties"]); ok && float64(len(v)) < least {
		return refusalText(at, "found %d fields; want at least %v", len(v), least)
	}
	if most, ok := number(s.Node["maxProperties"]); ok && float64(len(v)) > most {
		return refusalText(at, "found %d fields; want at most %v", len(v), most)
	}
	properties := decoded.Map(s.Node, "properties")
	rest := decoded.Map(s.Node, "additionalProperties")
	for _, name := range slices.Sorted(maps.Keys(v)) {
		below := s.Property(name)
		if !below.Exists() && properties[name] == nil {
			below = Schema{Node: rest}
		}
		if why := invalid(below, v[name], at.With(name)); why != "" {
			return why
		}
	}
	return ""
}

func invalidList(s Schema, v []any, at Path) string {
	if least, ok := number(s.Node["minItems"]); ok && float64(len(v)) < least {
		return refusalText(at, "found %d items; want at least %v", len(v), least)
	}
	if most, ok := number(s.Node["maxItems"]); ok && float64(len(v)) > most {
		return refusalText(at, "found %d items; want at most %v", len(v), most)
	}
	for i, item := range v {
		if why := invalid(s.Items(), item, at.With(i)); why != "" {
			return why
		}
	}
	return ""
}

func invalidText(s Schema, v string, at Path) string {
	runes := float64(utf8.RuneCountInString(v))
	if least, ok := number(s.Node["minLength"]); ok && runes < least {
		return refusalText(at, "found %v characters; want at least %v", runes, least)
	}
	if most, ok := number(s.Node["maxLength"]); ok && runes > most {
		return refusalText(at, "found %v characters; want at most %v", runes, most)
	}
	if pattern := decoded.Text(s.Node, "pattern"); pattern != "" {
		if re, err := regexp.Compile(pattern); err == nil && !re.MatchString(v) {
			return refusalText(at, "found %q; want a match of %s", v, pattern)
		}
	}
	if decoded.Text(s.Node, "format") == "date-time" {
		if _, err := time.Parse(time.RFC3339, v); err != nil {
			return refusalText(at, "found %q; want an RFC 3339 time", v)
		}
	}
	return ""
}

func invalidNumber(s Schema, n float64, at Path) string {
	if least, ok := number(s.Node["minimum"]); ok && (n < least || n == least && s.Node["exclusiveMinimum"] == true) {
		return refusalText(at, "found %v; want at least %v", n, least)
	}
	if most, ok := number(s.Node["maximum"]); ok && (n > most || n == most && s.Node["exclusiveMaximum"] == true) {
		return refusalText(at, "found %v; want at most %v", n, most)
	}
	if decoded.Text(s.Node, "format") == "int32" && (n < math.MinInt32 || n > math.MaxInt32) {
		return refusalText(at, "found %v; want a 32-bit integer", n)
	}
	if step, ok := number(s.Node["multipleOf"]); ok && step > 0 && math.Mod(n, step) != 0 {
		return refusalText(at, "found %v; want a multiple of %v", n, step)
	}
	return ""
}

func refusalText(at Path, format string, args ...any) string {
	why := fmt.Sprintf(format, args...)
	if len(at) > 0 {
		return at.String() + ": " + why
	}
	return why
}

// typeOf returns the type of a value in the terms of schemas.
func typeOf(v any) string {
	switch v := v.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case bool:
		return "boolean"
	default:
		n, ok := number(v)
		switch {
		case ok && n == math.Trunc(n):
			return "integer"
		case ok:
			return "number"
		}
	}
	return "null"
}

// number converts a value of any numeric type.
func number(v any) (float64, bool) {
	switch n := v.(type) {
	case float64:
		return n, !math.IsNaN(n)
	case int64:
		return float64(n), true
	case int:
		return float64(n), true
	case interface{ Float64() (float64, error) }: // json.Number
		f, err := n.Float64()
		return f, err == nil
	}
	return 0, false
}

func equalValues(a, b any) bool {
	x, ok := number(a)
	y, ok2 := number(b)
	if ok && ok2 {
		return x == y
	}
	return reflect.DeepEqual(a, b)
}

// texts returns the strings of a list; other items are skipped.
func texts(v any) (all []string) {
	list, _ := v.([]any)
	for _, item := range list {
		if s, ok := item.(string); ok {
			all = append(all, s)
		}
	}
	return all
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
