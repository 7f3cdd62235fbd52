package status

import (
	"fmt"
	"strings"
	"testing"
)

// A text of any length is plain unless one of its bytes is not, at any position.
func TestPlain(t *testing.T) {
	for length := range 20 {
		t.Run(fmt.Sprintf("%d bytes", length), func(t *testing.T) {
			text := []byte(strings.Repeat("~", length))
			if !isPrintableASCII(string(text)) {
				t.Errorf("plain(%q) = false", text)
			}
			for at := range text {
				for c := range 256 {
					text[at] = byte(c)
					if got, want := isPrintableASCII(string(text)), c >= ' ' && c <= '~'; got != want {
						t.Errorf("plain(%q) = %t", text, got)
					}
				}
				text[at] = ' '
			}
		})
	}
}

func TestSprintfIsFmtSprintf(t *testing.T) {
	for _, c := range []struct {
		format string
		args   []any
	}{
		{"plain", []any{}},
		{"%d/%d available", []any{int64(2), 3}},
		{"%s is %s: %s", []any{string("Ready"), conditionFalse, "no route"}},
		{"%d%%", []any{int64(50)}},
		{"%% of %d", []any{1}},
		{"%q of %s", []any{"a", "b"}},
		{"%s", []any{CurrentStatus}},
		{"%d", []any{uint8(7)}},
		{"%d", []any{"seven"}},
		{"%s", []any{7}},
		{"%s", []any{nil}},
		{"%s and more", []any{"one", "two"}},
		{"%s and %s", []any{"one"}},
		{"%5d", []any{7}},
		{"ends in %", []any{7}},
		{"%s: 100%", []any{"all"}},
		{"%s grows beyond the room: %s", []any{fmt.Sprint(make([]int, 100)), fmt.Sprint(make([]int, 100))}},
		{"%d", []any{int64(-1) << 63}},
	} {
		t.Run(fmt.Sprintf("%s of %.20v", c.format, c.args), func(t *testing.T) {
			want := c.format
			if len(c.args) > 0 {
				want = fmt.Sprintf(c.format, c.args...)
			}
			if got := sprintf(c.format, c.args); got != want {
				t.Errorf("sprintf(%q, %v) = %q, want %q", c.format, c.args, got, want)
			}
		})
	}
}
