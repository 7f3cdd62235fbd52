package release

import (
	"path/filepath"
	"strings"
	"testing"
)

func (r *repository) simulate() (*simulation, error) {
	r.Helper()
	temp := r.TempDir()
	r.Cleanup(func() {
		if err := removeAll(temp); err != nil {
			r.Error(err)
		}
	})
	return r.open().simulate(r.Context(), temp)
}

func TestReleaseCanBeInstalled(t *testing.T) {
	r := newRepository(t)
	s, err := r.simulate()
	if err != nil {
		t.Fatal(err)
	}
	sh, err := s.newShell("install")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sh.with("GOBIN="+sh.folder).goCommand(t.Context(), "install", "example.test/cmd/kstatus@v0.1.0"); err != nil {
		t.Fatal(err)
	}
	if _, err := sh.run(t.Context(), filepath.Join(sh.folder, "kstatus")); err != nil {
		t.Error(err)
	}
	if _, err := sh.goCommand(t.Context(), "install", "example.test/test@v0.1.0"); err == nil {
		t.Error("the tests were released")
	}
	versions, err := s.modulesOf(filepath.Join(sh.folder, "kstatus"))
	if err != nil || len(versions) != 0 {
		t.Errorf("have modules %v, %v, want none but our own", versions, err)
	}
}

func TestReleaseTakesCommittedFiles(t *testing.T) {
	r := newRepository(t)
	r.write("kube/wait/broken.go", "package broken")
	if _, err := r.simulate(); err != nil {
		t.Errorf("a file that is not committed was released: %v", err)
	}
}

func TestReleaseOfAnUntidyModule(t *testing.T) {
	r := newRepository(t)
	r.replace("kube/wait/wait.go", `"example.test/status"`, `"strings"`)
	r.replace("kube/wait/wait.go", "text.Cut(status.Word())", `strings.ToUpper("x")`)
	r.replace("kube/wait/wait.go", "	\"example.test/internal/text\"\n", "")
	r.commit()
	_, err := r.simulate()
	expectError(t, err, "release kube/v0.1.0", "- example.test v0.1.0")
}

// The sums of the modules depend only on their files. So all tags can be on the commit with the
// sums.
func TestSums(t *testing.T) {
	r := newRepository(t)
	if err := r.open().WriteSums(t.Context()); err != nil {
		t.Fatal(err)
	}
	if have, want := r.printed(), "wrote kube/go.sum\nwrote cmd/kstatus/go.sum"; !strings.HasSuffix(have, want) {
		t.Errorf("have printed:\n%s\nwant at the end:\n%s", have, want)
	}
	sums := r.read("cmd/kstatus/go.sum")
	for _, module := range []string{"example.test v0.1.0 h1:", "example.test v0.1.0/go.mod h1:", "example.test/kube v0.1.0 h1:"} {
		if !strings.Contains(sums, module) {
			t.Errorf("have sums:\n%swant one of %s", sums, module)
		}
	}
	r.commit()
	if err := r.open().Tidy(t.Context(), false); err != nil {
		t.Errorf("with its sums the repository is not tidy: %v", err)
	}
	if err := r.open().WriteSums(t.Context()); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(r.printed(), "wrote") {
		t.Errorf("sums of the commit with the sums are others: %s", r.printed())
	}
}

func TestRepairsNameEachModule(t *testing.T) {
	want := map[string]string{"a.test": "v1.0.0", "b.test": "v1.1.0", "c.test": "v2.0.0"}
	if err := repairs(want, want); err != nil {
		t.Errorf("have %v for equal versions", err)
	}
	err := repairs(map[string]string{"a.test": "v1.0.0", "b.test": "v1.0.0"}, want)
	expectError(t, err, `b.test: want v1.1.0 as in the workspace, go install takes "v1.0.0"`, "-require=b.test@v1.1.0", "-require=c.test@v2.0.0", "release tidy")
	if strings.Contains(err.Error(), "a.test") {
		t.Errorf("names a module without a difference: %v", err)
	}
}

func TestDifference(t *testing.T) {
	if have, want := difference("a\nrequire b\n", "require (\n\tb\n\tc\n)\n"), "- a\n+ c"; have != want {
		t.Errorf("have %q, want %q", have, want)
	}
}
