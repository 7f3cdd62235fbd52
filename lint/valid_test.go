package lint_test

import (
	"testing"

	"kstatus.dev/lint"
)

func TestInvalid(t *testing.T) {
	for _, c := range []struct {
		schema, value string
		want          string // "" : valid
	}{
		{`{"type": "integer"}`, `1`, ""},
		{`{"type": "integer"}`, `1.5`, "found number; want integer"},
		{`{"type": "number"}`, `1`, ""},
		{`{"type": "integer"}`, `null`, "found null; want integer"},
		{`{"type": "integer", "nullable": true}`, `null`, ""},
		{`{"type": "integer", "minimum": 1}`, `0`, "found 0; want at least 1"},
		{`{"type": "integer", "minimum": 0, "exclusiveMinimum": true}`, `0`, "found 0; want at least 0"},
		{`{"type": "integer", "maximum": 1}`, `2`, "found 2; want at most 1"},
		{`{"type": "integer", "format": "int32"}`, `4294967296`, "found 4.294967296e+09; want a number of 32 bits"},
		{`{"type": "integer", "multipleOf": 3}`, `4`, "found 4; want a multiple of 3"},
		{`{"x-kubernetes-int-or-string": true}`, `"80%"`, ""},
		{`{"type": "string", "enum": ["a", "b"]}`, `"c"`, "found c; want one of [a b]"},
		{`{"type": "string", "minLength": 1}`, `""`, "found 0 characters; want at least 1"},
		{`{"type": "string", "maxLength": 1}`, `"ää"`, "found 2 characters; want at most 1"},
		{`{"type": "string", "pattern": "^a+$"}`, `"b"`, `found "b"; want a match of ^a+$`},
		{`{"type": "string", "pattern": "("}`, `"b"`, ""},
		{`{"type": "string", "format": "date-time"}`, `"today"`, `found "today"; want a time as in RFC 3339`},
		{`{"type": "array", "minItems": 1}`, `[]`, "found 0 items; want at least 1"},
		{`{"type": "array", "maxItems": 1}`, `[1, 2]`, "found 2 items; want at most 1"},
		{`{"type": "array", "items": {"type": "string"}}`, `["a", 2]`, "[1]: found integer; want string"},
		{`{"type": "object", "required": ["a"]}`, `{}`, "a is required"},
		{`{"type": "object", "minProperties": 1}`, `{}`, "found 0 fields; want at least 1"},
		{`{"type": "object", "maxProperties": 1}`, `{"a": 1, "b": 2}`, "found 2 fields; want at most 1"},
		{`{"type": "object", "properties": {"a": {"type": "boolean"}}}`, `{"a": "x", "b": 1}`, "a: found string; want boolean"},
		{`{"type": "object", "additionalProperties": {"type": "string"}}`, `{"a": true}`, "a: found boolean; want string"},
	} {
		value := decoded(t, `{"v": `+c.value+`}`)["v"]
		if have := lint.Invalid(lint.Schema{Node: decoded(t, c.schema)}, value); have != c.want {
			t.Errorf("%s of %s: have %q, want %q", c.value, c.schema, have, c.want)
		}
	}
}
