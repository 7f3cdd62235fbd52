package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestRunSteps(t *testing.T) {
	chosen := []step{
		{"fails", "it prints and fails", "echo printed; false; echo never"},
		{"passes", "it runs after a failed step", "echo second"},
	}
	folder, out := t.TempDir(), &bytes.Buffer{}
	results := runSteps(t.Context(), out, folder, chosen)
	if err := printTable(out, results); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`(?m)^fails +exit status 1 +\d+s +\d+s$`, `(?m)^passes +passed +\d+s +\d+s$`} {
		if !regexp.MustCompile(want).Match(out.Bytes()) {
			t.Errorf("the table has no line %s:\n%s", want, out)
		}
	}
	for name, want := range map[string]string{"fails": "printed\n", "passes": "second\n"} {
		if have, err := os.ReadFile(folder + "/" + name + ".log"); err != nil || string(have) != want {
			t.Errorf("the log of %s is %q, %v, want %q", name, have, err, want)
		}
	}
}

func TestInterruptedStepsAreInTheTable(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	results := runSteps(ctx, &bytes.Buffer{}, t.TempDir(), []step{{name: "never", command: "false"}})
	if len(results) != 1 || results[0].err != errInterrupted {
		t.Errorf("have %v, want one interrupted step", results)
	}
}

func TestChoose(t *testing.T) {
	chosen, err := choose(steps, []string{"soak", "long"})
	if err != nil || len(chosen) != 2 || chosen[0].name != "long" || chosen[1].name != "soak" {
		t.Errorf("have %v, %v, want long and then soak", chosen, err)
	}
	if _, err := choose(steps, []string{"unknown"}); err == nil || !strings.Contains(err.Error(), `"unknown"`) {
		t.Errorf("have %v, want an error that names the step", err)
	}
}

// Bash must be able to read each command.
func TestCommandsAreValid(t *testing.T) {
	var names []string
	for _, s := range steps {
		if slices.Contains(names, s.name) {
			t.Errorf("two steps have the name %s", s.name)
		}
		names = append(names, s.name)
		if out, err := exec.CommandContext(t.Context(), "bash", "-n", "-c", s.command).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", s.name, err, out)
		}
	}
}
