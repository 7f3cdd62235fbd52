package text_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"kstatus.dev/internal/text"
)

func TestEscapeJSON(t *testing.T) {
	for _, row := range []struct{ it, have, want string }{
		{"keeps safe text", "{\n  \"a\": \"é 数 😀\"\n}\n", "{\n  \"a\": \"é 数 😀\"\n}\n"},
		{"escapes DEL and C1", "[\"\x7f\u009b\"]", `["\u007f\u009b"]`},
		{"escapes direction marks", "[\"a\u202eb\"]", `["a\u202eb"]`},
		{"escapes zero-width characters, also a joiner", "[\"a\u200b👩\u200d👧\"]", `["a\u200b👩\u200d👧"]`},
		{"escapes tags as surrogate pairs", "[\"\U000e0041\"]", `["\udb40\udc41"]`},
		{"escapes commands of CI systems", `["##[a]","##vso[b]","## [c]"]`, `["##\u005ba]","##vso\u005bb]","## [c]"]`},
		{"escapes keys", "{\"\u2066\":1}", `{"\u2066":1}`},
	} {
		t.Run(row.it, func(t *testing.T) {
			if got := string(text.EscapeJSON([]byte(row.have))); got != row.want {
				t.Errorf("it is %s, want %s", got, row.want)
			}
		})
	}
}

// For any value, EscapeJSON loses no data and leaves no unsafe text.
func FuzzEscapeJSON(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		document, err := json.Marshal([]string{s})
		if err != nil {
			t.Fatal(err)
		}
		got := text.EscapeJSON(document)
		if i := bytes.IndexFunc(got, text.Unsafe); i >= 0 {
			t.Errorf("of %q comes %s, with something unsafe at %d", s, got, i)
		}
		var have, want []string
		if err := json.Unmarshal(got, &have); err != nil {
			t.Fatalf("of %q comes %s: %v", s, got, err)
		}
		if err := json.Unmarshal(document, &want); err != nil {
			t.Fatal(err)
		}
		if have[0] != want[0] {
			t.Errorf("of %q comes %q, want %q", s, have[0], want[0])
		}
	})
}
