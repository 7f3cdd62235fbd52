package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// grafted is the place of tests that run in a copy of cli-utils made by the command graft. The
// original is a copy of the same version.
const grafted place = "in a grafted copy"

var graftSuite = suite{
	name: "graft", module: "sigs.k8s.io/cli-utils", version: "v0.37.2", place: grafted,
	packages: []string{"pkg/apply", "pkg/apply/taskrunner"},
	// The oldest versions that kstatus.dev/dropin works with.
	least: []string{
		"k8s.io/api@v0.35.0", "k8s.io/apiextensions-apiserver@v0.35.0", "k8s.io/apimachinery@v0.35.0", "k8s.io/cli-runtime@v0.35.0", "k8s.io/client-go@v0.35.0",
		"k8s.io/component-base@v0.35.0", "k8s.io/kubectl@v0.35.0", "sigs.k8s.io/controller-runtime@v0.23.0",
	},
}

// graft makes the copy, and builds all of its packages.
func (x *scratch) graft(ctx context.Context) error {
	if !x.replaced {
		if err := copyFolder(x.dir, x.cached); err != nil {
			return err
		}
		args := []string{"mod", "edit"}
		for _, m := range x.suite.least {
			args = append(args, "-require="+m)
		}
		if err := x.goCommand(ctx, args...); err != nil {
			return err
		}
		return x.goCommand(ctx, "mod", "tidy")
	}
	args := []string{"run", "./dropin/cmd/graft", "-module", x.suite.module + "@" + x.suite.version, "-to", x.dir}
	folders := map[string]string{}
	maps.Copy(folders, own)
	for _, folder := range originals {
		folders["kstatus.dev/"+folder] = folder
	}
	for _, module := range slices.Sorted(maps.Keys(folders)) {
		args = append(args, "-replace", module+"="+filepath.Join(x.root, folders[module]))
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Stderr = x.root, os.Stderr
	if out, err := cmd.Output(); err != nil {
		return fmt.Errorf("graft: %w\n%s", err, out)
	}
	if err := x.goCommand(ctx, "mod", "tidy"); err != nil {
		return err
	}
	return x.goCommand(ctx, "build", "./...")
}
