package markdown

import (
	"strings"
	"testing"
)

func TestWrap(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("word ", 18)) // 89 bytes
	for _, c := range []struct{ name, page, want string }{
		{"a paragraph", long + " and more words\nin two lines\n", long + " and more\nwords in two lines\n"},
		{"short lines remain", "one\ntwo\n\nthree\n", "one\ntwo\n\nthree\n"},
		{"an item of a list", "- " + long + " and some more\n  words\n- next\n", "- " + long + " and some\n  more words\n- next\n"},
		{"a numbered item", "10. " + long + " or some\n", "10. " + long + " or\n    some\n"},
		{"a quotation", "> " + long + " and some more\n>\n> next\n", "> " + long + " and some\n> more\n>\n> next\n"},
		{"a code span is one word", long + " `kubectl get pods`\n", long + "\n`kubectl get pods`\n"},
		{"no line begins with a marker", long + " and more - word\n", long + " and more -\nword\n"},
		{"a long word", "see " + strings.Repeat("x", 120) + " too\n", "see\n" + strings.Repeat("x", 120) + "\ntoo\n"},
		{"code", "```\n" + long + " and more words\n```\n", "```\n" + long + " and more words\n```\n"},
		{"indented code", "\n    " + long + " and more words\n", "\n    " + long + " and more words\n"},
		{"a table", "| " + long + " | and more words |\n", "| " + long + " | and more words |\n"},
		{"a heading", "# " + long + " and more words\n", "# " + long + " and more words\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			have := Wrap(c.page)
			if have != c.want {
				t.Errorf("have:\n%s\nwant:\n%s", have, c.want)
			}
			if again := Wrap(have); again != have {
				t.Errorf("wrapped again:\n%s\nwant:\n%s", again, have)
			}
		})
	}
}
