package check

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"kstatus.dev/author/lint"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/integer"
	safetext "kstatus.dev/internal/text"
)

func number(from map[string]any, names ...string) int64 {
	n, _ := decoded.Int(from, names...)
	return n
}

// typeOf returns the type of a value in the terms of a schema.
func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case bool:
		return "boolean"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	if _, ok := integer.Of(v); ok {
		return "integer"
	}
	return "number"
}

// path converts a dotted path to a lint.Path. Its names contain neither dots
// nor indices.
func path(names string) lint.Path {
	p := lint.Path{}
	for _, name := range strings.Split(names, ".") {
		p = p.With(name)
	}
	return p
}

// quote quotes text of a cluster or file for a one-line message: it escapes
// characters that cannot be printed, and cuts long text.
func quote(s string) string {
	return strconv.QuoteToGraphic(safetext.Cut(s, 80+len(safetext.Ellipsis)))
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
