package e2e

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What the examples of package wait print, as they stand in its documentation.
// The namespace is the test's.
var exampleOutput = map[string]string{
	"ExampleResolver_FetchAndResolve": "Namespace/NS Current: it is active\n" +
		"Deployment/NS/nowhere NotFound: it does not exist\n" +
		"Gadget/NS/g Unknown: the cluster does not serve Gadget.example.com\n",
	"ExampleResolver_WaitForStatus":          "Current\n",
	"ExampleResolver_interval":               "Namespace/NS Current\n",
	"ExampleResolver_WaitForStatusOfObjects": "Deployment/NS/hello Current: 1/1 available\n",
	"ExampleUnfinished":                      "timeout true\nNamespace/nowhere NotFound: it does not exist\n",
}

// TestExamplesOfPackageWait makes a program of the examples and runs each.
func TestExamplesOfPackageWait(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	program, names := exampleProgram(t, ns)
	for _, name := range names {
		want, known := exampleOutput[name]
		if !known {
			t.Errorf("%s: it is not told what it prints", name)
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
	if len(names) != len(exampleOutput) {
		t.Errorf("have the examples %v, want %d", names, len(exampleOutput))
	}
}

// exampleProgram builds a program that runs the example whose name it is given.
func exampleProgram(t *testing.T, namespace string) (path string, names []string) {
	t.Helper()
	file := filepath.Join("..", "..", "kube", "wait", "example_test.go")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte("package wait_test"), []byte("package main"), 1)
	text = bytes.ReplaceAll(text, []byte(`"default"`), fmt.Appendf(nil, "%q", namespace))
	text = append(text, "\nfunc main() {\n\tswitch os.Args[1] {\n"...)
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(f.Name.Name, "Example") {
			names = append(names, f.Name.Name)
			text = fmt.Appendf(text, "\tcase %q:\n\t\t%s()\n", f.Name.Name, f.Name.Name)
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
