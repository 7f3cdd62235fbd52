package crd

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// patch applies the output of Diff.
func TestPatchAcceptsDiff(t *testing.T) {
	patch, err := exec.LookPath("patch")
	if err != nil {
		patch, err = exec.LookPath("git")
	}
	if err != nil {
		t.Fatal("want patch or git")
	}
	for seed := range uint64(40) {
		m := maker{rand.New(rand.NewPCG(seed, 3))}
		var before, after []string
		for range 60 {
			line := []string{"a\n", "b\n", "type: string\n", "}\n"}[m.IntN(4)]
			if m.IntN(8) > 0 {
				before = append(before, line)
			}
			if m.IntN(8) > 0 {
				after = append(after, line)
			}
		}
		have, want := strings.Join(before, ""), strings.Join(after, "")
		if m.IntN(3) == 0 {
			want = strings.TrimSuffix(want, "\n")
		}
		dir := t.TempDir()
		file := filepath.Join(dir, "x.yaml")
		if err := os.WriteFile(file, []byte(have), 0o644); err != nil {
			t.Fatal(err)
		}
		text := Diff("x.yaml", []byte(have), []byte(want))
		if len(text) == 0 {
			continue
		}
		cmd := exec.Command(patch, "-p0", "--quiet")
		if strings.HasSuffix(patch, "git") {
			cmd = exec.Command(patch, "apply", "-p0", "--unidiff-zero", "-")
		}
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(string(text))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("seed %d: %v: %s\n%s", seed, err, out, text)
		}
		got, err := os.ReadFile(file)
		if err != nil || string(got) != want {
			t.Fatalf("seed %d: have\n%q\nwant\n%q, %v\n%s", seed, got, want, err, text)
		}
	}
}
