// Command all runs the tests that take too long for make test. It runs one step after the other in a
// fixed order, and prints one table at the end.
//
//	go run ./test/cmd/all            run all steps
//	go run ./test/cmd/all -list      print the steps and their commands
//	go run ./test/cmd/all soak floor run these steps only
//
// The output of a step goes to bin/test-all/STEP.log. A step that fails does not stop the others.
// The exit code is 1 if a step failed. Run it at the root of the workspace.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// logs is the folder with the output of each step.
const logs = "bin/test-all"

func main() {
	list := flag.Bool("list", false, "print the steps and their commands")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Stdout, *list, flag.Args())
	stop()
	os.Exit(code)
}

// run runs the named steps, or all without a name, and returns the exit code.
func run(ctx context.Context, out io.Writer, list bool, names []string) int {
	chosen, err := choose(steps, names)
	if err != nil {
		fmt.Fprintln(os.Stderr, "all:", err)
		return 2
	}
	if list {
		for _, s := range chosen {
			fmt.Fprintf(out, "%-12s %s\n%14s%s\n", s.name, s.what, "", s.command)
		}
		return 0
	}
	if err := os.MkdirAll(logs, 0o755); err != nil {
		fmt.Fprintln(os.Stderr, "all:", err)
		return 1
	}
	results := runSteps(ctx, out, logs, chosen)
	if err := printTable(out, results); err != nil {
		fmt.Fprintln(os.Stderr, "all:", err)
		return 1
	}
	if slices.ContainsFunc(results, func(r result) bool { return r.err != nil }) {
		return 1
	}
	return 0
}

// choose returns the steps with the names in the fixed order, and all steps without a name.
func choose(all []step, names []string) (chosen []step, err error) {
	for _, name := range names {
		if !slices.ContainsFunc(all, func(s step) bool { return s.name == name }) {
			return nil, fmt.Errorf("no step has the name %q: go run ./test/cmd/all -list prints all names", name)
		}
	}
	for _, s := range all {
		if len(names) == 0 || slices.Contains(names, s.name) {
			chosen = append(chosen, s)
		}
	}
	return chosen, nil
}

// A result is what became of a step.
type result struct {
	step      step
	err       error
	wall      time.Duration
	processor time.Duration // of the step and all processes that it waited for
}

// errInterrupted is the result of steps that did not run.
var errInterrupted = errors.New("interrupted")

func runSteps(ctx context.Context, out io.Writer, folder string, chosen []step) (results []result) {
	for _, s := range chosen {
		if ctx.Err() != nil {
			results = append(results, result{step: s, err: errInterrupted})
			continue
		}
		file := filepath.Join(folder, s.name+".log")
		fmt.Fprintf(out, "== %s: %s (output in %s)\n", s.name, s.what, file)
		r := runStep(ctx, s, file)
		if r.err != nil {
			fmt.Fprintf(out, "   %s: %v\n", s.name, r.err)
		}
		results = append(results, r)
	}
	return results
}

// runStep runs the command of a step. An interruption ends all processes of the step.
func runStep(ctx context.Context, s step, file string) result {
	r := result{step: s}
	output, err := os.Create(file)
	if err != nil {
		r.err = err
		return r
	}
	defer output.Close()
	cmd := exec.CommandContext(ctx, "bash", "-eu", "-o", "pipefail", "-c", s.command)
	cmd.Stdout, cmd.Stderr = output, output
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = time.Minute // programs of a cluster stop after a signal
	start := time.Now()
	r.err = cmd.Run()
	r.wall = time.Since(start)
	if cmd.ProcessState != nil {
		r.processor = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	if ctx.Err() != nil {
		r.err = errInterrupted
	}
	return r
}
