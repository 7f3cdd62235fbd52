package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A testCase is a case of index.json: an object and its right statuses.
type testCase struct {
	ID       string
	Expected []string // the right statuses; empty if they are a matter of opinion
	Lenient  []string // the statuses that are not wrong

	// Independent is false for answers that come from kstatus itself. It is true if it is missing.
	Independent *bool
}

// readCases reads the cases of a folder whose answers do not come from kstatus itself.
func readCases(folder string) ([]testCase, error) {
	text, err := os.ReadFile(filepath.Join(folder, "index.json"))
	if err != nil {
		return nil, err
	}
	var index struct{ Cases []testCase }
	if err := json.Unmarshal(text, &index); err != nil {
		return nil, fmt.Errorf("%s: index.json: %w", folder, err)
	}
	var cases []testCase
	for _, c := range index.Cases {
		if c.Independent == nil || *c.Independent {
			cases = append(cases, c)
		}
	}
	return cases, nil
}

// A verdict is a line of kstatus get -o json.
type verdict struct {
	Type, Status, Confidence, Rule string
	Source                         struct{ File string }
}

// judge runs kstatus over the cases of a folder and returns the verdicts by the ID of the case.
func judge(binary, folder string, flags []string) (map[string]verdict, error) {
	args := []string{"get", "--local", "-R", "-f", filepath.Join(folder, "cases"), "-o", "json"}
	if crds := filepath.Join(folder, "crds.yaml"); exists(crds) {
		args = append(args, "--crds", crds)
	}
	command := exec.Command(binary, append(args, flags...)...)
	var problems bytes.Buffer
	command.Stderr = &problems
	out, err := command.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 3 { // an object has failed
		err = nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w: %s", folder, binary, err, problems.String())
	}
	verdicts := map[string]verdict{}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, len(out)+1)
	for lines.Scan() {
		var v verdict
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			return nil, fmt.Errorf("%s: a line of kstatus: %w", folder, err)
		}
		if file := filepath.Base(v.Source.File); v.Type == "object" {
			verdicts[strings.TrimSuffix(file, filepath.Ext(file))] = v
		}
	}
	return verdicts, lines.Err()
}

// exists reports whether a file exists.
func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
