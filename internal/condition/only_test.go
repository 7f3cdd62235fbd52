package condition_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// privateReaders match code that takes conditions out of a decoded object by itself.
var privateReaders = regexp.MustCompile(`\["conditions"\]\.\(|(Nested|decoded\.)[A-Za-z]+\(([^()]|\(\))*"conditions"|\["type"\] *(==|!=) *[a-z"]|"conditions"\)\.\(`)

// own lists, by file, how many lines may do so, and why they read no condition of an object.
var own = map[string]struct {
	lines int
	why   string
}{
	"status/augment.go":                            {3, "it writes conditions"},
	"status/conditionindex.go":                     {1, "it looks for lists that hold no conditions"},
	"status/conditions.go":                         {2, "it looks for lists that hold no conditions, and for the path of an item"},
	"status/generation.go":                         {1, "it chooses between the forms"},
	"status/generic.go":                            {2, "it chooses between the forms"},
	"status/related.go":                            {1, "of an EndpointSlice, whose conditions are booleans"},
	"status/signal_conditions.go":                  {1, "it chooses between the forms"},
	"status/signal_counters.go":                    {1, "of an update strategy"},
	"kube/source/internal/parts/endpoints.go":      {1, "of an EndpointSlice, whose conditions are booleans"},
	"clusterapi/internal/facts/facts.go":           {1, "it removes a condition"},
	"clusterapi/internal/clusterapitest/server.go": {5, "it writes conditions, as a controller in tests"},
	"clusterapi/check/object_hidden_conditions.go": {1, "it looks for conditions that are no list"},
	"clusterapi/contract/scenario_move.go":         {1, "of texts that the package has made of conditions"},
	"author/lint/race_fix.go":                      {1, "of a schema"},
	"author/lint/scenario.go":                      {1, "it writes conditions"},
	"author/lint/check_condition_column.go":        {1, "of a schema"},
	"dropin/pkg/kstatus/status/compute.go":         {2, "it writes conditions"},
}

// Only this package reads the conditions of an object.
func TestOnlyThisPackageReadsConditions(t *testing.T) {
	read := 0
	found := map[string]int{}
	for _, root := range []string{"status", "observe", "explain", "report", "redact", "author", "clusterapi", "kube", "cmd", "dropin"} {
		err := filepath.WalkDir(filepath.Join("../..", root), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			read++
			source, err := os.ReadFile(path)
			file := filepath.ToSlash(strings.TrimPrefix(path, filepath.Join("..", "..")+string(filepath.Separator)))
			for i, line := range strings.Split(string(source), "\n") {
				if code := privateReaders.FindString(line); code != "" {
					if found[file]++; found[file] > own[file].lines {
						t.Errorf("%s:%d: %s is a matter of package condition", file, i+1, code)
					}
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for file, allowed := range own {
		if found[file] < allowed.lines {
			t.Errorf("%s has %d such lines, and is allowed %d: %s", file, found[file], allowed.lines, allowed.why)
		}
	}
	if read < 100 {
		t.Errorf("%d files were read", read)
	}
}
