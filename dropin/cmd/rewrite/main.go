// Rewrite changes the imports of kstatus in cli-utils to those of kstatus.dev/dropin.
//
// Usage:
//
//	rewrite [-n | -diff] [-back] FOLDER…
//
// A replace line in go.mod has no effect on the users of a library. So a library imports the façades
// by their own paths:
//
//	github.com/fluxcd/cli-utils/pkg/…  becomes  kstatus.dev/dropin/fluxcd/pkg/…
//	sigs.k8s.io/cli-utils/pkg/…        becomes  kstatus.dev/dropin/sigs/pkg/…
//
// Each original has its own façade, because the originals differ in a few points. All types are the
// same in both.
//
// FOLDER/... also names all folders below. As in the go command, this leaves out other modules, the
// folders vendor and testdata, and names that begin with a dot or an underscore. All Go files count:
// tests, generated files and files for other platforms. Only the paths of imports change. A file that
// gofmt accepts stays sorted as gofmt sorts it.
//
// Imports of packages that the façade does not mirror, such as pkg/apply, are left. An import is also
// left if the file uses a name that the façade lacks. These packages need the types of the original.
// So all imports of the same original in that folder are left, and are printed with the reason. The
// command graft is for programs that need these packages.
//
// The flag -n prints the changes, and -diff prints them as a diff. Both write nothing. The flag -back
// changes the imports of the façades to those of the originals.
//
// No file is written if one of them cannot be read. The command does not change go.mod. It prints
// the commands that do.
//
// The exit status is 0 for success, 1 if imports are left or another error occurs, and 2 if the
// arguments are wrong.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	var o options
	flag.BoolVar(&o.dry, "n", false, "print the changes, and write nothing")
	flag.BoolVar(&o.diff, "diff", false, "print the changes as a diff, and write nothing")
	flag.BoolVar(&o.back, "back", false, "change the imports back to those of the originals")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "rewrite: want at least one folder, such as ./...")
		os.Exit(2)
	}
	if err := o.run(flag.Args(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "rewrite:", err)
		os.Exit(1)
	}
}

type options struct{ dry, diff, back bool }

func (o options) run(patterns []string, stdout io.Writer) error {
	names, err := find(patterns)
	if err != nil {
		return err
	}
	var files []*source
	var problems []error
	for _, name := range names {
		f, err := parse(name, o.back)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		files = append(files, f)
	}
	if len(problems) > 0 {
		return fmt.Errorf("nothing was changed:\n%w", errors.Join(problems...))
	}
	hold(files)
	for _, f := range files {
		if err := f.edit(); err != nil {
			return err
		}
	}
	changed := slices.DeleteFunc(slices.Clone(files), func(f *source) bool { return f.after == nil })
	for _, f := range changed {
		if err := o.apply(f, stdout); err != nil {
			return err
		}
	}
	return o.report(files, changed, stdout)
}

// apply writes or prints one changed file.
func (o options) apply(f *source, stdout io.Writer) error {
	switch {
	case o.diff:
		_, err := io.WriteString(stdout, diff(filepath.ToSlash(f.name), f.before, f.after))
		return err
	case o.dry:
		for _, i := range f.imports {
			if i.why == "" {
				fmt.Fprintf(stdout, "%s:%d: %s becomes %s\n", f.name, i.line, i.path, i.target)
			}
		}
		return nil
	}
	fmt.Fprintln(stdout, f.name)
	return write(f.name, f.after)
}

// report prints what the user does next, and returns an error if imports are left.
func (o options) report(files, changed []*source, stdout io.Writer) error {
	left := 0
	for _, f := range files {
		for _, i := range f.imports {
			if i.why != "" {
				left++
				fmt.Fprintf(stdout, "%s:%d: %s is left: %s\n", f.name, i.line, i.path, i.why)
			}
		}
		for _, d := range f.directives {
			fmt.Fprintf(stdout, "%s:%d: this directive names %s; change it by hand\n", f.name, d.line, d.path)
		}
	}
	if len(changed) > 0 && !o.dry && !o.diff {
		next(changed, stdout)
	}
	if left > 0 {
		return fmt.Errorf("%d imports are left", left)
	}
	return nil
}

// next prints the commands that change go.mod.
func next(changed []*source, stdout io.Writer) {
	required := map[string][]string{} // modules with versions, by the folder of go.mod
	for _, f := range changed {
		dir := moduleFolder(filepath.Dir(f.name))
		for _, i := range f.imports {
			if i.why == "" && !slices.Contains(required[dir], i.module) {
				required[dir] = append(required[dir], i.module)
			}
		}
	}
	for _, dir := range sortedKeys(required) {
		fmt.Fprintf(stdout, "Now run in %s:\n", dir)
		for _, module := range slices.Sorted(slices.Values(required[dir])) {
			fmt.Fprintf(stdout, "  go get %s\n", module)
		}
		fmt.Fprintln(stdout, "  go mod tidy")
		if exists(filepath.Join(dir, "vendor", "modules.txt")) {
			fmt.Fprintln(stdout, "  go mod vendor")
		}
	}
}
