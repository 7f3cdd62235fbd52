// Graft copies a version of cli-utils into a folder, with the packages of kstatus.dev/dropin in place
// of its packages for kstatus.
//
// Usage:
//
//	graft -module MODULE@VERSION -to FOLDER [-facade VERSION] [-replace MODULE=FOLDER]…
//	graft -check -to FOLDER
//
// A program needs it if it also imports packages that no façade mirrors, such as pkg/apply and
// pkg/inventory of sigs.k8s.io/cli-utils. All other programs replace the module by a façade.
//
// The copy comes from the module cache. The command downloads what the cache lacks. The façade is
// the module kstatus.dev/dropin/sigs or kstatus.dev/dropin/fluxcd. By default, its version is that
// of an earlier run, or else the newest one with the major and the minor version of MODULE.
//
// The files of a package that the façade mirrors are replaced, and the tests of the package are
// removed. A file stays if the façade has none of its exported names. All types of the façade are
// aliases of those in kstatus.dev/dropin, so they are the same in the copy and everywhere else.
//
// The file graft.json in the folder lists what was done, with a checksum of each file. A second run
// changes nothing. A folder with other changes is an error, and stays as it is. The files go.mod and
// go.sum may have other versions, as go mod tidy writes them. Files whose names begin with a dot are
// not copied.
//
// With -check, the command makes the copy in memory, with the versions of graft.json, and compares.
//
// The flag -replace takes a module of kstatus.dev from a folder, and adds a replace line to the
// go.mod of the copy. Add the same lines to your own go.mod.
//
// The exit status is 0 for success, 1 if the folder differs or another error occurs, and 2 if the
// arguments are wrong.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"kstatus.dev/dropin/internal/original"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	o := options{replace: folders{}}
	flag.StringVar(&o.module, "module", "", "the `module@version` to copy")
	flag.StringVar(&o.to, "to", "", "the `folder` of the copy")
	flag.StringVar(&o.facade, "facade", "", "the `version` of the façade, or a version query such as latest")
	flag.Var(o.replace, "replace", "take a module from a folder, as `module=folder`; may be repeated")
	flag.BoolVar(&o.check, "check", false, "compare the folder instead of writing it")
	flag.Parse()
	if err := o.validate(flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "graft:", err)
		os.Exit(2)
	}
	err := o.run(ctx, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "graft:", err)
		os.Exit(1)
	}
}

type options struct {
	module, to, facade string
	replace            folders
	check              bool
}

// folders are the values of -replace: folders by module.
type folders map[string]string

func (f folders) String() string { return "" }

// Set adds a value of the flag.
func (f folders) Set(value string) error {
	module, folder, ok := strings.Cut(value, "=")
	if !ok || module == "" || folder == "" {
		return fmt.Errorf("want module=folder, have %q", value)
	}
	f[module] = folder
	return nil
}

func (o options) validate(args []string) error {
	switch {
	case len(args) > 0:
		return fmt.Errorf("want flags only, have the argument %q", args[0])
	case o.to == "":
		return fmt.Errorf("-to: want the folder of the copy")
	case o.module == "" && !o.check:
		return fmt.Errorf("-module: want module@version")
	case o.check && (o.facade != "" || len(o.replace) > 0):
		return fmt.Errorf("-check uses the versions and folders in %s, so it accepts neither -facade nor -replace", recordFile)
	case o.module == "":
		return nil
	}
	module, version, _ := strings.Cut(o.module, "@")
	if _, known := original.Find(module); !known {
		return fmt.Errorf("-module %s: only %s has a façade", o.module, original.Paths())
	}
	if version == "" {
		return fmt.Errorf("-module %s: want a version, such as %s@v0.37.2", o.module, module)
	}
	return nil
}

func (o options) run(ctx context.Context, stdout io.Writer) error {
	before, err := readRecord(o.to)
	if err != nil {
		return err
	}
	if o.check {
		return o.compare(ctx, before, stdout)
	}
	if before != nil {
		// The folder is compared before anything is downloaded.
		if lines, err := before.changes(ctx, o.to); err != nil {
			return err
		} else if len(lines) > 0 {
			return fmt.Errorf("%s was changed after graft wrote it:\n%s\nMove the changes elsewhere, remove the folder, and run graft again", o.to, list(lines))
		}
	}
	p, err := o.plan(ctx, before)
	if err != nil {
		return err
	}
	if before != nil && before.equal(p.record) {
		fmt.Fprintf(stdout, "%s is up to date: %s\n", o.to, p.record)
		return nil
	}
	if err := p.write(o.to); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %s\n", o.to, p.record)
	fmt.Fprintf(stdout, "%d files replaced, %d tests and their files removed, %d files kept beside the façade\n", len(p.record.Replaced), len(p.record.Removed), len(p.record.Kept))
	fmt.Fprintf(stdout, "Add to go.mod, and run go mod tidy:\n%s", o.lines(p.record))
	return nil
}

// plan reads the module and the façade, and makes the copy in memory.
func (o options) plan(ctx context.Context, before *record) (*plan, error) {
	name, version, _ := strings.Cut(o.module, "@")
	m, _ := original.Find(name)
	from, err := fetch(ctx, name, version, nil)
	if err != nil {
		return nil, err
	}
	query := o.facade
	switch {
	case query != "":
	case before != nil && before.Facade.Version != "" && minor(before.Facade.Version) == minor(from.Version):
		query = before.Facade.Version
	default:
		query = minor(from.Version)
	}
	facade, err := fetch(ctx, m.Facade(), query, o.replace)
	if err != nil {
		return nil, fmt.Errorf("%w\nSelect a version of the façade with -facade", err)
	}
	return newPlan(ctx, from, facade, o)
}

// compare returns an error with the differences between the folder and a new copy.
func (o options) compare(ctx context.Context, before *record, stdout io.Writer) error {
	if before == nil {
		return fmt.Errorf("%s has no %s: graft did not write it", o.to, recordFile)
	}
	have := before.Original.Module + "@" + before.Original.Version
	if o.module != "" && o.module != have {
		return fmt.Errorf("%s is a copy of %s, want %s", o.to, have, o.module)
	}
	o.module, o.facade, o.replace = have, before.Facade.Version, before.Replace
	p, err := o.plan(ctx, before)
	if err != nil {
		return err
	}
	lines, err := p.record.changes(ctx, o.to)
	if err != nil {
		return err
	}
	if !before.equal(p.record) {
		lines = append(lines, "changed  "+recordFile)
		slices.Sort(lines)
	}
	if len(lines) > 0 {
		return fmt.Errorf("%s differs from %s:\n%s", o.to, p.record, list(lines))
	}
	fmt.Fprintf(stdout, "%s is up to date: %s\n", o.to, p.record)
	return nil
}

// lines returns the lines for the go.mod of the user.
func (o options) lines(r record) string {
	text := fmt.Sprintf("replace %s => %s\n", r.Original.Module, local(o.to))
	for _, m := range sortedKeys(r.Replace) {
		if m != r.Facade.Module {
			text += fmt.Sprintf("replace %s => %s\n", m, local(r.Replace[m]))
		}
	}
	return text
}

// local returns a folder as a replace line has it: absolute, or with a leading dot.
func local(dir string) string {
	slashed := filepath.ToSlash(dir)
	if !filepath.IsAbs(dir) && slashed != "." && slashed != ".." && !strings.HasPrefix(slashed, "./") && !strings.HasPrefix(slashed, "../") {
		return "./" + slashed
	}
	return slashed
}

// list returns lines with an indentation.
func list(lines []string) string { return "  " + strings.Join(lines, "\n  ") }
