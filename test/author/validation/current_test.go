// Package validation verifies that the copy of the API server's validation in
// author/crd/internal/validation is that of the required version.
package validation

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the copy again")

const (
	definitions = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	webhooks    = "k8s.io/apiserver/pkg/util/webhook"
	to          = "../../../author/crd/internal/validation"
)

var sources = []source{
	{definitions, "validation.go", "validation.go"},
	{definitions, "cel_validation.go", "cel_validation.go"},
	{webhooks, "validation.go", "webhook.go"},
}

// replacements are the only changes. Package webhook of the API server imports gRPC and
// OpenTelemetry: the copy has its functions. Kubernetes 1.35 does not have
// ValidateObjectMetaDeclaratively, whose additional rules are not enforced.
var replacements = strings.NewReplacer(
	"webhook.Validate", "Validate",
	"genericvalidation.ValidateObjectMetaDeclaratively(ctx, operation.Create, &obj.ObjectMeta, nil, false, nameValidationFn, field.NewPath(\"metadata\"), utilfeature.DefaultFeatureGate.Enabled(features.DeclarativeValidationBeta))",
	"genericvalidation.ValidateObjectMeta(&obj.ObjectMeta, false, nameValidationFn, field.NewPath(\"metadata\"))",
	"// TODO: replace below", "// Upstream plans to replace the lines below",
)

func TestCopyIsUpToDate(t *testing.T) {
	var files []*copied
	for _, s := range sources {
		file, err := read(s, folderOf(t, s.pkg), replacements)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	keepUsed(files, "ValidateCustomResourceDefinition")
	for _, file := range files {
		want, err := file.copyText()
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(to, file.to)
		if *update {
			if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		have, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if string(have) != want {
			t.Errorf("%s is not a copy of %s/%s; run make generate", name, file.pkg, file.file)
		}
	}
}

// folderOf returns the folder of a package.
func folderOf(t *testing.T, pkg string) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", "{{.Dir}}", pkg).Output()
	if err != nil {
		t.Fatalf("find %s: %v", pkg, err)
	}
	return strings.TrimSpace(string(out))
}
