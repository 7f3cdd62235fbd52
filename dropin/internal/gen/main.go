// Gen writes the façades of this module: packages that have the names of fluxcd/cli-utils or of
// kubernetes-sigs/cli-utils and forward to the packages below pkg.
//
//	gen         write the façades and api.txt, which lists the names of the original
//	gen -check  compare instead of writing
//
// Run it at the root of the workspace. It reads the originals as the go command compiles them in
// the module test, which requires both.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	check := flag.Bool("check", false, "compare instead of writing")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(check bool) error {
	var problems []error
	for _, f := range facades() {
		files, err := f.generate()
		if err != nil {
			return fmt.Errorf("façade %s: %w", f.Folder, err)
		}
		if !check {
			if err := f.write(files); err != nil {
				return err
			}
		} else if err := f.compare(files); err != nil {
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}

// write writes the files, by path, and removes generated files that are not among them.
func (f facade) write(files map[string][]byte) error {
	old, err := f.generated()
	if err != nil {
		return err
	}
	for _, name := range old {
		if _, ok := files[name]; !ok {
			if err := os.Remove(name); err != nil {
				return err
			}
		}
	}
	for name, data := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// compare returns an error that names the files that differ.
func (f facade) compare(files map[string][]byte) error {
	names, err := f.generated()
	if err != nil {
		return err
	}
	names = slices.Compact(slices.Sorted(slices.Values(append(names, slices.Collect(maps.Keys(files))...))))
	var differ []string
	for _, name := range names {
		have, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if !bytes.Equal(have, files[name]) {
			differ = append(differ, name)
		}
	}
	if len(differ) > 0 {
		return fmt.Errorf("not up to date; run make generate: %s", strings.Join(differ, ", "))
	}
	return nil
}

// generated returns the generated files of the façade.
func (f facade) generated() (names []string, err error) {
	err = filepath.WalkDir(f.root(), func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Name() == facadeFile || d.Name() == lockFile {
			names = append(names, name)
		}
		return nil
	})
	return names, err
}
