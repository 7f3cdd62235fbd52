package manifest

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	sigsyaml "sigs.k8s.io/yaml"

	"kstatus.dev/internal/decoded"
)

// describe returns one line per item of a text: its position, and its name or its error.
func describe(text string) string {
	var b strings.Builder
	for _, p := range split("f", utf8Text([]byte(text))) {
		for _, i := range p.Objects() {
			what := decoded.Text(i.Content, "metadata", "name")
			if i.Err != nil {
				what = "error: " + i.Err.Error()
			}
			fmt.Fprintf(&b, "%s %s\n", i.From, what)
		}
	}
	return b.String()
}

// objectNamed returns an object with a name, on one line.
func objectNamed(name string) string {
	return "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + "}}"
}

func TestSplit(t *testing.T) {
	const block = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: %s\n"
	a, b := fmt.Sprintf(block, "a"), fmt.Sprintf(block, "b")
	for name, c := range map[string]struct{ text, want string }{
		"it takes one document":                           {a, "f:1 a\n"},
		"it takes several":                                {a + "---\n" + b, "f:1 a\nf:6 b\n"},
		"it leaves out empty ones":                        {"---\n---\n\n---\n" + a + "---\n# b\n---\n", "f:5 a\n"},
		"it takes content on the line of the separator":   {"--- " + objectNamed("a") + "\n---\t" + objectNamed("b") + "\n", "f:1 a\nf:2 b\n"},
		"it takes a comment on the line of the separator": {"--- # first\n" + a, "f:2 a\n"},
		"it takes carriage returns":                       {strings.ReplaceAll(a+"---\n"+b, "\n", "\r\n"), "f:1 a\nf:6 b\n"},
		"it takes a text without a last newline":          {strings.TrimSpace(a), "f:1 a\n"},
		"it drops byte order marks, of joined files too":  {"\ufeff" + a + "\ufeff---\n" + b, "f:1 a\nf:6 b\n"},
		"it takes UTF-16, little end first":               {utf16Text(a, false), "f:1 a\n"},
		"it takes UTF-16, big end first":                  {utf16Text(a, true), "f:1 a\n"},
		"it takes half a character of UTF-16":             {utf16Text(a, true) + "x", "f:1 a\n"},
		"it goes by the closing of a document":            {a + "...\n" + b, "f:1 a\nf:6 b\n"},
		"it leaves out directives":                        {"%YAML 1.2\n---\n" + a, "f:3 a\n"},
		"it keeps what looks like a separator but is none": {
			"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ---a\n  namespace: |-\n    ---\n    ...\n", "f:1 ---a\n",
		},
		"it tells the line of an error":   {a + "---\nx: [\n---\n" + b, "f:1 a\nf:6 error: did not find expected node content\nf:8 b\n"},
		"it takes nothing for nothing":    {"", ""},
		"it takes null for nothing":       {"null\n---\n~\n", ""},
		"it takes JSON after a separator": {"---\n{\"apiVersion\": \"v1\", \"kind\": \"X\", \"metadata\": {\"name\": \"a\"}}\n", "f:2 a\n"},
		"it tells a list that is no list of objects": {
			"apiVersion: v1\nkind: Chart\nmetadata: {name: a}\nitems: [1]\n", "f:1 a\n",
		},
		"it takes an item of a list for what it is": {"kind: List\napiVersion: v1\nitems:\n- 1\n- " + objectNamed("a") + "\n- ~\n", "f:4 error: want an object, have a int64\nf:5 a\nf:6 error: want an object, have null\n"},
		"it takes an empty list":                    {"kind: List\napiVersion: v1\nitems: []\n", ""},
		"it takes items that are aliases":           {"kind: List\napiVersion: v1\nitems:\n- &a " + objectNamed("a") + "\n- *a\n", "f:4 a\nf:5 a\n"},
		"it merges":                                 {"x: &x {name: a}\napiVersion: v1\nkind: X\nmetadata:\n  <<: *x\n", "f:1 a\n"},
		"it merges lists, the first counts":         {"x: [&x {name: a}, &y {name: b}]\napiVersion: v1\nkind: X\nmetadata:\n  <<: [*x, *y]\n", "f:1 a\n"},
		"it merges under what is there":             {"x: &x {name: b}\napiVersion: v1\nkind: X\nmetadata:\n  <<: *x\n  name: a\n", "f:1 a\n"},
		"it refuses to merge a scalar":              {"a: 1\n<<: 2\n", "f:2 error: a merge requires a mapping\n"},
		"it refuses a merge of itself":              {"a: &a\n  <<: *a\n", "f:2 error: an anchor contains itself\n"},
		"it refuses keys that are no scalars":       {"a: 1\n[x]: 2\n", "f:2 error: a key is not a scalar\n"},
		"it refuses a key that is null":             {"~: 2\n", "f:1 error: a key is null\n"},
		"it refuses a number that is infinite":      {"a: !!float .inf\n", "f:1 error: a number is infinite or NaN\n"},
		"it refuses an object without a kind":       {"apiVersion: v1\n", "f:1 error: it is not a Kubernetes object: kind is not set\n"},
		"it refuses a value that is not as tagged":  {"a: !!int x\n", "f:1 error: a value is not of the type !!int that it is tagged with\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := describe(c.text); got != c.want {
				t.Errorf("split(%q) =\n%swant\n%s", c.text, got, c.want)
			}
		})
	}
}

func utf16Text(text string, bigEnd bool) string {
	var b strings.Builder
	for _, c := range "\ufeff" + text { // ASCII and the mark only: one UTF-16 unit each
		low, high := byte(c), byte(c>>8)
		if bigEnd {
			low, high = high, low
		}
		b.WriteByte(low)
		b.WriteByte(high)
	}
	return b.String()
}

func TestSplitJSON(t *testing.T) {
	object := func(name string) string {
		return `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "` + name + `"}}`
	}
	a, b := object("a"), object("b")
	for name, c := range map[string]struct{ text, want string }{
		"it takes a stream":                          {a + "\n" + b + a, "f:1 a\nf:2 b\nf:2 a\n"},
		"it goes on after a value that does not end": {a + "\n{\"x\": [\n" + b, "f:1 a\nf:2 error: unexpected end of JSON input\nf:3 b\n"},
		"it goes on after what is no JSON":           {a + "\n]\n" + b, "f:1 a\nf:2 error: invalid character ']' looking for beginning of value\nf:3 b\n"},
		"it tells the line of an error":              {"{\n\"a\": 1,\n\"b\" 2}", "f:3 error: invalid character '2' after object key\n"},
		"it takes the items of a list": {
			`{"items": [` + a + ",\n" + b + `], "kind": "List"}` + "\n" + a, "f:1 a\nf:2 b\nf:3 a\n",
		},
		"it takes an empty list":              {`{"kind": "List", "apiVersion": "v1", "items": [ ]}`, ""},
		"it takes a list without items":       {`{"kind": "List", "apiVersion": "v1"}`, "f:1 \n"},
		"it takes items of null for no items": {`{"kind": "List", "apiVersion": "v1", "items": null}`, "f:1 \n"},
		"it takes a list with escapes":        {`{"kind": "List", "x\"}": "\\", "items": [` + object(`a]}\"`) + `]}`, "f:1 a]}\"\n"},
		"it takes a list in a list":           {`{"kind": "List", "items": [{"kind": "List", "items": [` + a + `]}]}`, "f:1 a\n"},
		"it tells a list that lacks a comma":  {`{"kind": "List", "items": [` + a + " " + b + `]}`, "f:1 error: invalid character '{' after array element\n"},
		"it tells a list that does not end":   {`{"kind": "List", "items": [` + a, "f:1 error: unexpected end of JSON input\n"},
		"it takes a comma too many, as YAML":  {`{"kind": "List", "items": [` + a + `,]}`, "f:1 a\n"},
		"it gives items the type of the list": {`{"kind": "PodList", "apiVersion": "v1", "items": [{"metadata": {"name": "a"}}]}`, "f:1 a\n"},
		"it takes YAML in braces":             {"{apiVersion: v1,\n kind: ConfigMap, metadata: {name: a}}", "f:1 a\n"},
		"it takes a single brace":             {"{", "f:1 error: unexpected end of JSON input\n"},
		"it takes a quote that does not end":  {`{"a`, "f:1 error: unexpected end of JSON input\n"},
		"it takes an escape at the end":       {`{"a\`, "f:1 error: invalid character ' ' in string escape code\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := describe(c.text); got != c.want {
				t.Errorf("split(%q) =\n%swant\n%s", c.text, got, c.want)
			}
		})
	}
}

// TestSplitIsNotQuadratic checks that values without an end do not make splitting quadratic.
func TestSplitIsNotQuadratic(t *testing.T) {
	for name, line := range map[string]string{
		"objects": "{\n",
		"lists":   "{\"kind\": \"List\", \"items\": [{\"a\": 1}\n",
	} {
		began := time.Now()
		pieces := split("f", []byte(strings.Repeat(line, 100_000)))
		if n := len(pieces); n != 101 {
			t.Errorf("%s that do not end: %d pieces, want 101", name, n)
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%s that do not end take %v", name, took)
		}
	}
}

// TestDecodeAsKubectl checks that documents have the same values as in kubectl.
func TestDecodeAsKubectl(t *testing.T) {
	const words = "y Y yes Yes YES yEs n N no No NO on On ON off Off OFF true True TRUE tRue false False FALSE " +
		"~ null Null NULL nuLL 0 1 -1 +1 00 010 08 0o10 0x1F 0xG 0b101 -0b11 0b2 1_000 1_ _1 1.5 .5 5. -.5 1e3 1E+3 1e 1.5e-7 . .. ... " +
		"1.2.3 10.0.0.1 1-2 12:30:45 2026-11-20 2026-11-20T16:00:00Z 9223372036854775807 9223372036854775808 18446744073709551616 " +
		"0x7fffffffffffffff -9223372036854775808 1e400x - + a a1 1a 100m 1Gi <<x !x 'yes' \"1\" !!str+1 é 0.1.0-rc1 1e5m 0_0 +.5 -0 -0.0 1__0 0x_1 .1_0"
	for word := range strings.FieldsSeq(words) {
		text := "apiVersion: v1\nkind: X\nvalue: " + strings.ReplaceAll(word, "+1", " 1") + "\n"
		asKubectl(t, text)
		asKubectl(t, "apiVersion: v1\nkind: X\n"+word+": value\n")
	}
	for _, text := range []string{
		"apiVersion: v1\nkind: X\nempty:\nlist:\n- 1\n-\n- [a, {b: c}]\n",
		"apiVersion: v1\nkind: X\nblock: |\n  one\n  two\nfolded: >-\n  one\n  two\n",
		"apiVersion: v1\nkind: X\nbinary: !!binary aGVsbG8=\nfloat: !!float 3\nint: !!int 3\nbool: !!bool yes\nnull: !!null ''\ntime: !!timestamp 2026-11-20\nbig: !!int 18446744073709551615\ntext: !!str 1\n",
		"apiVersion: v1\nkind: X\ntwice: 1\ntwice: 2\n",
		"apiVersion: v1\nkind: X\na: &a {x: 1}\nb: *a\nc: {<<: *a, y: 2}\n",
		`{"apiVersion": "v1", "kind": "X", "n": 1, "x": 1.0, "e": 1e3, "big": 9223372036854775808, "u": "\u00e9", "t": [true, null]}`,
	} {
		asKubectl(t, text)
	}
}

func asKubectl(t *testing.T, text string) {
	t.Helper()
	var want map[string]any
	if err := sigsyaml.Unmarshal([]byte(text), &want); err != nil {
		return
	}
	var have []Object
	for _, p := range split("f", []byte(text)) {
		have = append(have, p.Objects()...)
	}
	if len(have) != 1 || have[0].Err != nil {
		t.Errorf("decode %q = %+v, want one object", text, have)
		return
	}
	if got := floats(map[string]any(have[0].Content)); !reflect.DeepEqual(got, any(want)) {
		t.Errorf("decode %q\n = %#v\nwant %#v", text, got, want)
	}
}

// floats returns a value with its numbers as float64, like the other decoder.
func floats(v any) any {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case map[string]any:
		for key := range v {
			v[key] = floats(v[key])
		}
	case []any:
		for i := range v {
			v[i] = floats(v[i])
		}
	}
	return v
}

// FuzzDecode checks that no text makes the reader panic or hang, and that no value of a Secret
// stays in an object.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		"apiVersion: v1\nkind: Secret\ndata: {a: c2VjcmV0}\n---\n- x\n...\n{a: [b, *c]}\n",
		`{"kind": "List", "items": [{"kind": "Secret", "data": {"a": "b"}}, {}]} {"a": 1} [`,
		"a: &a [x]\nb: &b [*a, *a]\n<<: {c: !!binary aGk=}\n? [k]\n: 0x1F\n",
		"\xff\xfea\x00:\x00 \x00b\x00",
		"%YAML 1.1\n--- |\n  text\n--- # c\nk: 'v'\r\n\tx: .inf\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, p := range split("f", utf8Text(text)) {
			for _, i := range p.Objects() {
				if i.Err == nil && i.Content == nil {
					t.Error("neither an object nor an error")
				}
				if i.From.Line < 1 {
					t.Errorf("line %d", i.From.Line)
				}
				if i.Content["kind"] != "Secret" {
					continue
				}
				data := decoded.Map(i.Content, "data")
				for key, value := range data {
					if value != "" {
						t.Errorf("Secret keeps %s", key)
					}
				}
			}
		}
	})
}
