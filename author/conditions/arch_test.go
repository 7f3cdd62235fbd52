package conditions_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// mayLink lists the modules that package conditions links: apimachinery with
// its dependencies, and kstatus. A controller that uses this package has all of
// them anyway. Code with other dependencies, such as client-go and
// controller-runtime, belongs into package ctrl.
var mayLink = []string{
	"k8s.io/apimachinery", "kstatus.dev", "kstatus.dev/author", "kstatus.dev/author/conditions",
	"github.com/fxamacker/cbor/v2", "github.com/go-logr/logr", "github.com/json-iterator/go",
	"github.com/modern-go/concurrent", "github.com/modern-go/reflect2", "github.com/x448/float16",
	"go.yaml.in/yaml/v2", "golang.org/x/net", "golang.org/x/text", "gopkg.in/inf.v0",
	"k8s.io/klog/v2", "k8s.io/kube-openapi", "k8s.io/utils",
	"sigs.k8s.io/json", "sigs.k8s.io/randfill", "sigs.k8s.io/structured-merge-diff/v6", "sigs.k8s.io/yaml",
}

func TestTheKitLinksApimachineryOnly(t *testing.T) {
	for _, pkg := range []string{".", "./conditionstest"} {
		t.Run(pkg, func(t *testing.T) {
			out, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", pkg).Output()
			if err != nil {
				t.Fatal(err)
			}
			modules := strings.Fields(string(out))
			if !slices.Contains(modules, "k8s.io/apimachinery") {
				t.Fatalf("go list tells of no apimachinery: %s", out)
			}
			slices.Sort(modules)
			for _, m := range slices.Compact(modules) {
				if !slices.Contains(mayLink, m) {
					t.Errorf("%s links %s", pkg, m)
				}
			}
		})
	}
}
