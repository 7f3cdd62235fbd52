package text_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// privateDefinitions match code that defines unsafe runes, or cuts between runes.
var privateDefinitions = regexp.MustCompile(`Bidi_Control|unicode\.(Cf|IsPrint|IsGraphic)\b|(?i:\\u20(2[a-e]|6[6-9]|0[b-f]))|utf8\.RuneStart|ToValidUTF8\([^)]*\[:`)

// mark is the line for the zero-width space that Markdown reports insert to prevent mentions.
const mark = `const zeroWidthSpace = "\u200b"`

// Only this package defines unsafe runes and cuts texts.
func TestOnlyThisPackageDefinesSafeText(t *testing.T) {
	read := 0
	for _, root := range []string{"status", "observe", "explain", "report", "author", "clusterapi", "kube", "cmd"} {
		t.Run(root, func(t *testing.T) {
			err := filepath.WalkDir(filepath.Join("../..", root), func(path string, d fs.DirEntry, err error) error {
				if d != nil && d.IsDir() && path == "../../author/crd/internal/validation" {
					return filepath.SkipDir // a copy of files of the API server
				}
				if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
					return err
				}
				read++
				source, err := os.ReadFile(path)
				for i, line := range strings.Split(string(source), "\n") {
					if found := privateDefinitions.FindString(line); found != "" && strings.TrimSpace(line) != mark {
						t.Errorf("%s:%d: %s is a matter of package text", path, i+1, found)
					}
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
	if read < 100 {
		t.Errorf("%d files were read", read)
	}
}
