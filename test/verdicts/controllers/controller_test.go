package controllers

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/test/lib/apply"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/process"
)

var live cluster.Shared

func TestMain(m *testing.M) { os.Exit(live.Main(m)) }

// A controller is the program of a project, and the scenarios of its kinds.
type controller struct {
	name        string // for the page
	folder      string // of its module in test/lib/programs
	module      string // the version of this module is that of the program
	tool        string // the file of the program
	patches     []cluster.Patch
	definitions []string // files with CRDs, as module:pattern or, for another module, module@version:pattern
	namespace   string   // a manifest that it needs before it starts
	arguments   func(*setting) []string
	scenarios   []scenario

	version string
	program *process.Process
}

// A setting is what the arguments of a controller depend on.
type setting struct {
	t          *testing.T
	kubeconfig string
	folder     string // temporary
}

// address returns a free address on loopback.
func (s *setting) address() string {
	s.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// port returns a free port on loopback.
func (s *setting) port() string {
	_, port, _ := strings.Cut(s.address(), ":")
	return port
}

// start installs the definitions of the controller and starts it.
func (c *controller) start(t *testing.T) {
	t.Helper()
	k := live.Cluster(t)
	tools := cluster.Tools{Folder: c.folder, Module: c.module, Names: []string{c.tool}, Patches: c.patches}
	dir, version, err := tools.Build(t.Context(), os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	c.version = version
	var definitions []*unstructured.Unstructured
	for _, pattern := range c.definitions {
		module, pattern, _ := strings.Cut(pattern, ":")
		if !strings.Contains(module, "@") {
			module += "@" + c.version
		}
		more, err := apply.Definitions(t.Context(), module, pattern)
		if err != nil {
			t.Fatal(err)
		}
		definitions = append(definitions, more...)
	}
	if err := apply.To(t.Context(), k.Config(), "default", definitions, nil); err != nil {
		t.Fatal(err)
	}
	if c.namespace != "" {
		k.Apply(t, "default", c.namespace)
	}
	waitUntilEstablished(t, k, definitions)
	folder := t.TempDir()
	c.program = &process.Process{
		Name: c.name, Path: filepath.Join(dir, c.tool), Log: filepath.Join(folder, c.tool+".log"), Tell: os.Stderr,
		Args: c.arguments(&setting{t: t, kubeconfig: k.Kubeconfig(), folder: folder}),
		Env:  []string{"KUBECONFIG=" + k.Kubeconfig(), "RUNTIME_NAMESPACE=default", "POD_NAMESPACE=default", "HOME=" + folder},
	}
	if err := c.program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if exit := c.program.Exit(); exit != "" {
			t.Errorf("%s ended: %s", c.name, exit)
		}
		if t.Failed() {
			t.Logf("the end of the log of %s:\n%s", c.name, c.program.Tail())
		}
		if err := c.program.Stop(true); err != nil {
			t.Error(err)
		}
	})
}

// waitUntilEstablished waits until the API server serves the kinds of definitions.
func waitUntilEstablished(t *testing.T, k *cluster.Cluster, definitions []*unstructured.Unstructured) {
	t.Helper()
	w := &world{t: t, cluster: k}
	w.connect()
	eventually(t, "the definitions are served", func(ctx context.Context) error {
		for _, d := range definitions {
			o, err := w.get(ctx, "CustomResourceDefinition.apiextensions.k8s.io/"+d.GetName())
			if err != nil {
				return err
			}
			if text := fmt.Sprint(o.Object["status"]); !strings.Contains(text, "reason:InitialNamesAccepted") {
				return fmt.Errorf("%s: %s", d.GetName(), text)
			}
		}
		return nil
	})
}

// eventually repeats try until it returns nil, for at most two minutes.
func eventually(t *testing.T, what string, try func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	for {
		err := try(ctx)
		if err == nil {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("%s: not within two minutes: %v", what, err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}
