package commands

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/goproxytest"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestScripts runs the commands as users do: testdata/script/*.txtar. The modules are those of
// testdata/mod.
func TestScripts(t *testing.T) {
	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", bin+string(filepath.Separator), "kstatus.dev/dropin/cmd/graft", "kstatus.dev/dropin/cmd/rewrite")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	modules := goproxytest.NewTestServer(t, "testdata/mod", "")
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", bin+string(filepath.ListSeparator)+env.Getenv("PATH"))
			env.Setenv("GOPROXY", modules.URL)
			env.Setenv("GOSUMDB", "off")
			env.Setenv("GOTOOLCHAIN", "local")
			env.Setenv("GOFLAGS", "-modcacherw")
			env.Setenv("GOCACHE", string(cache[:len(cache)-1]))
			env.Setenv("GOPATH", filepath.Join(env.WorkDir, "gopath"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exit": exit, "mode": mode},
	})
}

// exit CODE COMMAND... runs a command, and checks its exit code.
func exit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exit CODE COMMAND...")
	}
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var failed *exec.ExitError
		if failed, _ = err.(*exec.ExitError); failed == nil {
			ts.Fatalf("%v", err)
		}
		code = failed.ExitCode()
	}
	if have := fmt.Sprint(code); have != args[0] {
		ts.Fatalf("exit code %s, want %s", have, args[0])
	}
}

// mode MODE FILE checks the permissions of a file.
func mode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: mode MODE FILE")
	}
	info, err := os.Stat(ts.MkAbs(args[1]))
	ts.Check(err)
	if have := fmt.Sprintf("%o", info.Mode().Perm()); have != args[0] {
		ts.Fatalf("mode %s, want %s", have, args[0])
	}
}
