package manifest

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// ofValues returns a sequence of n values in one line.
func ofValues(n int) string { return "[" + strings.Repeat("0,", n) + "]" }

// itemsOf returns a List with n aliases of its first field.
func itemsOf(anchor string, n int) string {
	return "x: &x " + anchor + "\napiVersion: v1\nkind: List\nitems:\n" + strings.Repeat("- *x\n", n)
}

func values(n int) string {
	return "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: " + ofValues(n) + "}"
}

// TestAliasesAreBoundedTogether checks that the limit applies to the whole document and not to
// each item of a list, and that long texts count.
func TestAliasesAreBoundedTogether(t *testing.T) {
	text := strings.Repeat("x", 1<<20)
	for name, c := range map[string]struct {
		text, want string
		objects    int
	}{
		"it refuses items that are too much together": {itemsOf(values(90_000), 2000), "aliases expand to more than 100000 values", 1},
		"it takes items that are not":                 {itemsOf(values(900), 100), "", 100},
		"it refuses a long text again and again":      {"apiVersion: v1\nkind: X\nx: &x " + text + "\ny: [" + strings.Repeat("*x,", 90_000) + "]\n", "aliases expand to more than 4194304 bytes", 1},
		"it takes a long text a few times":            {"apiVersion: v1\nkind: X\nx: &x " + text + "\ny: [*x, *x, *x]\n", "", 1},
		"it takes documents that are large together":  {strings.Repeat("---\n"+itemsOf(values(900), 100), 3), "", 300},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			var all []Object
			for _, d := range split("f", []byte(c.text)) {
				all = append(all, d.Objects()...)
			}
			runtime.ReadMemStats(&after)
			if len(all) != c.objects {
				t.Fatalf("have %d objects, want %d", len(all), c.objects)
			}
			for _, o := range all {
				if (o.Err == nil) != (c.want == "") || o.Err != nil && o.Err.Error() != c.want {
					t.Fatalf("have %v, want %q", o.Err, c.want)
				}
			}
			// The parser itself needs up to some hundred bytes for each byte of the text.
			if used, most := after.TotalAlloc-before.TotalAlloc, uint64(300<<20); used > most {
				t.Errorf("%d MB allocated, want at most %d", used>>20, most>>20)
			}
		})
	}
}

// Kustomize expands all aliases, so they are limited before it reads a file.
func TestKustomizationsHaveBoundedAliases(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"kustomization.yaml": "resources: [a.yaml]\n",
		"a.yaml":             itemsOf(values(90_000), 2000),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	in := Reader{}.buildKustomization(dir)
	if in.Err == nil || !strings.Contains(in.Err.Error(), "aliases expand to more than 100000 values") {
		t.Errorf("have %v, want that aliases expand to too much", in.Err)
	}
}

// FuzzAliases checks that no document with aliases makes the reader panic or expand too much.
func FuzzAliases(f *testing.F) {
	f.Add([]byte{3, 1, 0, 2, 1, 1, 3, 2, 2}, 10)
	f.Add([]byte{9, 9, 9, 9, 8, 8, 8, 8, 7, 7, 7}, 5000)
	f.Add([]byte{0, 0, 0}, 1<<16)
	f.Fuzz(func(t *testing.T, shape []byte, length int) {
		shape = shape[:min(len(shape), 64)]
		var text strings.Builder
		fmt.Fprintf(&text, "a0: &a0 {k: %s}\n", strings.Repeat("x", max(0, min(length, 1<<16))))
		for i, of := range shape {
			fmt.Fprintf(&text, "a%d: &a%d [", i+1, i+1)
			for j := range int(of)%16 + 1 {
				fmt.Fprintf(&text, "*a%d,", (int(of)*7+j*3)%(i+1))
			}
			text.WriteString("]\n")
			if of%5 == 0 {
				fmt.Fprintf(&text, "m%d: {<<: *a0, k%d: *a%d}\n", i+1, i, i)
			}
		}
		text.WriteString("apiVersion: v1\nkind: X\n")
		var size func(v any) int
		size = func(v any) (n int) {
			switch v := v.(type) {
			case map[string]any:
				for _, below := range v {
					n += size(below)
				}
			case []any:
				for _, below := range v {
					n += size(below)
				}
			case string:
				return len(v)
			}
			return n + 1
		}
		for _, d := range split("f", []byte(text.String())) {
			for _, o := range d.Objects() {
				if o.Err != nil && !strings.Contains(o.Err.Error(), "aliases expand") && !strings.Contains(o.Err.Error(), "merge") {
					t.Errorf("have %v", o.Err)
				}
				if n := size(map[string]any(o.Content)); n > 5<<20 {
					t.Errorf("%d bytes expand to %d", text.Len(), n)
				}
			}
		}
	})
}
