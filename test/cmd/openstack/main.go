// Command openstack runs the OpenStack of the tests for people and scripts.
//
//	go run ./test/cmd/openstack install   install the packages where they are missing
//	go run ./test/cmd/openstack up        start an OpenStack and leave it running
//	go run ./test/cmd/openstack down      stop that one
//
// Progress goes to standard error. Standard output is only for scripts: up prints the lines that
// set the variables of clients.
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"kstatus.dev/test/openstack/openstackkit"
)

// verbs are the subcommands.
var verbs = map[string]func(context.Context) error{"install": install, "up": up, "down": down}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if len(os.Args) != 2 || verbs[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: openstack install | up | down")
		os.Exit(2)
	}
	if err := verbs[os.Args[1]](ctx); err != nil {
		fmt.Fprintf(os.Stderr, "openstack: %v\n", err)
		os.Exit(1)
	}
}

func install(ctx context.Context) error { return openstackkit.Install(ctx, os.Stderr) }

// stateFolder returns the folder of the OpenStack that up leaves running.
func stateFolder() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "kstatus", "openstack"), nil
}

// up starts an OpenStack, unless one runs already.
func up(ctx context.Context) error {
	dir, err := stateFolder()
	if err != nil {
		return err
	}
	if k, err := openstackkit.Open(dir, os.Stderr); err == nil {
		if k.Running(openstackkit.Keystone) {
			fmt.Fprintln(os.Stderr, "openstack: it is running already; stop it with make openstack-down")
			return export(k)
		}
		// A start has failed, or the machine was restarted.
		if err := errors.Join(k.Stop(), os.RemoveAll(dir)); err != nil {
			return err
		}
	}
	if err := install(ctx); err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "openstack: starting, which takes less than a minute")
	k, err := openstackkit.Start(ctx, openstackkit.Options{Dir: dir, Detached: true, Log: os.Stderr})
	if err != nil {
		return err
	}
	for name, data := range map[string][]byte{
		"clouds.yaml": k.Demo().CloudsYAML("demo"),
		"openrc":      k.Demo().OpenRC(),
		"admin.yaml":  k.Admin().CloudsYAML("admin"),
		"adminrc":     k.Admin().OpenRC(),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			return err
		}
	}
	fmt.Fprintf(os.Stderr, "openstack: running; its logs are in %s; stop it with make openstack-down\n", filepath.Join(dir, "log"))
	return export(k)
}

// export prints how to use an OpenStack, as the project demo and as the administrator.
func export(k *openstackkit.Kit) error {
	in := func(name string) string { return filepath.Join(k.Dir(), name) }
	_, err := fmt.Printf("source %s\nexport OS_CLIENT_CONFIG_FILE=%s OS_CLOUD=demo\n", in("openrc"), in("clouds.yaml"))
	fmt.Fprintf(os.Stderr, "openstack: credentials of the administrator are in %s and %s\n", in("adminrc"), in("admin.yaml"))
	return err
}

// down stops the OpenStack that up left running, and removes its folder.
func down(context.Context) error {
	dir, err := stateFolder()
	if err != nil {
		return err
	}
	k, err := openstackkit.Open(dir, os.Stderr)
	if errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintln(os.Stderr, "openstack: none is running")
		return nil
	}
	if err != nil {
		return err
	}
	if err := k.Stop(); err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "openstack: stopped")
	return os.RemoveAll(dir)
}
