package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"kstatus.dev/test/cluster"
)

// timeout returns that of the tests of one package.
func (s suite) timeout() string {
	if s.envtest {
		return "15m"
	}
	return "5m"
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
	args := []string{"test", "-json", "-count=1", "-timeout=" + s.timeout(), "-p=1", "-vet=off", "-mod=mod"}
	if run := cmpOr(o.only, s.only); run != "" {
		args = append(args, "-run="+run)
	}
	if s.skip != "" {
		args = append(args, "-skip="+s.skip)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, s.paths()...)...)
	cmd.Dir, cmd.Env = x.dir, env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	found, readErr := s.read(stdout, o.verbose)
	err = cmd.Wait()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || len(found) == 0) {
		return nil, fmt.Errorf("go test: %w\n%s", err, stderr.String())
	}
	if stderr.Len() > 0 {
		fmt.Print(stderr.String())
	}
	return found, readErr
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// environment returns the environment of the tests.
func (s suite) environment(ctx context.Context, o options) ([]string, error) {
	env := append(os.Environ(), "GOWORK=off")
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

// read reads the output of go test -json. It prints the output of failed tests.
func (s suite) read(stdout io.Reader, verbose bool) (results, error) {
	found := results{}
	output := map[string]*strings.Builder{}
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			fmt.Println(lines.Text())
			continue
		}
		key := s.shorten(e.Package) + " " + e.Test
		switch e.Action {
		case "output", "build-output":
			if output[key] == nil {
				output[key] = &strings.Builder{}
			}
			output[key].WriteString(e.Output)
			continue
		case "pass", "fail", "skip":
		default:
			continue
		}
		if e.Test != "" {
			found[key] = e.Action
		} else if e.Action == "fail" {
			found[s.shorten(e.Package)+" (package)"] = e.Action
		}
		if text := output[key]; text != nil && (verbose || e.Action == "fail") {
			fmt.Print(text.String())
		}
		delete(output, key)
	}
	for key, text := range output {
		if strings.HasPrefix(key, " ") {
			fmt.Print(text.String())
		}
	}
	return found, lines.Err()
}

// shorten returns the path of a package in the module.
func (s suite) shorten(path string) string {
	if path == s.module {
		return "."
	}
	return strings.TrimPrefix(path, s.module+"/")
}
