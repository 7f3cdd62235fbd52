package cluster

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// recipeOf writes a recipe to a folder of the test.
func recipeOf(t *testing.T, mod, sum string) string {
	t.Helper()
	root := t.TempDir()
	dir := filepath.Join(root, "test", "lib", "programs")
	err := errors.Join(
		os.MkdirAll(dir, 0o755),
		os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o644),
		os.WriteFile(filepath.Join(dir, "go.sum"), []byte(sum), 0o644),
	)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func TestRecipeIsFoundFromBelow(t *testing.T) {
	r, err := kubernetesSuite.findRecipe(".")
	if err == nil {
		t.Errorf("findRecipe(.) = %v: a relative path has no folders above it", r)
	}
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	r, err = kubernetesSuite.findRecipe(wd)
	if err != nil || r.version != "v1.36.3" {
		t.Errorf("findRecipe(%s) = version %q, %v, want v1.36.3", wd, r.version, err)
	}
	if r, err := oldestSuite.findRecipe(wd); err != nil || r.version != "v1.32.2" {
		t.Errorf("findRecipe of the oldest version = version %q, %v, want v1.32.2", r.version, err)
	}
	if r, err := clusterAPISuite.findRecipe(wd); err != nil || r.version != "v1.14.2" {
		t.Errorf("findRecipe of Cluster API = version %q, %v, want v1.14.2", r.version, err)
	}
	if r, err := clientSuite.findRecipe(wd); err != nil || r.version != "v4.3.1" {
		t.Errorf("findRecipe of the clients = version %q, %v, want v4.3.1", r.version, err)
	}
	if r, err := kubernetesSuite.findRecipe(t.TempDir()); err == nil || !strings.Contains(err.Error(), "inside the repository") {
		t.Errorf("findRecipe outside the repository = %v, %v, want an error that says so", r, err)
	}
}

// Each input that changes the programs changes their folder.
func TestRecipesDiffer(t *testing.T) {
	const mod = "module m\n\nrequire k8s.io/kubernetes v1.2.3\n"
	seen := map[string]string{}
	for name, root := range map[string]string{
		"one":                recipeOf(t, mod, "a"),
		"another sum":        recipeOf(t, mod, "b"),
		"another version":    recipeOf(t, strings.ReplaceAll(mod, "1.2.3", "1.2.4"), "a"),
		"sum grown from mod": recipeOf(t, mod+"a", ""),
	} {
		r, err := kubernetesSuite.findRecipe(root)
		if err != nil {
			t.Fatal(err)
		}
		if other, taken := seen[r.hash]; taken {
			t.Errorf("%s and %s share the folder %s", name, other, r.hash)
		}
		seen[r.hash] = name
	}
	r, err := kubernetesSuite.findRecipe(recipeOf(t, mod, "a"))
	if err != nil || seen[r.hash] != "one" {
		t.Errorf("the same recipe elsewhere has the folder of %q, %v", seen[r.hash], err)
	}
}

func TestRecipeNeedsAVersion(t *testing.T) {
	if _, err := kubernetesSuite.findRecipe(recipeOf(t, "module m\n", "")); err == nil || !strings.Contains(err.Error(), "k8s.io/kubernetes") {
		t.Errorf("a recipe without Kubernetes: %v, want an error that says so", err)
	}
}

// A failed build returns the output of the Go command, and leaves no folder of programs.
func TestBuildErrors(t *testing.T) {
	r, err := kubernetesSuite.readRecipe(filepath.Join(recipeOf(t, "module m\n\ngo 1.26\n\ntool example.invalid/none\n\n// k8s.io/kubernetes v1.2.3\n", ""), "test", "lib", "programs"))
	if err == nil {
		t.Fatalf("a version in a comment is taken: %v", r)
	}
	r = recipe{suite: kubernetesSuite, dir: recipeOf(t, "module m\n\ngo 1.26\n\ntool example.invalid/none\n", "") + "/test/lib/programs", version: "v1.2.3"}
	dir := filepath.Join(t.TempDir(), "programs")
	var log strings.Builder
	err = r.build(t.Context(), dir, &log)
	if err == nil || !strings.Contains(err.Error(), "example.invalid/none") {
		t.Errorf("build = %v, want what the Go command says of example.invalid/none", err)
	}
	if kubernetesSuite.complete(dir) {
		t.Error("a build that failed is complete")
	}
	if !strings.Contains(log.String(), "takes 5 to 10 minutes") {
		t.Errorf("the log says %q, want how long a build takes", log.String())
	}
}

// If two processes want the same lock, the second gets a message and waits.
func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	unlock, err := lock(t.Context(), path, func() { t.Error("the first is told to wait") })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tryLock(path); !errors.Is(err, errLocked) {
		t.Errorf("tryLock of a lock that is held = %v, want errLocked", err)
	}
	waits := make(chan struct{})
	go func() {
		<-waits
		unlock()
	}()
	told := 0
	second, err := lock(t.Context(), path, func() { told++; close(waits) })
	if err != nil || told != 1 {
		t.Fatalf("the second lock: %v, told to wait %d times, want once", err, told)
	}
	second()
}

// A long build reports its progress.
func TestReportProgress(t *testing.T) {
	var log lockedBuilder
	done := make(chan struct{})
	ended := make(chan struct{})
	tick := make(chan time.Time)
	go func() {
		defer close(ended)
		reportProgress(&log, time.Now().Add(-90*time.Second), tick, done)
	}()
	tick <- time.Now()
	tick <- time.Now()
	close(done)
	<-ended
	if n := strings.Count(log.String(), "still building, 1m30s so far"); n != 2 {
		t.Errorf("the log says %q, want two heartbeats", log.String())
	}
}

func TestUnknownVersionIsRefused(t *testing.T) {
	t.Setenv(VersionVariable, "1.20")
	if err := Build(t.Context(), io.Discard); err == nil || !strings.Contains(err.Error(), `KSTATUS_TEST_KUBERNETES is "1.20": want oldest`) {
		t.Errorf("Build = %v, want an error that names the variable", err)
	}
}
