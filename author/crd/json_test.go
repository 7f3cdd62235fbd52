package crd_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"kstatus.dev/author/crd"
	"kstatus.dev/author/lint"
)

// emoji is an object as written by encoders that write ASCII only.
const emoji = `{
  "kind": "Face",
  "\ud83d\ude00": {"enum": ["\ud83d\ude00", "b\uD83D\uDE01c"], "after": 1},
  "description": "a \ud83d\ude00 \"\\ud83d\" \u00e9", "last": {
    "x": 1
  }
}
`

func TestJSONHasPairsOfSurrogates(t *testing.T) {
	for _, before := range []string{"", "---\n", "\ufeff", `{"kind": "First"}` + "\n"} {
		f := crd.Parse("face.json", []byte(before+emoji))
		if err := errors.Join(f.Errors()...); err != nil {
			t.Fatalf("after %q: %v", before, err)
		}
		objects := f.Objects()
		face := objects[len(objects)-1]
		want := map[string]any{
			"kind": "Face", "\U0001f600": map[string]any{"enum": []any{"\U0001f600", "b\U0001f601c"}, "after": int64(1)},
			"description": "a \U0001f600 \"\\ud83d\" é", "last": map[string]any{"x": int64(1)},
		}
		if !reflect.DeepEqual(face.Value, want) {
			t.Errorf("after %q: got %v, want %v", before, face.Value, want)
		}
		for _, p := range []struct {
			path lint.Path
			text string // the beginning of the text at the path
		}{
			{lint.Path{"\U0001f600"}, `"\ud83d\ude00": {`},
			{lint.Path{"\U0001f600", "enum"}, `"enum"`},
			{lint.Path{"\U0001f600", "enum", 0}, `"\ud83d\ude00", "b`},
			{lint.Path{"\U0001f600", "enum", 1}, `"b\uD83D`},
			{lint.Path{"\U0001f600", "after"}, `"after"`},
			{lint.Path{"last"}, `"last"`},
			{lint.Path{"last", "x"}, `"x"`},
		} {
			line, column := face.Position(p.path)
			if at := strings.Split(strings.TrimPrefix(before, "\ufeff")+emoji, "\n")[line-1][column-1:]; !strings.HasPrefix(at, p.text) {
				t.Errorf("after %q: %v is said to be at %d:%d, where %s stands", before, p.path, line, column, at)
			}
		}
	}
}

func TestEditOfJSONWithPairsOfSurrogates(t *testing.T) {
	for _, row := range []struct {
		it       string
		edit     lint.Edit
		from, to string
	}{
		{"adds after a pair", lint.Edit{Op: lint.OpAdd, Path: lint.Path{"\U0001f600", "z"}, Value: "\U0001f602"}, `"after": 1}`, "\"after\": 1, \"z\": \"\U0001f602\"}"},
		{"replaces after a pair", lint.Edit{Op: lint.OpReplace, Path: lint.Path{"\U0001f600", "after"}, Value: 2}, `"after": 1`, `"after": 2`},
		{"replaces a pair", lint.Edit{Op: lint.OpReplace, Path: lint.Path{"\U0001f600", "enum", 0}, Value: "c"}, `["\ud83d\ude00",`, `["c",`},
		{"removes after a pair", lint.Edit{Op: lint.OpRemove, Path: lint.Path{"last"}}, `, "last": {` + "\n    \"x\": 1\n  }", ""},
		{"adds to another line", lint.Edit{Op: lint.OpAdd, Path: lint.Path{"last", "y"}, Value: 2}, `"x": 1`, "\"x\": 1,\n    \"y\": 2"},
		{"removes a field whose name has a pair", lint.Edit{Op: lint.OpRemove, Path: lint.Path{"\U0001f600"}}, `"\ud83d\ude00": {"enum": ["\ud83d\ude00", "b\uD83D\uDE01c"], "after": 1},` + "\n  ", ""},
	} {
		t.Run(row.it, func(t *testing.T) {
			before := emoji + `{"kind": "Second", "x": "\ud83d\ude00 \ud83d"}`
			now, err := crd.Parse("face.json", []byte(before)).Edit(0, row.edit)
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Replace(before, row.from, row.to, 1)
			if got := string(now.Text()); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestLoneSurrogates(t *testing.T) {
	const text = `{"a": "x\ud83dy", "b": "\ude00", "c": 1}`
	f := crd.Parse("half.json", []byte(text))
	if err := errors.Join(f.Errors()...); err != nil {
		t.Fatal(err)
	}
	if got, want := f.Objects()[0].Value, (map[string]any{"a": "x\ufffdy", "b": "\ufffd", "c": int64(1)}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	now, err := f.Edit(0, lint.Edit{Op: lint.OpReplace, Path: lint.Path{"c"}, Value: 2})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(now.Text()), strings.Replace(text, "1", "2", 1); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
