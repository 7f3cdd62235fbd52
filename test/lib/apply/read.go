package apply

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// File reads the objects of a YAML or JSON file, or of all such files in a folder.
func File(path string) ([]*unstructured.Unstructured, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	files := []string{path}
	if info.IsDir() {
		if files, err = manifests(path); err != nil {
			return nil, err
		}
	}
	var objects []*unstructured.Unstructured
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		found, err := Parse(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		objects = append(objects, found...)
	}
	return objects, nil
}

// Kustomization builds the objects of a folder with a kustomization.yaml.
func Kustomization(dir string) ([]*unstructured.Unstructured, error) {
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), dir)
	if err != nil {
		return nil, err
	}
	data, err := built.AsYaml()
	if err != nil {
		return nil, err
	}
	return Parse(data)
}

// manifests returns the manifests of a folder without its subfolders. Kustomizations are not
// manifests.
func manifests(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, entry := range entries {
		isManifest := slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(entry.Name()))
		if entry.Type() == fs.ModeDir || !isManifest || entry.Name() == "kustomization.yaml" {
			continue
		}
		files = append(files, filepath.Join(dir, entry.Name()))
	}
	return files, nil
}

// Parse reads all documents of a YAML or JSON text. It expands Lists.
func Parse(data []byte) ([]*unstructured.Unstructured, error) {
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data)))
	var objects []*unstructured.Unstructured
	for n := 1; ; n++ {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return nil, fmt.Errorf("document %d: %w", n, err)
		}
		found, err := parseOne(document)
		if err != nil {
			return nil, fmt.Errorf("document %d: %w", n, err)
		}
		objects = append(objects, found...)
	}
}

func parseOne(document []byte) ([]*unstructured.Unstructured, error) {
	data, err := yaml.YAMLToJSON(document)
	if err != nil {
		return nil, err
	}
	if text := string(bytes.TrimSpace(data)); text == "null" || text == "{}" {
		return nil, nil
	}
	read, _, err := unstructured.UnstructuredJSONScheme.Decode(data, nil, nil)
	if err != nil {
		return nil, err
	}
	switch read := read.(type) {
	case *unstructured.Unstructured:
		return []*unstructured.Unstructured{read}, nil
	case *unstructured.UnstructuredList:
		var objects []*unstructured.Unstructured
		err := read.EachListItem(func(item runtime.Object) error {
			if object, ok := item.(*unstructured.Unstructured); ok {
				objects = append(objects, object)
			}
			return nil
		})
		return objects, err
	}
	return nil, fmt.Errorf("want an object, have %T", read)
}
