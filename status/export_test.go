package status

import (
	"flag"
	"os"
	"strings"
	"testing"

	"kstatus.dev/internal/markdown"
)

// Hinted reports whether a hint exists for exactly this kind, given as "apiVersion kind".
func Hinted(name string) bool {
	version, kind, _ := strings.Cut(name, " ")
	group, _, _ := strings.Cut(version, "/")
	g := hintIndexes.groups[group]
	return g != nil && g.kinds[kind] != nil
}

var update = flag.Bool("update", false, "write the generated pages of docs instead of comparing them")

// PageIs compares a generated page with its wanted text, or writes it.
func PageIs(t *testing.T, page, want string) {
	t.Helper()
	want = markdown.Wrap(want)
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != want {
		t.Errorf("%s is out of date; run make generate", page)
	}
}
