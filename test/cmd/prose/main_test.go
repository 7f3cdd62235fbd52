package main

import (
	"os"
	"path/filepath"
	"testing"
)

const source = `package p

import "fmt"

type flags struct {
	Name string ` + "`json:\"name of a field\"`" + `
}

func f(n int) error {
	short := "one two"
	_ = "of what is " + short + " joined here"
	return fmt.Errorf(
		"want at least %d objects, have %q", n,
		"the list is empty.")
}

const pattern = "(?:[a-z]+ [a-z]+ [a-z]+)"
`

func TestTextsAreOnTheLinesOfTheirLiterals(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, content := range map[string]string{"p/p.go": source, "p/p_test.go": source, "p/testdata/t.go": source} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := export("out", []string{"p"}); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("out/p/*")
	if err != nil || len(files) != 1 {
		t.Fatalf("want out/p/p.go.txt only, have %q, %v", files, err)
	}
	have, err := os.ReadFile("out/p/p.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := "\n\n\n\n\n\n\n\n\n\nof what is value joined here. \n\nwant at least value objects, have value. \nthe list is empty. \n"
	if string(have) != want {
		t.Errorf("have %q, want %q", have, want)
	}
}
