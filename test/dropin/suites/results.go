package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// results has the result of each test: pass, fail or skip, by package and name.
type results map[string]string

// A record has the results of one suite.
type record struct {
	Module, Version string
	Uncompiled      []string `json:",omitempty"` // tests that use names that the original does not export
	Variants        map[string]results
}

func recordFile(root, suite string) string {
	return filepath.Join(root, "test/dropin/suites/results", suite+".json")
}

// readResults reads the results of earlier runs; a record without any if there are none.
func readResults(root, suite string) (record, error) {
	r := record{Variants: map[string]results{}}
	_, err := readJSON(recordFile(root, suite), &r)
	return r, err
}

func (r record) write(root, suite string) error { return writeJSON(recordFile(root, suite), r) }

// readJSON reads a file into a value, and reports whether the file exists.
func readJSON(name string, value any) (bool, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	if err := json.Unmarshal(data, value); err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	return true, nil
}

func writeJSON(name string, value any) error {
	data, err := json.MarshalIndent(value, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(data, '\n'), 0o644)
}

func (r results) count() (passed, failed, skipped int) {
	for _, result := range r {
		switch result {
		case "pass":
			passed++
		case "fail":
			failed++
		case "skip":
			skipped++
		}
	}
	return passed, failed, skipped
}

// differences returns a line for each test with another result than in the original.
func (r results) differences(all record) (lines []string) {
	original := all.Variants[variantOriginal]
	for _, test := range slices.Sorted(maps.Keys(r)) {
		if before, ok := original[test]; ok && before != r[test] {
			lines = append(lines, fmt.Sprintf("%s: original %s, here %s", test, before, r[test]))
		}
	}
	for _, test := range slices.Sorted(maps.Keys(original)) {
		if _, ok := r[test]; !ok && !slices.Contains(all.Uncompiled, topLevel(test)) {
			lines = append(lines, fmt.Sprintf("%s: original %s, here not run", test, original[test]))
		}
	}
	return lines
}

// topLevel returns the package and the name of the test that a subtest belongs to.
func topLevel(test string) string {
	at, name, _ := strings.Cut(test, " ")
	name, _, _ = strings.Cut(name, "/")
	return at + " " + name
}
