package growth

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// counted lists packages whose statements are steps besides those of kstatus: they read,
// write, sort and search for it.
const counted = "go.yaml.in/yaml/v3,sigs.k8s.io/yaml/...,sigs.k8s.io/json/...,k8s.io/apimachinery/pkg/...," +
	"k8s.io/apiextensions-apiserver/pkg/...,encoding/json,regexp,regexp/syntax,strings,bytes,slices,sort"

// command is the package of the command.
const command = "kstatus.dev/cmd/kstatus"

// mainFile stands in for the main.go of the command: it runs the same, and writes at the
// end how many bytes were allocated.
const mainFile = `package main

import (
	"context"
	"os"
	"runtime"
	"strconv"
	"time"

	"kstatus.dev/cmd/kstatus/internal/cli"
)

func main() {
	env := cli.Env{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Environ: os.Environ(), Now: time.Now}
	code := run(context.Background(), env, os.Args)
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	if err := os.WriteFile(os.Getenv("GROWTH_BYTES"), strconv.AppendUint(nil, memory.TotalAlloc, 10), 0o600); err != nil {
		panic(err)
	}
	os.Exit(int(code))
}
`

// A Command is kstatus, built twice: to count its steps, and to count bytes. The go command
// cannot do both at once, since it does not look into overlays for packages that it counts.
type Command struct{ stepper, allocator, dir string }

// Build builds the command into a folder, which it also uses for what is counted.
func Build(dir string) (*Command, error) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{.ImportPath}} {{.Dir}}", command).Output()
	if err != nil {
		return nil, fmt.Errorf("find the command: %w", err)
	}
	packages, folder := counted+","+command, ""
	for line := range strings.Lines(string(out)) {
		name, at, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case name == command:
			folder = at
		case strings.HasPrefix(name, "kstatus.dev"):
			packages += "," + name
		}
	}
	replaced := filepath.Join(dir, "main.go")
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(folder, "main.go"): replaced}})
	if err != nil {
		return nil, err
	}
	if err := errors.Join(os.WriteFile(replaced, []byte(mainFile), 0o600), os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o600)); err != nil {
		return nil, err
	}
	c := &Command{stepper: filepath.Join(dir, "steps"), allocator: filepath.Join(dir, "bytes"), dir: dir}
	for _, flags := range [][]string{
		{"-o", c.stepper, "-cover", "-covermode=count", "-coverpkg=" + packages},
		{"-o", c.allocator, "-overlay", filepath.Join(dir, "overlay.json")},
	} {
		build := exec.Command("go", append(append([]string{"build"}, flags...), command)...)
		if out, err := build.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("build the command: %w\n%s", err, out)
		}
	}
	return c, nil
}

// A Place is a statement, or several in a row, and how many steps they take.
type Place struct {
	At    string // FILE:LINE.COLUMN,LINE.COLUMN
	Steps int64
}

// Steps runs the command, and returns its steps, those with the most first, and its exit
// code. It uses one processor, so that no count is lost.
func (c *Command) Steps(args ...string) (all []Place, code int, err error) {
	counters, err := os.MkdirTemp(c.dir, "counters-")
	if err != nil {
		return nil, 0, err
	}
	defer os.RemoveAll(counters)
	if code, err = c.run(c.stepper, args, "GOCOVERDIR="+counters); err != nil {
		return nil, code, err
	}
	all, err = places(counters)
	return all, code, err
}

// Bytes runs the command, and returns how many bytes it allocates, and its exit code.
func (c *Command) Bytes(args ...string) (allocated int64, code int, err error) {
	file := filepath.Join(c.dir, "allocated")
	if code, err = c.run(c.allocator, args, "GROWTH_BYTES="+file); err != nil {
		return 0, code, err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, code, err
	}
	allocated, err = strconv.ParseInt(string(text), 10, 64)
	return allocated, code, err
}

// run runs one of the programs on one processor, and returns its exit code. The error has
// what it prints as an error if it exits otherwise than a command that has done its work.
func (c *Command) run(program string, args []string, env string) (int, error) {
	var stderr bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stderr = c.dir, &stderr
	cmd.Env = append(os.Environ(), env, "GOMAXPROCS=1", "KUBECONFIG=/dev/null")
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() > 2 {
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("%s: %w\n%.2000s", strings.Join(args, " "), err, stderr.String())
	}
	return cmd.ProcessState.ExitCode(), err
}

// places reads the counters in a folder.
func places(counters string) (all []Place, err error) {
	profile := filepath.Join(counters, "profile")
	if out, err := exec.Command("go", "tool", "covdata", "textfmt", "-i="+counters, "-o="+profile).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("read the counters: %w\n%s", err, out)
	}
	text, err := os.ReadFile(profile)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line) // FILE:FROM,TO STATEMENTS COUNT
		if len(fields) != 3 {
			continue
		}
		statements, err := strconv.ParseInt(fields[1], 10, 64)
		count, err2 := strconv.ParseInt(fields[2], 10, 64)
		if err := errors.Join(err, err2); err != nil {
			return nil, err
		}
		all = append(all, Place{fields[0], statements * count})
	}
	slices.SortFunc(all, func(a, b Place) int { return cmp.Compare(b.Steps, a.Steps) })
	return all, nil
}
