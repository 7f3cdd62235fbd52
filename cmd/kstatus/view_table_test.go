package main

import "testing"

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"as it is: é 漢 👩‍👩‍👧":          "as it is: é 漢 👩‍👩‍👧",
		"two\nlines\tand a tab":        "two lines and a tab",
		"\x1b[2Jcleared\a\u009b1m\x7f": "\ufffd[2Jcleared\ufffd\ufffd1m\ufffd",
		"turned \u202eround\u2069":     "turned \ufffdround\ufffd",
	} {
		if got := plain(text); got != want {
			t.Errorf("plain(%q) = %q, want %q", text, got, want)
		}
	}
}
