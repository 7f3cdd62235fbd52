// Dropin runs the tests of programs that import kstatus of cli-utils, with and without the
// packages of kstatus.dev/dropin in its place.
//
// Usage:
//
//	dropin [-mode compat|right] [-original] [-run REGEXP] [-v] [SUITE…]
//	dropin -sizes [-programs FOLDER] [SUITE…]
//
// A suite is a program at one version. Its module comes from the module proxy, and its tests run by
// their import paths in a temporary module. The flag -original leaves the replacement out. The
// results are in the folder results, and the reasons of failures in reasons.go.
//
// The flag -sizes builds the program of each suite with the original and with the replacement. It
// compares the go.mod files, the linked modules and the sizes. The folder sizes has the results. The
// flag -programs keeps the programs in a folder, for test/bench/programs.
//
// The page docs/reference/dropin-suites.md shows both.
//
// Run it at the root of the workspace.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
)

func main() {
	var o options
	mode := flag.String("mode", "compat", "mode of the replacement: compat or right")
	original := flag.Bool("original", false, "run the tests without the replacement")
	flag.StringVar(&o.only, "run", "", "run only tests that match this, and do not keep the results")
	flag.BoolVar(&o.verbose, "v", false, "print the output of all tests, not only of failed ones")
	flag.BoolVar(&o.sizes, "sizes", false, "build programs with and without the replacement, and keep their sizes")
	flag.StringVar(&o.programs, "programs", "", "keep the programs of -sizes in this folder, as SUITE-original and SUITE-replaced")
	flag.BoolVar(&o.keep, "keep", false, "keep the temporary module, and print its folder")
	flag.Parse()
	o.variant = *mode
	if *original {
		o.variant = variantOriginal
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, o, flag.Args())
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "dropin:", err)
		os.Exit(1)
	}
}

// The variants of a run.
const (
	variantOriginal = "original"
	variantCompat   = "compat"
	variantRight    = "right"
)

var variants = []string{variantOriginal, variantCompat, variantRight}

type options struct {
	variant       string
	only          string
	verbose, keep bool
	sizes         bool
	programs      string
}

func run(ctx context.Context, o options, names []string) error {
	if !slices.Contains(variants, o.variant) {
		return fmt.Errorf("mode %q: want compat or right", o.variant)
	}
	selected, err := choose(names)
	if err != nil {
		return err
	}
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	if o.sizes {
		return measureAndKeep(ctx, root, o.programs, selected)
	}
	var errs []error
	for _, s := range selected {
		fmt.Printf("== %s %s: %s@%s\n", s.name, o.variant, s.module, s.version)
		if err := s.runAndKeep(ctx, root, o); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", s.name, err))
		}
	}
	return errors.Join(errs...)
}

// choose returns the suites with these names; all for none.
func choose(names []string) ([]suite, error) {
	if len(names) == 0 {
		return suites, nil
	}
	var selected []suite
	for _, name := range names {
		i := slices.IndexFunc(suites, func(s suite) bool { return s.name == name })
		if i < 0 {
			return nil, fmt.Errorf("suite %q: want one of %s", name, strings.Join(suiteNames(), ", "))
		}
		selected = append(selected, suites[i])
	}
	return selected, nil
}

// runAndKeep runs a suite, prints the difference to the original, and keeps the results.
func (s suite) runAndKeep(ctx context.Context, root string, o options) error {
	found, err := s.run(ctx, root, o)
	if err != nil {
		return err
	}
	uncompiled, err := s.uncompiled(ctx)
	if err != nil {
		return err
	}
	passed, failed, skipped := found.count()
	fmt.Printf("%s %s: %d passed, %d failed, %d skipped\n", s.name, o.variant, passed, failed, skipped)
	all, err := readResults(root, s.name)
	if err != nil {
		return err
	}
	all.Uncompiled = uncompiled
	for _, line := range found.differences(all) {
		fmt.Println(line)
	}
	if o.only != "" {
		return nil
	}
	all.Module, all.Version = s.module, s.version
	all.Variants[o.variant] = found
	return all.write(root, s.name)
}
