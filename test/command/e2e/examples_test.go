package e2e

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// exampleOutput contains the outputs of the examples in module kube that read a cluster, by
// package. The namespace is the test's.
var exampleOutput = map[string]map[string]string{
	"wait": {
		"ExampleResolver_FetchAndResolve": "Namespace/NS Current: it is active\n" +
			"Deployment/NS/nowhere NotFound: it does not exist\n" +
			"Gadget/NS/g Unknown: the cluster does not serve Gadget.example.com\n",
		"ExampleResolver_WaitForStatus":          "Current\n",
		"ExampleResolver_interval":               "Namespace/NS Current\n",
		"ExampleResolver_WaitForStatusOfObjects": "Deployment/NS/hello Current: 1/1 available\n",
		"ExampleUnfinished":                      "timeout true\nNamespace/nowhere NotFound: it does not exist\n",
	},
	"tree": {
		"ExampleReader_Collect": "service NS/lonely selects no Pod: none has app=lonely\n",
	},
	"sets": {
		"ExampleCluster_Find": "ConfigMap/NS/member\n" +
			"no release with that name in namespace NS (searched Secrets and ConfigMaps with the labels name=web,owner=helm)\n",
	},
}

// TestExamples builds a program from the examples of each package and runs each example.
func TestExamples(t *testing.T) {
	t.Parallel()
	for pkg, output := range exampleOutput {
		t.Run(pkg, func(t *testing.T) {
			t.Parallel()
			runExamples(t, pkg, output)
		})
	}
}

func runExamples(t *testing.T, pkg string, output map[string]string) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	program, names := exampleProgram(t, pkg, ns)
	for _, name := range names {
		want, known := output[name]
		if !known {
			t.Errorf("%s: exampleOutput does not say what it prints", name)
			continue
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		cmd := exec.CommandContext(ctx, program, name)
		cmd.Env = append(os.Environ(), "KUBECONFIG="+c.Kubeconfig())
		out, err := cmd.CombinedOutput()
		cancel()
		if have := strings.ReplaceAll(string(out), ns, "NS"); err != nil || have != want {
			t.Errorf("%s: %v, prints\n%swant\n%s", name, err, have, want)
		}
	}
	if len(names) != len(output) {
		t.Errorf("have the examples %v, want %d", names, len(output))
	}
}

// readsCluster reports whether an example needs a cluster to run. The go command itself runs
// those with an output. Examples that only define a function are only compiled.
func readsCluster(e *doc.Example) bool {
	if e.Output != "" || e.EmptyOutput {
		return false
	}
	body, ok := e.Code.(*ast.BlockStmt)
	if !ok || len(body.List) != 1 {
		return true
	}
	assignment, ok := body.List[0].(*ast.AssignStmt)
	if !ok {
		return true
	}
	_, defines := assignment.Rhs[0].(*ast.FuncLit)
	return !defines
}

// exampleProgram builds a program that runs the example with the given name.
func exampleProgram(t *testing.T, pkg, namespace string) (path string, names []string) {
	t.Helper()
	file := filepath.Join("..", "..", "..", "kube", pkg, "example_test.go")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte("package "+pkg+"_test"), []byte("package main"), 1)
	text = bytes.ReplaceAll(text, []byte(`"default"`), fmt.Appendf(nil, "%q", namespace))
	text = append(text, "\nfunc main() {\n\tswitch os.Args[1] {\n"...)
	for _, e := range doc.Examples(parsed) {
		if readsCluster(e) {
			name := "Example" + e.Name
			names = append(names, name)
			text = fmt.Appendf(text, "\tcase %q:\n\t\t%s()\n", name, name)
		}
	}
	text = append(text, "\t}\n}\n"...)
	dir := t.TempDir()
	main := filepath.Join(dir, "main.go")
	if err := os.WriteFile(main, text, 0o600); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, "examples")
	if out, err := exec.Command("go", "build", "-o", path, main).CombinedOutput(); err != nil {
		t.Fatalf("build the examples: %v\n%s", err, out)
	}
	return path, names
}
