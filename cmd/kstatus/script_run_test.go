package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
)

// scriptDir guards the working directory of this process.
var scriptDir sync.Mutex

// runInProcess runs kstatus in the process of the test, in the directory of a script. A process of
// its own takes longer to start than most commands take. Scripts use exec for commands that
// connect to a server, or that read standard input or a variable that the script sets.
func runInProcess(ts *testscript.TestScript, args []string) exit.Code {
	scriptDir.Lock()
	defer scriptDir.Unlock()
	dir, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer func() { ts.Check(os.Chdir(dir)) }()
	env := cli.Env{In: strings.NewReader(""), Out: ts.Stdout(), Err: ts.Stderr(), Environ: []string{"TERM=xterm"}, Now: time.Now}
	return run(context.Background(), env, append([]string{"kstatus"}, args...))
}

func runCommand(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) == 0 || args[0] != "kstatus" {
		ts.Fatalf("usage: run kstatus ARGUMENT...")
	}
	if code := runInProcess(ts, args[1:]); (code != exit.OK) != neg {
		ts.Fatalf("kstatus exits with %d", code)
	}
}

func exitCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || args[1] == "exec" && len(args) < 3 {
		ts.Fatalf("usage: exit CODE kstatus ARGUMENT... | exit CODE exec PROGRAM ARGUMENT...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	have := 0
	switch args[1] {
	case "kstatus":
		have = int(runInProcess(ts, args[2:]))
	case "exec":
		have = exitCodeOf(ts, args[2:])
	default:
		ts.Fatalf("exit %d: have %s, want kstatus or exec", want, args[1])
	}
	if have != want {
		ts.Fatalf("%s exits with %d, want %d", args[1], have, want)
	}
}

// exitCodeOf runs a program, and returns its exit code.
func exitCodeOf(ts *testscript.TestScript, args []string) int {
	var end *exec.ExitError
	switch err := ts.Exec(args[0], args[1:]...); {
	case errors.As(err, &end):
		return end.ExitCode()
	case err != nil:
		ts.Fatalf("%s: %v", args[0], err)
	}
	return 0
}
