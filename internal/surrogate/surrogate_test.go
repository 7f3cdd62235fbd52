package surrogate

import "testing"

func TestForYAML(t *testing.T) {
	rows := []struct{ it, in, want string }{
		{"writes a pair as one escape, and adds blanks after the string", `{"a": "x\ud83d\ude00y", "b": 1}`, `{"a": "x\U0001f600y"  , "b": 1}`},
		{"reads digits in capitals", `["\uD83D\uDE00"]`, `["\U0001f600"  ]`},
		{"keeps offsets after several pairs, also of a key", `{"\ud83d\ude00\ud83d\ude00":"\ud83d\ude01"}`, `{"\U0001f600\U0001f600"    :"\U0001f601"  }`},
		{"replaces a high surrogate without a low one", `["\ud83dx", "\ud83d\n", "\ud83d\ud83d\ude00"]`, `["\uFFFDx", "\uFFFD\n", "\uFFFD\U0001f600"  ]`},
		{"replaces a low surrogate without a high one", `["\ude00", "\ude00\ud83d"]`, `["\uFFFD", "\uFFFD\uFFFD"]`},
		{"keeps an escaped backslash", `["\\ud83d\\ude00", "\\\ud83d\ude00"]`, `["\\ud83d\\ude00", "\\\U0001f600"  ]`},
		{"keeps other escapes, and quotes in strings", `["\"\ud83d\ude00\"", "\u00df\ud7ff"]`, `["\"\U0001f600\""  , "\u00df\ud7ff"]`},
		{"keeps lines and their content", "{\n  \"\\ud83d\\ude00\":\n    1\n}\n", "{\n  \"\\U0001f600\"  :\n    1\n}\n"},
		{"keeps YAML that is not JSON", `{a: '\ud83d\ude00'}`, `{a: '\ud83d\ude00'}`},
		{"keeps text that is neither", `{"a": "\ud83d\ude00"`, `{"a": "\ud83d\ude00"`},
		{"keeps a text that ends within an escape", `"\ud8`, `"\ud8`},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			in := []byte(row.in)
			got := string(ForYAML(in))
			if got != row.want || len(got) != len(row.in) {
				t.Errorf("ForYAML(%s)\n got %s\nwant %s", row.in, got, row.want)
			}
			if string(in) != row.in {
				t.Errorf("it changed what it was given to %s", in)
			}
		})
	}
}
