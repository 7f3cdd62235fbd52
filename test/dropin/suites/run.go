package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"

	"kstatus.dev/test/lib/cluster"
)

// timeout returns that of the tests of one package.
func (s suite) timeout() string {
	if s.envtest {
		return "15m"
	}
	return "2m"
}

// run runs the tests of a suite in one variant.
func (s suite) run(ctx context.Context, root string, o options) (results, error) {
	dir, err := os.MkdirTemp("", "dropin-"+s.name+"-")
	if err != nil {
		return nil, err
	}
	if o.keep {
		fmt.Println("folder:", dir)
	} else {
		defer os.RemoveAll(dir)
	}
	x, err := s.prepare(ctx, root, dir, o.variant != variantOriginal)
	if err != nil {
		return nil, err
	}
	env, err := s.environment(ctx, o)
	if err != nil {
		return nil, err
	}
	if s.docker {
		docker := newDocker()
		defer docker.Close()
		env = append(env, "DOCKER_HOST="+dockerHost(docker))
	}
	args := []string{"test", "-json", "-count=1", "-timeout=" + s.timeout(), "-p=1", "-vet=off", "-mod=mod"}
	if s.program != "" {
		args = append(args, "-trimpath")
	}
	if run := cmpOr(o.only, s.only); run != "" {
		args = append(args, "-run="+run)
	}
	out, err := x.test(ctx, env, args, s.skip, s.paths(), o.verbose)
	if err != nil {
		return nil, err
	}
	return out.found, x.finish(ctx, env, args, out, o.verbose)
}

// finish runs the tests of each package that ended early again, without those that ended it. So a
// test that does not return leaves out no other test.
func (x *scratch) finish(ctx context.Context, env, args []string, out output, verbose bool) error {
	for p, unfinished := range out.unfinished {
		again, err := x.test(ctx, env, args, skipping(x.suite.skip, unfinished), []string{x.suite.pathOf(p)}, verbose)
		if err != nil {
			return err
		}
		for test, result := range again.found {
			if _, ok := out.found[test]; !ok {
				out.found[test] = result
			}
		}
	}
	return nil
}

// skipping returns a pattern for go test -skip, for these tests and those of another pattern.
func skipping(pattern string, tests []string) string {
	var names []string
	for _, test := range tests {
		name, _, _ := strings.Cut(test, "/")
		names = append(names, name)
	}
	slices.Sort(names)
	own := "^(" + strings.Join(slices.Compact(names), "|") + ")$"
	if pattern == "" {
		return own
	}
	return pattern + "|" + own
}

// test runs go test with these arguments on packages.
func (x *scratch) test(ctx context.Context, env, args []string, skip string, paths []string, verbose bool) (output, error) {
	if skip != "" {
		args = append(slices.Clone(args), "-skip="+skip)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, paths...)...)
	cmd.Dir, cmd.Env = x.dir, env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return output{}, err
	}
	if err := cmd.Start(); err != nil {
		return output{}, err
	}
	out, readErr := x.suite.read(stdout, verbose)
	err = cmd.Wait()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || len(out.found) == 0) {
		return output{}, fmt.Errorf("go test: %w\n%s", err, stderr.String())
	}
	if stderr.Len() > 0 {
		fmt.Print(stderr.String())
	}
	return out, readErr
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// environment returns the environment of the tests. If the sizes need a program of the suite, the
// tests are built like it, which makes both faster.
func (s suite) environment(ctx context.Context, o options) ([]string, error) {
	env := append(os.Environ(), "GOWORK=off")
	env = append(env, s.variables...)
	if s.program != "" {
		env = append(env, "CGO_ENABLED=0")
	}
	if o.variant != variantOriginal {
		env = append(env, "KSTATUS_DROPIN="+o.variant)
	}
	if !s.envtest {
		return env, nil
	}
	programs, err := cluster.BuildServers(ctx, os.Stderr)
	if err != nil {
		return nil, err
	}
	return append(env, "TEST_ASSET_ETCD="+programs[cluster.Etcd], "TEST_ASSET_KUBE_APISERVER="+programs[cluster.APIServer]), nil
}

// An event is a line of go test -json.
type event struct {
	Action, Package, Test, Output string
}

// An output is what go test reported.
type output struct {
	found results
	// The tests that ran when their package ended, by package: it timed out or panicked.
	unfinished map[string][]string
}

// read reads the output of go test -json. It prints the output of failed tests.
func (s suite) read(stdout io.Reader, verbose bool) (output, error) {
	r := reader{out: output{found: results{}, unfinished: map[string][]string{}}, text: map[string]*strings.Builder{}, running: map[string]bool{}}
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			fmt.Println(lines.Text())
			continue
		}
		e.Package = s.shorten(e.Package)
		r.add(e, verbose)
	}
	for key, text := range r.text {
		if strings.HasPrefix(key, " ") {
			fmt.Print(text.String())
		}
	}
	return r.out, lines.Err()
}

// A reader reads the events of go test.
type reader struct {
	out     output
	text    map[string]*strings.Builder // the output of tests that have no result yet
	running map[string]bool
}

func (r *reader) add(e event, verbose bool) {
	key := e.Package + " " + e.Test
	switch e.Action {
	case "run":
		r.running[key] = true
		return
	case "output", "build-output":
		if r.text[key] == nil {
			r.text[key] = &strings.Builder{}
		}
		r.text[key].WriteString(e.Output)
		return
	case "pass", "fail", "skip":
	default:
		return
	}
	delete(r.running, key)
	if e.Test != "" {
		r.out.found[key] = e.Action
	} else if e.Action == "fail" {
		r.end(e.Package)
	}
	if text := r.text[key]; text != nil && (verbose || e.Action == "fail") {
		fmt.Print(text.String())
	}
	delete(r.text, key)
}

// end notes that a package failed. The tests that still ran have failed.
func (r *reader) end(pkg string) {
	r.out.found[pkg+" (package)"] = "fail"
	for _, key := range slices.Sorted(maps.Keys(r.running)) {
		if at, test, _ := strings.Cut(key, " "); at == pkg {
			r.out.found[key] = "fail"
			r.out.unfinished[pkg] = append(r.out.unfinished[pkg], test)
			if text := r.text[key]; text != nil {
				fmt.Print(text.String())
			}
		}
	}
}

// shorten returns the path of a package in the module.
func (s suite) shorten(path string) string {
	if path == s.module {
		return "."
	}
	return strings.TrimPrefix(path, s.module+"/")
}

// pathOf returns a package of the module for the go command.
func (s suite) pathOf(pkg string) string {
	if s.place == inCopy || s.place == grafted {
		return "./" + pkg
	}
	return path.Join(s.module, pkg)
}
