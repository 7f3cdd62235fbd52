package crd

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"kstatus.dev/author/crd/internal/difference"
	"kstatus.dev/author/lint"
)

func TestParseUnusualInput(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for _, pair := range []string{"ab", "bc", "cd", "de", "ef", "fg", "gh"} {
		from, to := pair[:1], pair[1:]
		bomb += to + ": &" + to + " [" + strings.Repeat("*"+from+",", 9) + "]\n"
	}
	rows := []struct {
		it, text string
		objects  int
		errs     []string
	}{
		{"reads documents, comments between them, and a byte order mark", "\ufeff# c\n---\na: 1\n---\n# nothing\n---\nb: 1\n...\n", 2, nil},
		{"reads Windows line ends", "a: 1\r\n---\r\nb: 1\r\n", 2, nil},
		{"reads items of lists", "kind: List\nitems:\n- {kind: A}\n- {kind: BList, items: [{kind: B}, {kind: B}]}\n- 3\n", 3, nil},
		{"reads JSON values one after the other", "{\"a\": 1}{\"b\": 2}\n{\"c\": 3}", 3, nil},
		{"skips one document and names its line", "a: 1\n---\nb: 1\n{{ if .x }}\n---\nc: 1\n", 2, []string{"x.yaml:4: could not find expected ':'; it contains {{ as the templates"}},
		{"reports a tab", "a:\n\tb: 1\n", 0, []string{"x.yaml:2: found "}},
		{"rejects a value that is not an object", "- 1\n---\ntext\n---\n3\n", 0, []string{"x.yaml:1: want an object, have a list", "x.yaml:3: want an object, have a single value", "x.yaml:5: want"}},
		{"rejects exponential aliases", bomb, 0, []string{"x.yaml:6: aliases expand to more than 100000 values"}},
		{"rejects repeated aliases of a long text", "a: &a " + strings.Repeat("x", 1<<20) + "\nb: [" + strings.Repeat("*a,", 90_000) + "]\n", 0, []string{"x.yaml:2: aliases expand to more than 4194304 bytes"}},
		{"does not repeat the name of an anchor", "a: *secret\n", 0, []string{"x.yaml:1: an alias refers to an anchor that does not exist"}},
		{"rejects an anchor that contains itself", "a: &a {b: *a}\n", 0, []string{"x.yaml:1: anchor 'a' value contains itself"}},
		{"rejects invalid UTF-8", "a: \x00\n---\nb: \xff\n", 0, []string{"x.yaml:1: ", "x.yaml:3: "}},
		{"rejects unlimited depth", strings.Repeat("[", 1<<20), 0, []string{"x.yaml:1: exceeded max depth"}},
		{"accepts an empty file", "", 0, nil},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			f := Parse("x.yaml", []byte(row.text))
			if n := len(f.Objects()); n != row.objects {
				t.Errorf("have %d objects, want %d", n, row.objects)
			}
			if string(f.Text()) != row.text {
				t.Errorf("the text has become %q", f.Text())
			}
			errs := f.Errors()
			if len(errs) != len(row.errs) {
				t.Errorf("have %v, want %q", errs, row.errs)
				return
			}
			for i, want := range row.errs {
				if !strings.HasPrefix(errs[i].Error(), want) {
					t.Errorf("have %v, want %s", errs[i], want)
				}
			}
		})
	}
}

func TestParseWarnsOfDuplicateKeys(t *testing.T) {
	f := Parse("x.yaml", []byte("---\na: 1\nb: {c: 1, c: 2}\na: 3\n"))
	warnings := f.Warnings()
	if len(warnings) != 2 || !strings.HasPrefix(warnings[0].Error(), "x.yaml:4: key \"a\" is set twice") || !strings.HasPrefix(warnings[1].Error(), "x.yaml:3: ") {
		t.Errorf("have %v", warnings)
	}
}

func TestPosition(t *testing.T) {
	f := Parse("x.yaml", []byte("kind: A\n---\nkind: List\nitems:\n- kind: B\n  x: {y: 1}\n  l:\n  - 1\n  - k: v\n"))
	rows := []struct {
		object       int
		path         lint.Path
		line, column int
	}{
		{0, nil, 1, 1},
		{0, lint.Path{"kind"}, 1, 1},
		{1, nil, 5, 3},
		{1, lint.Path{"x", "y"}, 6, 7},
		{1, lint.Path{"x", "missing", "z"}, 6, 3},
		{1, lint.Path{"l", 1, "k"}, 9, 5},
		{1, lint.Path{"l", 7}, 7, 3},
		{1, lint.Path{"l", "name"}, 7, 3},
	}
	for _, row := range rows {
		t.Run(fmt.Sprintf("object_%d%s", row.object, row.path), func(t *testing.T) {
			line, column := f.Objects()[row.object].Position(row.path)
			if line != row.line || column != row.column {
				t.Errorf("%v of object %d is at %d:%d, want %d:%d", row.path, row.object, line, column, row.line, row.column)
			}
		})
	}
}

// FuzzEdit parses and edits any text. It must not panic or change the text of
// other objects. Each edit changes the object as requested, or returns an
// error.
func FuzzEdit(f *testing.F) {
	f.Add([]byte(lamps), "status", "{}")
	f.Add([]byte("a: {b: [1, 'x'], \"c\": {}} # d\nb: |\n  x\n"), "c", "[1]")
	f.Add([]byte("{\"a\": {\n  \"b\": 1\n}}"), "b", "\"x\"")
	f.Add([]byte("- &a x\n- *a\n"), "a", "1")
	f.Fuzz(func(t *testing.T, text []byte, name, value string) {
		file := Parse("x.yaml", text)
		if !bytes.Equal(file.Text(), text) {
			t.Fatalf("the text has become %q", file.Text())
		}
		_, _ = file.Errors(), file.Warnings()
		v, err := decode([]byte(value))
		if err != nil {
			return
		}
		for i, o := range file.Objects() {
			o.Suppressions()
			for _, e := range []lint.Edit{add(v, name), replace(v, name), remove(name)} {
				after, err := file.Edit(i, e)
				if err != nil {
					continue
				}
				want, err := lint.Apply(o.Value, e)
				if err != nil || !difference.Equal(after.Objects()[i].Value, want) {
					t.Fatalf("%v of %q makes %q, %v", e, text, after.Text(), err)
				}
				if again := Parse("x.yaml", after.Text()); len(again.Objects()) != len(file.Objects()) || !difference.Equal(again.Objects()[i].Value, want) {
					t.Fatalf("%v of %q makes %q, which reads otherwise", e, text, after.Text())
				}
			}
		}
	})
}

// Files that were joined without a line --- are no object.
func TestSecondObjectInDocument(t *testing.T) {
	for text, want := range map[string]string{
		"apiVersion: v1\nkind: A\nmetadata: {name: a}\napiVersion: v1\nkind: B\n": "[x.yaml:4: a second object begins here, in the same document: is the line --- missing before it?]",
		"apiVersion: v1\nkind: A\nspec: {kind: B, apiVersion: v1}\nspec: {}\n":    "[]",
		"apiVersion: v1\nkind: A\nkind: B\n":                                      "[]",
	} {
		f := Parse("x.yaml", []byte(text))
		if have := fmt.Sprint(f.Errors()); have != want || want != "[]" && len(f.Objects())+len(f.Warnings()) > 0 {
			t.Errorf("%q: have %s with %d objects and %v, want %s", text, have, len(f.Objects()), f.Warnings(), want)
		}
	}
}
