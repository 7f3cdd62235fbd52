package release

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// A shell runs programs in a folder.
type shell struct {
	folder string
	env    []string // in addition to those of this process
}

// run runs a program and returns its output. An error contains the end of the output.
func (s shell) run(ctx context.Context, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = s.folder, append(os.Environ(), s.env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		said := errs.String()
		if said == "" || len(args) > 0 && args[0] == "test" { // which prints on both
			said = out.String() + said
		}
		return out.String(), fmt.Errorf("%s %s: %w\n%s", program, strings.Join(args, " "), err, tail(said))
	}
	return out.String(), nil
}

func (s shell) goCommand(ctx context.Context, args ...string) (string, error) {
	return s.run(ctx, "go", args...)
}

// with returns the shell with additional environment variables.
func (s shell) with(env ...string) shell {
	return shell{s.folder, append(append([]string{}, s.env...), env...)}
}

// tail returns the last lines of a text.
func tail(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-40):], "\n")
}
