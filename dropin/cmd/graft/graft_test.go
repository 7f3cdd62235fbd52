package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestExported(t *testing.T) {
	const text = `package a

type (
	A struct{}
	b struct{}
	G[T any] struct{}
)

var C, d = 1, 2

const E = 3

func F() {}

func (*A) Method() {}

func (G[T]) Method() {}

func (b) Method() {}
`
	have, err := exported("a.go", []byte(text))
	if err != nil || !slices.Equal(have, []string{"A", "C", "E", "F", "G"}) {
		t.Errorf("have %v, %v", have, err)
	}
}

func TestNewer(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"v0.35.0", "v0.30.1", true},
		{"v0.35.0", "v0.35.0", false},
		{"v0.9.0", "v0.35.0", false},
		{"v0.35.1", "v0.35.0", true},
		{"1.26.0", "1.22", true},
	} {
		if have := newer(c.a, c.b); have != c.want {
			t.Errorf("newer(%s, %s) = %t", c.a, c.b, have)
		}
	}
}

func TestLocal(t *testing.T) {
	for dir, want := range map[string]string{"a/b": "./a/b", "./a": "./a", "../a": "../a", ".": ".", "..": "..", ".a": "./.a", "/a": "/a"} {
		if have := local(dir); have != want {
			t.Errorf("local(%s) = %s, want %s", dir, have, want)
		}
	}
}

// A file that cannot be written leaves the old copy, and no temporary folder.
func TestWriteFails(t *testing.T) {
	to := filepath.Join(t.TempDir(), "copy")
	p := &plan{files: map[string][]byte{"a.go": []byte("package a\n")}}
	if err := p.write(to); err != nil {
		t.Fatal(err)
	}
	p = &plan{files: map[string][]byte{"a.go": nil, "a.go/b.go": nil}}
	if err := p.write(to); err == nil {
		t.Fatal("want an error, because a.go is a file and a folder")
	}
	text, err := os.ReadFile(filepath.Join(to, "a.go"))
	if err != nil || string(text) != "package a\n" {
		t.Errorf("have %q, %v", text, err)
	}
	entries, err := os.ReadDir(filepath.Dir(to))
	if err != nil || len(entries) != 1 {
		t.Errorf("have %v, %v", entries, err)
	}
}

// A checksum of go.mod has all but the versions, also where GOFLAGS name another go.mod.
func TestChecksumOfGoMod(t *testing.T) {
	t.Setenv("GOFLAGS", "-mod=mod -modfile=/other/go.mod")
	sum := func(lines ...string) string {
		t.Helper()
		sums, err := checksums(context.Background(), map[string][]byte{goMod: []byte("module a\n" + strings.Join(lines, "\n") + "\n"), goSum: nil})
		if err != nil {
			t.Fatal(err)
		}
		if len(sums) != 1 {
			t.Errorf("have %v", sums)
		}
		return sums[goMod]
	}
	want := sum("go 1.26.0", "require kstatus.dev/dropin v0.1.0")
	if sum("go 1.27.0", "require kstatus.dev/dropin v0.2.0", "require example.test/a v1.0.0") != want {
		t.Error("versions change the checksum")
	}
	if sum("go 1.26.0") == want {
		t.Error("a missing requirement of the implementation does not change the checksum")
	}
	if sum("go 1.26.0", "require kstatus.dev/dropin v0.1.0", "replace example.test/a => ../a") == want {
		t.Error("a replacement does not change the checksum")
	}
}

func TestReadRejectsLinks(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("nowhere", filepath.Join(dir, "link")); errors.Is(err, errors.ErrUnsupported) {
		return // a file system without links
	} else if err != nil {
		t.Fatal(err)
	}
	if _, err := read(dir); err == nil {
		t.Error("want an error")
	}
}
