package test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"
)

// A sample is an object for comparing verdicts, as Kubernetes decodes it.
type sample struct {
	from string
	obj  map[string]any
}

// samples returns the objects of the project's own cases. It adds those of the corpus in the
// directory KSTATUS_CORPUS, if the corpus exists.
func samples(t testing.TB) []sample {
	t.Helper()
	all := append(ownSamples(t, "../../status/testdata/*/*.cases"), corpusSamples(t)...)
	if len(all) == 0 {
		t.Fatal("there is no object to compare answers on")
	}
	return all
}

// corpusSamples reads cases/*.yaml of a corpus. Only the default corpus may be missing.
func corpusSamples(t testing.TB) (all []sample) {
	t.Helper()
	dir, asked := os.LookupEnv("KSTATUS_CORPUS")
	if !asked {
		dir = filepath.Join("..", "..", "..", "shared", "corpus", "open")
	}
	files, err := filepath.Glob(filepath.Join(dir, "cases", "*.yaml"))
	if err != nil || asked && len(files) == 0 {
		t.Fatalf("KSTATUS_CORPUS=%s: no cases/*.yaml in it: %v", dir, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text, err := yaml.YAMLToJSON(data)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, sample{filepath.Base(file), decoded(t, file, text)})
	}
	return all
}

// ownSamples reads the objects of case files. The head of
// status/testdata/rules/deployment.cases describes their format.
func ownSamples(t testing.TB, pattern string) (all []sample) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases match %s: %v", pattern, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var base map[string]any
		words := strings.NewReplacer("\n#base ", "\nbase ", "\n#case ", "\ncase ") // of kstatus report-verdict
		for block := range strings.SplitSeq(words.Replace("\n"+string(data)), "\nbase ") {
			parts := strings.Split(block, "\ncase ")
			if base == nil && !strings.HasPrefix(parts[0], "{") {
				continue // the head of the file
			}
			base = decoded(t, file, []byte(parts[0]))
			for _, c := range parts[1:] {
				at := strings.Index(c, "\n{")
				if at < 0 {
					t.Fatalf("%s: case %q has no object", file, c)
				}
				name, _, _ := strings.Cut(c, "\n")
				all = append(all, sample{filepath.Base(file) + ": it " + name, merged(base, decoded(t, file, []byte(c[at:])))})
			}
		}
	}
	return all
}

// decoded reads one JSON object, with whole numbers as int64. It ignores comment lines.
func decoded(t testing.TB, file string, text []byte) (obj map[string]any) {
	t.Helper()
	var kept [][]byte
	for line := range bytes.Lines(text) {
		if !bytes.HasPrefix(line, []byte("#")) {
			kept = append(kept, line)
		}
	}
	if err := json.Unmarshal(bytes.Join(kept, nil), &obj); err != nil {
		t.Fatalf("%s: %v in %s", file, err, text)
	}
	return obj
}

// merged applies a JSON merge patch to a copy of an object.
func merged(base, patch map[string]any) map[string]any {
	out := maps.Clone(base)
	if out == nil {
		out = map[string]any{}
	}
	for k, v := range patch {
		sub, isMap := v.(map[string]any)
		switch {
		case v == nil:
			delete(out, k)
		case isMap:
			under, _ := out[k].(map[string]any)
			out[k] = merged(under, sub)
		default:
			out[k] = v
		}
	}
	return out
}
