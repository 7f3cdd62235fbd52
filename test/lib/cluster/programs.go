package cluster

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"kstatus.dev/test/lib/process"
)

// Program names one of the five programs of the cluster, the one that [Options].ClusterAPI adds,
// or a client.
type Program string

const (
	Etcd              Program = "etcd"
	APIServer         Program = "kube-apiserver"
	ControllerManager Program = "kube-controller-manager"
	Scheduler         Program = "kube-scheduler"
	Kwok              Program = "kwok"
	ClusterAPI        Program = "cluster-api"

	// The programs of Options.RealNodes.
	Kubelet    Program = "kubelet"
	Containerd Program = "containerd"
	Runc       Program = "runc"

	// The clients of [BuildClients].
	Kubectl Program = "kubectl"
	Helm    Program = "helm"
	JQ      Program = "jq"
)

// file returns the file name of a program after `go install tool`: the last element of its package's
// path.
func (p Program) file() string {
	switch p {
	case Etcd:
		return "server"
	case ClusterAPI:
		return "core"
	case JQ:
		return "gojq"
	}
	return string(p)
}

// suite is a set of programs that one module lists as its tools. They are built together.
type suite struct {
	folder      string   // of the module, from the root of the repository
	module      string   // the module whose version is that of the programs
	stamps      []string // the variables for this version
	flags       []string // more flags of the build, such as -tags
	cgo         bool     // the programs need a C compiler
	programs    []Program
	what, takes string // for messages: what is built, and how long it takes
	// manifests returns the files of the programs below the folder of the module.
	manifests []string
	// patches are the few changes for which the programs have no flag.
	patches []Patch
}

var kubernetesSuite = suite{
	folder: "test/lib/programs", module: "k8s.io/kubernetes",
	// Otherwise the programs report the version v0.0.0-master, which clients cannot compare.
	stamps:   []string{"k8s.io/component-base/version.gitVersion", "k8s.io/client-go/pkg/version.gitVersion"},
	programs: []Program{Etcd, APIServer, ControllerManager, Scheduler, Kwok},
	what:     "etcd, kube-apiserver, kube-controller-manager, kube-scheduler %s and kwok",
	takes:    "5 to 10 minutes on two cores (half a minute when Go's build cache is warm)",
}

var clientSuite = suite{
	folder: "test/lib/programs/clients", module: "helm.sh/helm/v4",
	programs: []Program{Kubectl, Helm, JQ},
	what:     "kubectl, Helm %s and gojq",
	takes:    "2 to 5 minutes on two cores",
}

// heartbeat is the interval of progress messages during a build.
const heartbeat = 30 * time.Second

// recipe identifies a build: the module that lists the programs, and everything else that
// changes its result.
type recipe struct {
	suite   suite
	dir     string // the folder of the module, such as test/lib/programs
	version string // the version of Kubernetes, or of what else is built
	hash    string
}

// Build builds the cluster's programs if necessary. Their sources come from the Go module
// proxy. It builds them once for each state of test/lib/programs and each Go version, into the
// user's cache folder. If two processes need them at the same time, only one builds them. Build
// reports its progress to log.
func Build(ctx context.Context, log io.Writer) error {
	_, err := buildPrograms(ctx, log)
	return err
}

// BuildServers does the same as [Build], and returns the paths of the programs.
func BuildServers(ctx context.Context, log io.Writer) (map[Program]string, error) {
	return kubernetesSuite.paths(ctx, log)
}

// BuildClients does the same as [Build] for the clients that the pages for users call. It
// returns the paths of the programs.
func BuildClients(ctx context.Context, log io.Writer) (map[Program]string, error) {
	return clientSuite.paths(ctx, log)
}

func (s suite) paths(ctx context.Context, log io.Writer) (map[Program]string, error) {
	dir, err := s.build(ctx, log)
	paths := map[Program]string{}
	for _, program := range s.programs {
		paths[program] = filepath.Join(dir, program.file())
	}
	return paths, err
}

// Tools are the tools of a module in test/lib/programs that are no part of a cluster. Each has the last
// element of its package's path as its name.
type Tools struct {
	Folder  string // of their module, in test/lib/programs
	Module  string // the module whose version is theirs
	Names   []string
	Patches []Patch
}

// Build does the same as [Build] for the tools. It returns the folder with them, and their version.
func (t Tools) Build(ctx context.Context, log io.Writer) (dir, version string, err error) {
	s := suite{
		folder: "test/lib/programs/" + t.Folder, module: t.Module, patches: t.Patches,
		what: strings.Join(t.Names, " and ") + " %s", takes: "2 to 10 minutes on two cores",
	}
	for _, name := range t.Names {
		s.programs = append(s.programs, Program(name))
	}
	if dir, err = s.build(ctx, log); err != nil {
		return "", "", err
	}
	here, err := os.Getwd()
	if err != nil {
		return "", "", err
	}
	r, err := s.findRecipe(here)
	return dir, r.version, err
}

func (s suite) build(ctx context.Context, log io.Writer) (string, error) {
	start, err := os.Getwd()
	if err != nil {
		return "", err
	}
	r, err := s.findRecipe(start)
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("a place for the cluster's programs: %w", err)
	}
	dir := filepath.Join(cache, "kstatus", "programs", r.hash)
	if s.complete(dir) {
		return dir, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	unlock, err := lock(ctx, dir+".lock", func() {
		fmt.Fprintln(log, "cluster: another process is building the cluster's programs: waiting for it")
	})
	if err != nil {
		return "", fmt.Errorf("waiting for %s.lock: %w", dir, err)
	}
	defer unlock()
	if s.complete(dir) {
		return dir, nil
	}
	return dir, r.build(ctx, dir, log)
}

// findRecipe finds the module of the suite in the folder start or its parents.
func (s suite) findRecipe(start string) (recipe, error) {
	if !filepath.IsAbs(start) {
		return recipe{}, fmt.Errorf("looking for %s above %q: want an absolute path", s.folder, start)
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		r, err := s.readRecipe(filepath.Join(dir, filepath.FromSlash(s.folder)))
		if err == nil || !errors.Is(err, os.ErrNotExist) {
			return r, err
		}
		if dir == filepath.Dir(dir) {
			return recipe{}, fmt.Errorf("no folder %s in %s or above it: the test cluster is built from there, so run this inside the repository", s.folder, start)
		}
	}
}

func (s suite) readRecipe(dir string) (recipe, error) {
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return recipe{}, err
	}
	sum, err := os.ReadFile(filepath.Join(dir, "go.sum"))
	if err != nil {
		return recipe{}, err
	}
	found := regexp.MustCompile(`(?m)^(?:require |\t)` + regexp.QuoteMeta(s.module) + ` (v\S+)`).FindSubmatch(mod)
	if len(found) != 2 {
		return recipe{}, fmt.Errorf("%s/go.mod requires no version of %s", dir, s.module)
	}
	r := recipe{suite: s, dir: dir, version: string(found[1])}
	h := sha256.New()
	parts := [][]byte{mod, sum, []byte(runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH), []byte(r.ldflags())}
	for _, flag := range s.flags {
		parts = append(parts, []byte(flag))
	}
	for _, a := range s.patches {
		parts = append(parts, []byte(a.File), []byte(a.Old), []byte(a.New))
	}
	for _, part := range parts {
		fmt.Fprintf(h, "%d\n", len(part))
		h.Write(part)
	}
	r.hash = hex.EncodeToString(h.Sum(nil))[:16]
	return r, nil
}

// ldflags remove the symbols and set the version of the programs.
func (r recipe) ldflags() string {
	flags := "-s -w"
	if r.suite.cgo {
		flags += " -extldflags -static" // a Node may not have the libraries of this machine
	}
	for _, variable := range r.suite.stamps {
		flags += " -X " + variable + "=" + r.version
	}
	return flags
}

// complete reports whether a folder contains all programs. A folder gets its final name only
// then.
func (s suite) complete(dir string) bool {
	for _, program := range s.programs {
		if _, err := os.Stat(filepath.Join(dir, program.file())); err != nil {
			return false
		}
	}
	return true
}

// build runs the Go command in the folder of the module. The folder of the programs gets its
// name only when it is complete. After an interruption, the next build continues from Go's
// build cache.
func (r recipe) build(ctx context.Context, dir string, log io.Writer) error {
	fmt.Fprintf(log, "cluster: building "+r.suite.what+" into %s\n", r.version, dir)
	fmt.Fprintf(log, "cluster: this is done once and takes %s\n", r.suite.takes)
	began := time.Now()
	part := dir + ".part"
	if err := os.RemoveAll(part); err != nil {
		return err
	}
	from := r.dir
	if len(r.suite.patches) > 0 {
		amended, err := os.MkdirTemp("", "kstatus-amended-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(amended)
		if err := r.applyPatches(ctx, amended); err != nil {
			return err
		}
		from = amended
	}
	args := append([]string{"install", "-trimpath", "-ldflags", r.ldflags()}, r.suite.flags...)
	cmd := exec.CommandContext(ctx, "go", append(args, "tool")...)
	cmd.Dir = from
	cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0", "GOBIN="+part)
	if r.suite.cgo {
		cmd.Env = append(cmd.Env, "CGO_ENABLED=1")
	}
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	// The interrupted Go command ends its compilers; a killed one would not.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("running the Go command: %w", err)
	}
	done := make(chan struct{})
	told := make(chan struct{})
	go func() {
		defer close(told)
		tick := time.NewTicker(heartbeat)
		defer tick.Stop()
		reportProgress(log, began, tick.C, done)
	}()
	err := cmd.Wait()
	close(done)
	<-told
	if ctx.Err() != nil {
		return fmt.Errorf("building the cluster's programs: %w", context.Cause(ctx))
	}
	if err != nil {
		return fmt.Errorf("go install tool in %s: %w\n%s", r.dir, err, process.LastLines(output.String(), 20))
	}
	if err := r.copyManifests(ctx, part); err != nil {
		return err
	}
	if err := os.Rename(part, dir); err != nil {
		return err
	}
	fmt.Fprintf(log, "cluster: built in %s\n", time.Since(began).Round(time.Second))
	return nil
}

// reportProgress reports at every tick, until done, that the build continues.
func reportProgress(log io.Writer, began time.Time, tick <-chan time.Time, done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		case <-tick:
			fmt.Fprintf(log, "cluster: still building, %s so far\n", time.Since(began).Round(time.Second))
		}
	}
}
