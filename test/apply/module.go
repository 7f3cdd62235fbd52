package apply

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Definitions reads the CustomResourceDefinitions in the files of a module, module@version, that match
// a pattern. It leaves out their conversion, whose webhook does not run.
func Definitions(ctx context.Context, module, pattern string) ([]*unstructured.Unstructured, error) {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", module)
	cmd.Dir = os.TempDir()
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go mod download %s: %w\n%s", module, err, out)
	}
	var found struct{ Dir string }
	if err := json.Unmarshal(out, &found); err != nil {
		return nil, fmt.Errorf("go mod download %s: %w", module, err)
	}
	files, err := filepath.Glob(filepath.Join(found.Dir, pattern))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("module %s has no %s", module, pattern)
	}
	var all []*unstructured.Unstructured
	for _, file := range files {
		objects, err := File(file)
		if err != nil {
			return nil, err
		}
		for _, o := range objects {
			if o.GetKind() == "CustomResourceDefinition" {
				unstructured.RemoveNestedField(o.Object, "spec", "conversion")
				all = append(all, o)
			}
		}
	}
	return all, nil
}
