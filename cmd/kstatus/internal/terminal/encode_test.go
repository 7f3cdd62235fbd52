package terminal

import (
	"encoding/json"
	"reflect"
	"testing"

	"sigs.k8s.io/yaml"

	"kstatus.dev/internal/text"
)

func TestMarshalYAML(t *testing.T) {
	for _, row := range []struct {
		it   string
		have any
		want string
	}{
		{"writes plain texts as ever", map[string]any{"b": "x y", "a": []any{"1", 12345678901, true, nil, "é 数"}}, "a:\n- \"1\"\n- 12345678901\n- true\n- null\n- é 数\nb: x y\n"},
		{"writes lines as a block", map[string]any{"a": "x\ny\n"}, "a: |\n  x\n  y\n"},
		{"escapes what is no character", map[string]any{"a": "x\ufffey"}, "a: \"x\\ufffey\"\n"},
		{"escapes what turns the direction", map[string]any{"a": "x\u202ey", "b": "plain"}, "a: \"x\\u202ey\"\nb: plain\n"},
		{"escapes tags", []any{"x\U000e0041"}, "- \"x\\U000e0041\"\n"},
		{"escapes quotation marks and lines beside them", []any{"a\"\\\n\u200b"}, "- \"a\\\"\\\\\\u000a\\u200b\"\n"},
		{"escapes commands of CI systems", []any{"x\n ::error::y\n", "##vso[x]", "a::b"}, "- \"x\\u000a :\\u003aerror:\\u003ay\\u000a\"\n- \"##vso\\u005bx]\"\n- a::b\n"},
		{"escapes keys", map[string]any{"a\u200b": "b"}, "\"a\\u200b\": b\n"},
	} {
		t.Run(row.it, func(t *testing.T) {
			got, err := MarshalYAML(row.have)
			if err != nil || string(got) != row.want {
				t.Errorf("it is %q, %v, want %q", got, err, row.want)
			}
		})
	}
}

// For any text, the document contains the text, and no unsafe characters.
func FuzzMarshalYAML(f *testing.F) {
	for _, s := range []string{"", "plain", "a\x1b[2J\u202e\u2028\u0085", "\ufffe\uffff", "\U000e0041", "- a: b\n# c", "'\"\\", "\u200b: \u200b\n---\n", "yes", "0x1", "\xff", "...", "\ufeff%YAML", "1\u200b-2-", "a\n::b\n", "::a", "##[a"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, key, value string) {
		have := map[string]any{key: value, "list": []any{value, map[string]any{"x": value}}}
		got, err := MarshalYAML(have)
		if err != nil {
			t.Fatal(err)
		}
		if found := commands.Find(got); found != nil {
			t.Errorf("of %q and %q comes %q, with %q", key, value, got, found)
		}
		for _, r := range string(got) {
			if r != '\n' && text.Unsafe(r) {
				t.Fatalf("of %q and %q comes %q, with %U", key, value, got, r)
			}
		}
		document, err := json.Marshal(have)
		if err != nil {
			t.Fatal(err)
		}
		var want, read map[string]any
		if err := json.Unmarshal(document, &want); err != nil {
			t.Fatal(err)
		}
		if err := yaml.Unmarshal(got, &read); err != nil {
			t.Fatalf("of %q and %q comes %q: %v", key, value, got, err)
		}
		if !reflect.DeepEqual(read, want) {
			t.Errorf("of %q and %q comes %q, which is read as %q", key, value, got, read)
		}
	})
}
