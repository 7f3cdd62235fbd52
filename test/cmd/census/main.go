// Census lints the definitions of many projects, and fixes copies of them. With -prove it checks
// the fixes on a real API server. It writes a page.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"k8s.io/klog/v2"

	"kstatus.dev/test/author/census"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/command"
)

func main() {
	out := flag.String("out", "docs/contributing/census.md", "the page to write; - for standard output")
	prove := flag.Bool("prove", false, "also ask a real API server")
	only := flag.String("only", "", "only projects whose name contains this")
	said := flag.String("said", "its repository in August 2026", "where folders come from")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: census [flags] [NAME=FOLDER ...]")
		flag.PrintDefaults()
	}
	flag.Parse()
	klog.LogToStderr(false) // client-go logs warnings about deprecated APIs
	klog.SetOutput(io.Discard)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, *out, *prove, *only, *said, flag.Args())
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "census:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out string, prove bool, only, said string, folders []string) (err error) {
	projects := census.Projects
	for _, folder := range folders {
		name, dir, ok := strings.Cut(folder, "=")
		if !ok {
			return fmt.Errorf("%s: want NAME=FOLDER", folder)
		}
		projects = append(projects, census.Project{Name: name, Dir: strings.TrimRight(dir, "/"), Said: said})
	}
	bin, err := command.Build()
	if err != nil {
		return err
	}
	defer os.RemoveAll(bin)
	var c *cluster.Cluster
	if prove {
		if c, err = cluster.Start(ctx, cluster.Options{Nodes: 1}); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, c.Stop()) }()
	}
	var results []census.Result
	for _, p := range projects {
		if !strings.Contains(p.Name, only) {
			continue
		}
		r, levels, err := census.Census{Bin: bin}.Run(ctx, p)
		if err != nil {
			return err
		}
		if prove {
			if r.Proofs, err = census.Prove(ctx, c.Config(), levels); err != nil {
				return err
			}
		}
		fmt.Fprintf(os.Stderr, "%s: %d definitions\n", p.Name, r.Definitions)
		results = append(results, r)
	}
	page := census.Page(results)
	if out == "-" {
		_, err = io.WriteString(os.Stdout, page)
		return err
	}
	return os.WriteFile(out, []byte(page), 0o644)
}
