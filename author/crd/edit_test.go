package crd

import (
	"strings"
	"testing"

	"kstatus.dev/author/lint"
)

func add(value any, path ...any) lint.Edit {
	return lint.Edit{Op: lint.OpAdd, Path: path, Value: value}
}
func replace(value any, path ...any) lint.Edit {
	return lint.Edit{Op: lint.OpReplace, Path: path, Value: value}
}
func remove(path ...any) lint.Edit { return lint.Edit{Op: lint.OpRemove, Path: path} }

func TestEdit(t *testing.T) {
	rows := []struct {
		it            string
		before, after string
		edits         []lint.Edit
	}{
		{"inserts a field in alphabetical order",
			"a:\n  x: 1 # one\n  # of z\n  z: 2\n", "a:\n  x: 1 # one\n  xx:\n    k: v\n  # of z\n  z: 2\n", []lint.Edit{add(map[string]any{"k": "v"}, "a", "xx")}},
		{"appends it without an order",
			"b: 1\na: 1\n\n# the end\n", "b: 1\na: 1\naa: 2\n\n# the end\n", []lint.Edit{add(2, "aa")}},
		{"inserts it first, above the comment of the next",
			"a:\n  # of z\n  z: 2\n", "a:\n  b: 1\n  # of z\n  z: 2\n", []lint.Edit{add(1, "a", "b")}},
		{"adds to an empty value, and keeps the comment",
			"a: {} # none yet\nb: 1\n", "a: # none yet\n  k: v\nb: 1\n", []lint.Edit{add("v", "a", "k")}},
		{"replaces only a value, with its quotes",
			"a: \"x\"  # why\nb: 'y'\n", "a: \"z\"  # why\nb: 'it''s'\n", []lint.Edit{replace("z", "a"), replace("it's", "b")}},
		{"removes a field with its lines, and keeps comments",
			"a: 1\n# of b\nb: |\n  x\n  # not a comment\n\nc: 1\n", "a: 1\n# of b\n\nc: 1\n", []lint.Edit{remove("b")}},
		{"keeps braces without the last field",
			"a:\n  b: 1\nc: 1\n", "a: {}\nc: 1\n", []lint.Edit{remove("a", "b")}},
		{"writes lists in the style of the text",
			"a:\n- 1\n- 2\nb: 1\n", "a:\n- 1\n- 2\n- 3\nb: 1\nc:\n- x\n", []lint.Edit{add(3, "a", "-"), add([]any{"x"}, "c")}},
		{"writes indented lists in the style of the text",
			"a:\n    - 1\nb: 1\n", "a:\n    - 1\nb: 1\nc:\n    - x\n", []lint.Edit{add([]any{"x"}, "c")}},
		{"keeps the dash for the next field",
			"a:\n- k: 1\n  l: 2\n", "a:\n- l: 2\n", []lint.Edit{remove("a", 0, "k")}},
		{"adds a field before the one after a dash",
			"a:\n- k: 1\n  l: 2\n", "a:\n- b: 0\n  k: 1\n  l: 2\n", []lint.Edit{add(0, "a", 0, "b")}},
		{"edits below anchors",
			"a: &a\n- &b\n  k: 1\n# c\nc: &c\n  l: 1\n", "a: &a\n- &b\n  k: 1\n  m: 2\n# c\nc: &c\n  l: 1\n  m: 2\n", []lint.Edit{add(2, "a", 0, "m"), add(2, "c", "m")}},
		{"edits within braces",
			"a: {b: 1, c: [x, y]} # why\n", "a: {b: 2, c: [x], d: {e: \"true\"}} # why\n",
			[]lint.Edit{replace(2, "a", "b"), remove("a", "c", 1), add(map[string]any{"e": "true"}, "a", "d")}},
		{"writes JSON with a field on each line",
			"{\n   \"a\": {\n      \"b\": 1\n   }\n}", "{\n   \"a\": {\n      \"b\": 1,\n      \"c\": {\n         \"d\": [\n            1\n         ]\n      }\n   }\n}",
			[]lint.Edit{add(map[string]any{"d": []any{1}}, "a", "c")}},
		{"keeps Windows line endings, and a missing one at the end",
			"a:\r\n  b: 1", "a:\r\n  b: 1\r\n  c:\r\n    d: 2", []lint.Edit{add(map[string]any{"d": 2}, "a", "c")}},
		{"changes only what differs in a replaced value",
			"a:\n  b: 1 # one\n  c: [1, 2]\n", "a:\n  b: 1 # one\n  c: [1, 2, 3]\n  d: 4\n",
			[]lint.Edit{replace(map[string]any{"b": 1, "c": []any{1, 2, 3}, "d": 4}, "a")}},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			const above, below = "\ufeff# licence\n--- # one\nkind: A\n--- # two\n", "\n---\nkind: C\n"
			for _, around := range [][2]string{{"", ""}, {above, below}} {
				if around[1] != "" && !strings.HasSuffix(row.before, "\n") {
					continue
				}
				f := Parse("x.yaml", []byte(around[0]+row.before+around[1]))
				index := strings.Count(around[0], "kind")
				after, err := f.Edit(index, row.edits...)
				if err != nil {
					t.Errorf("%v", err)
					continue
				}
				if want := around[0] + row.after + around[1]; string(after.Text()) != want {
					t.Errorf("have\n%q\nwant\n%q", after.Text(), want)
				}
			}
		})
	}
}

// Edit returns an error with a line for a text that cannot be edited in place.
func TestEditRefuses(t *testing.T) {
	rows := []struct{ it, text, want string }{
		{"an anchor with an alias elsewhere", "a: &x\n  k: 1\nb: *x\n", "x.yaml:1: the text cannot be edited in place without other changes"},
		{"an alias", "b: &x\n  k: 1\na: *x\n", "x.yaml:1: add a.new: it is inside of an alias, so the edit would change other places too"},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			f := Parse("x.yaml", []byte(row.text))
			_, err := f.Edit(0, add(1, "a", "new"))
			if err == nil || err.Error() != row.want {
				t.Errorf("it refuses %s: have %v, want %s", row.it, err, row.want)
			}
			if string(f.Text()) != row.text {
				t.Errorf("it refuses %s, and leaves the file alone: have %q", row.it, f.Text())
			}
		})
	}
}
