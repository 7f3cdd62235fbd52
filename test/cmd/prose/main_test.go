package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

const source = `// Package p is short.
//
//	f(1)
//
// It has a list:
//   - first
//     item
//   - second
package p

import "fmt"

//go:generate nothing

type flags struct {
	Name string ` + "`json:\"name of a field\"`" + ` // a name
	Size int // of p.Size
}

func f(n int) error {
	short := "one two"
	_ = "of what is " + short + " joined here"
	return fmt.Errorf(
		"want at least %d objects, have %q", n,
		"the list is empty.")
}

const pattern = "(?:[a-z]+ [a-z]+ [a-z]+)"

const words = "a are as be by can did do for if in is may of on"

// Output:
// it is printed
`

const comments = `Package p is short.

f(1).

It has a list.
- first
item.
- second. 







a name. 
of p_Size. 
`

const copied = "// Code generated from k8s.io/p/copy.go. DO NOT EDIT.\n\n// Package p is.\npackage p\n"

func TestTextsAreOnTheirLines(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, content := range map[string]string{"p/p.go": source, "p/p_test.go": source, "p/testdata/t.go": source, "p/copy.go": copied} {
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
	texts := "\n\nof what is value joined here. \n\nwant at least value objects, have value. \nthe list is empty. \n"
	for path, want := range map[string]string{
		"out/p/p.go.txt":      comments + "\n\n" + texts,
		"out/p/p_test.go.txt": comments,
	} {
		have, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if string(have) != want {
			t.Errorf("%s: have %q, want %q", path, have, want)
		}
	}
	for _, path := range []string{"out/p/testdata", "out/p/copy.go.txt"} {
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("want no texts in %s, have %v", path, err)
		}
	}
}
