package audit

import (
	"os"
	"path/filepath"
	"testing"
)

// TestGoodCitizens holds all rules to streams of controllers that do well, from
// the first visit to the deletion: nothing may be found.
func TestGoodCitizens(t *testing.T) {
	files, err := filepath.Glob("testdata/good/*.stream")
	if err != nil || len(files) == 0 {
		t.Fatalf("streams in testdata/good: %d, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got := broken(t, Options{}, string(data)); len(got) != 0 {
				t.Errorf("it breaks %v", got)
			}
		})
	}
}
