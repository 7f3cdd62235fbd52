package lint_test

import (
	"testing"

	"kstatus.dev/author/lint"
)

func TestRefusal(t *testing.T) {
	for _, c := range []struct {
		it, schema, value string
		want              string // "" : valid
	}{
		{"an integer", `{"type": "integer"}`, `1`, ""},
		{"a fraction", `{"type": "integer"}`, `1.5`, "found number; want integer"},
		{"a whole number", `{"type": "number"}`, `1`, ""},
		{"null", `{"type": "integer"}`, `null`, "found null; want integer"},
		{"null that is allowed", `{"type": "integer", "nullable": true}`, `null`, ""},
		{"below the minimum", `{"type": "integer", "minimum": 1}`, `0`, "found 0; want at least 1"},
		{"at an exclusive minimum", `{"type": "integer", "minimum": 0, "exclusiveMinimum": true}`, `0`, "found 0; want at least 0"},
		{"above the maximum", `{"type": "integer", "maximum": 1}`, `2`, "found 2; want at most 1"},
		{"more than 32 bits", `{"type": "integer", "format": "int32"}`, `4294967296`, "found 4.294967296e+09; want a 32-bit integer"},
		{"no multiple", `{"type": "integer", "multipleOf": 3}`, `4`, "found 4; want a multiple of 3"},
		{"a percentage", `{"x-kubernetes-int-or-string": true}`, `"80%"`, ""},
		{"not in the enum", `{"type": "string", "enum": ["a", "b"]}`, `"c"`, "found c; want one of [a b]"},
		{"too short a text", `{"type": "string", "minLength": 1}`, `""`, "found 0 characters; want at least 1"},
		{"too long a text", `{"type": "string", "maxLength": 1}`, `"ää"`, "found 2 characters; want at most 1"},
		{"no match", `{"type": "string", "pattern": "^a+$"}`, `"b"`, `found "b"; want a match of ^a+$`},
		{"a pattern that is broken", `{"type": "string", "pattern": "("}`, `"b"`, ""},
		{"no time", `{"type": "string", "format": "date-time"}`, `"today"`, `found "today"; want an RFC 3339 time`},
		{"too few items", `{"type": "array", "minItems": 1}`, `[]`, "found 0 items; want at least 1"},
		{"too many items", `{"type": "array", "maxItems": 1}`, `[1, 2]`, "found 2 items; want at most 1"},
		{"an item", `{"type": "array", "items": {"type": "string"}}`, `["a", 2]`, "[1]: found integer; want string"},
		{"a required field", `{"type": "object", "required": ["a"]}`, `{}`, "a is required"},
		{"too few fields", `{"type": "object", "minProperties": 1}`, `{}`, "found 0 fields; want at least 1"},
		{"too many fields", `{"type": "object", "maxProperties": 1}`, `{"a": 1, "b": 2}`, "found 2 fields; want at most 1"},
		{"a field", `{"type": "object", "properties": {"a": {"type": "boolean"}}}`, `{"a": "x", "b": 1}`, "a: found string; want boolean"},
		{"a further field", `{"type": "object", "additionalProperties": {"type": "string"}}`, `{"a": true}`, "a: found boolean; want string"},
	} {
		t.Run(c.it, func(t *testing.T) {
			value := decoded(t, `{"v": `+c.value+`}`)["v"]
			if have := (lint.Schema{Node: decoded(t, c.schema)}.Refusal(value)); have != c.want {
				t.Errorf("%s of %s: have %q, want %q", c.value, c.schema, have, c.want)
			}
		})
	}
}
