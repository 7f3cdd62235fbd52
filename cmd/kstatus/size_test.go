package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// forbidden are packages that make the command large, with the reason. A name that ends with /
// matches all packages below it.
var forbidden = map[string]string{
	"plugin":                                       "with cgo, the linker keeps every method and every symbol",
	"html/template":                                "the linker keeps every exported method if templates are reachable",
	"golang.org/x/net/trace":                       "its handlers use html/template",
	"go.etcd.io/":                                  "only servers store objects",
	"google.golang.org/grpc/":                      "no request of the command uses gRPC",
	"go.opentelemetry.io/otel/sdk/":                "the command has no traces",
	"go.opentelemetry.io/otel/exporters/":          "the command has no traces",
	"k8s.io/apiserver/pkg/server/":                 "a server links etcd and gRPC",
	"k8s.io/apiserver/pkg/storage/":                "only servers store objects",
	"k8s.io/apiserver/pkg/util/webhook/":           "its tunnels link gRPC; author/crd/internal/validation has what is needed of it",
	"k8s.io/apiextensions-apiserver/pkg/apiserver": "a server links etcd and gRPC",
	"k8s.io/client-go/kubernetes":                  "its clients of all types have 300 packages",
	"k8s.io/kubectl/":                              "it has text/template and clients of all types",
	"helm.sh/helm/":                                "it has text/template and clients of all types",
	"sigs.k8s.io/cluster-api/":                     "the command reads objects without their Go types",
}

// TestCommandDoesNotDependOnLargePackages does not link anything. The tests in test/command/hostile
// verify that the program does not keep unused methods.
func TestCommandDoesNotDependOnLargePackages(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-tags", "kustomize_disable_go_plugin_support", ".").Output()
	if err != nil {
		t.Fatalf("list the dependencies: %v", err)
	}
	deps := strings.Fields(string(out))
	if !slices.Contains(deps, "k8s.io/client-go/dynamic") {
		t.Fatal("the list is incomplete")
	}
	for _, dep := range deps {
		for name, reason := range forbidden {
			if dep == name || strings.HasSuffix(name, "/") && strings.HasPrefix(dep+"/", name) {
				t.Errorf("the command depends on %s: %s; go mod why -m shows why", dep, reason)
			}
		}
	}
}
