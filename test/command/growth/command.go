package growth

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/mod/modfile"
)

// counted lists packages whose statements count as steps in addition to those of kstatus: they
// read, write, sort and search for it.
const counted = "go.yaml.in/yaml/v3,sigs.k8s.io/yaml/...,sigs.k8s.io/json/...,k8s.io/apimachinery/pkg/...," +
	"k8s.io/apiextensions-apiserver/pkg/...,encoding/json,regexp,regexp/syntax,strings,bytes,slices,sort"

// command is the package of the command.
const command = "kstatus.dev/cmd/kstatus"

// mainFile replaces the main.go of the command. It runs the same, and at the end writes the
// number of allocated bytes.
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

// standIn is the module of the command with mainFile. Its path lets it import the command's
// internal packages. It is a folder with copies, because the go command ignores overlays for
// the packages that it counts.
const standIn = command + "/growth"

// A Command is a build of kstatus that counts its steps and bytes. Several runs may be
// concurrent.
type Command struct {
	dir, program, counters string
	legend                 func() (legend, error)
}

// Build builds the command in a folder, which it also uses for the counters.
func Build(dir string) (*Command, error) {
	packages, err := stage(dir)
	if err != nil {
		return nil, err
	}
	c := &Command{dir: dir, program: filepath.Join(dir, "program"), counters: filepath.Join(dir, "counters")}
	if err := os.Mkdir(c.counters, 0o700); err != nil {
		return nil, err
	}
	// Linking without the tables for debuggers takes half as long.
	build := exec.Command("go", "build", "-o", c.program, "-ldflags=-s -w", "-cover", "-covermode=count", "-coverpkg="+packages, standIn)
	build.Env = append(os.Environ(), "GOWORK="+filepath.Join(dir, "go.work"))
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the command: %w\n%s", err, out)
	}
	c.legend = sync.OnceValues(func() (legend, error) {
		files, err := filepath.Glob(filepath.Join(c.counters, "covmeta.*"))
		if err != nil || len(files) != 1 {
			return nil, fmt.Errorf("want one legend of the counters, have %d (%w)", len(files), err)
		}
		text, err := os.ReadFile(files[0])
		if err != nil {
			return nil, err
		}
		return readLegend(text)
	})
	return c, nil
}

// stage writes the sources of the command to a folder: the module standIn and a go.work with
// it. It returns the packages to count, in the format of -coverpkg.
func stage(dir string) (packages string, err error) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{.ImportPath}} {{.Dir}} {{.Module}} {{join .GoFiles \" \"}}", command).Output()
	if err != nil {
		return "", fmt.Errorf("find the command: %w", err)
	}
	packages = counted + "," + standIn
	files := map[string]string{"main.go": mainFile, "go.mod": "module " + standIn + "\n\ngo 1.26.0\n"}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		name, folder := words[0], words[1]
		switch {
		case name == command:
			for _, file := range words[3:] {
				if file == "main.go" {
					continue
				}
				text, err := os.ReadFile(filepath.Join(folder, file))
				if err != nil {
					return "", err
				}
				files[file] = string(text)
			}
		case strings.HasPrefix(name, "kstatus.dev"):
			packages += "," + name
		}
	}
	if files["go.work"], files["go.work.sum"], err = workspace(); err != nil {
		return "", err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	return packages, nil
}

// workspace returns the go.work of this workspace with standIn, and its go.work.sum.
func workspace() (work, sums string, err error) {
	out, err := exec.Command("go", "env", "GOWORK").Output()
	if err != nil {
		return "", "", fmt.Errorf("find go.work: %w", err)
	}
	name := strings.TrimSpace(string(out))
	text, err := os.ReadFile(name)
	if err != nil {
		return "", "", err
	}
	file, err := modfile.ParseWork(name, text, nil)
	if err != nil {
		return "", "", err
	}
	at := func(folder string) string { return modfile.AutoQuote(filepath.Join(filepath.Dir(name), folder)) }
	var b strings.Builder
	fmt.Fprintf(&b, "go %s\n\nuse .\n", file.Go.Version)
	for _, u := range file.Use {
		fmt.Fprintf(&b, "use %s\n", at(u.Path))
	}
	for _, r := range file.Replace {
		fmt.Fprintf(&b, "replace %s %s => %s\n", r.Old.Path, r.Old.Version, at(r.New.Path))
	}
	text, err = os.ReadFile(name + ".sum")
	return b.String(), string(text), err
}

// A Place is a sequence of statements, with the number of its steps.
type Place struct {
	At    string // FILE:LINE.COLUMN,LINE.COLUMN
	Steps int64
}

// A Run is the cost of one run of the command.
type Run struct {
	Code   int     // the exit code
	Places []Place // the steps, in descending order
	Bytes  int64   // allocated
}

// Run runs the command on one processor, so that no count is lost. The error contains the
// standard error of the command if its exit code is not one of a completed run.
func (c *Command) Run(args ...string) (r Run, err error) {
	allocated, err := os.CreateTemp(c.dir, "allocated-")
	if err != nil {
		return r, err
	}
	allocated.Close()
	defer os.Remove(allocated.Name())
	var stderr bytes.Buffer
	cmd := exec.Command(c.program, args...)
	cmd.Dir, cmd.Stderr = c.dir, &stderr
	cmd.Env = append(os.Environ(), "GOCOVERDIR="+c.counters, "GROWTH_BYTES="+allocated.Name(), "GOMAXPROCS=1", "KUBECONFIG=/dev/null")
	err = cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() > 2 {
		err = nil
	}
	if err != nil {
		return r, fmt.Errorf("%s: %w\n%.2000s", strings.Join(args, " "), err, stderr.String())
	}
	r.Code = cmd.ProcessState.ExitCode()
	text, err := os.ReadFile(allocated.Name())
	if err != nil {
		return r, err
	}
	if r.Bytes, err = strconv.ParseInt(string(text), 10, 64); err != nil {
		return r, err
	}
	r.Places, err = c.places(cmd.ProcessState.Pid())
	return r, err
}

// places reads the counter files of a process.
func (c *Command) places(process int) ([]Place, error) {
	legend, err := c.legend()
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(c.counters, fmt.Sprintf("covcounters.*.%d.*", process)))
	if err != nil || len(files) != 1 {
		return nil, fmt.Errorf("want one file of counters, have %d (%w)", len(files), err)
	}
	defer os.Remove(files[0])
	text, err := os.ReadFile(files[0])
	if err != nil {
		return nil, err
	}
	return legend.steps(text)
}
