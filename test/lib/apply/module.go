package apply

import (
	"context"
	"fmt"
	"path/filepath"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/test/lib/modcache"
)

// Definitions reads the CustomResourceDefinitions in the files of a module, module@version, that match
// a pattern. It leaves out their conversion, whose webhook does not run.
func Definitions(ctx context.Context, module, pattern string) ([]*unstructured.Unstructured, error) {
	dir, err := modcache.Folder(ctx, "", module)
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(dir, pattern))
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
