package manifest

import (
	"fmt"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// buildKustomization builds the kustomization in a directory.
func (r Reader) buildKustomization(dir string) Input {
	in := Input{Name: dir, Items: []Object{}}
	items, err := r.build(dir)
	if err != nil {
		return Input{Name: dir, Err: fmt.Errorf("build kustomization: %w", err)}
	}
	for _, item := range items {
		item.From = Source{File: dir}
		in.Items = append(in.Items, item)
	}
	return in
}

// buildHere builds a kustomization in this process.
func buildHere(dir string, noRemote bool) (items []Object, err error) {
	files := filesys.FileSystem(boundedFiles{filesys.MakeFsOnDisk()})
	local := newLocalFiles(files)
	if noRemote {
		if isRemote(dir) {
			return nil, remoteError(dir)
		}
		files = local
	}
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(files, dir)
	if local.refused != nil {
		return nil, local.refused
	}
	if err != nil {
		return nil, err
	}
	for _, resource := range resources.Resources() {
		object, err := resource.Map()
		dropSecrets(object)
		items = append(items, Object{Content: object, Err: err})
	}
	return items, nil
}

// boundedFiles is a file system that rejects files whose aliases expand too much. Kustomize
// expands all aliases.
type boundedFiles struct{ filesys.FileSystem }

// ReadFile reads a file. It returns an error if the aliases of the file expand too much.
func (f boundedFiles) ReadFile(name string) ([]byte, error) {
	text, err := f.FileSystem.ReadFile(name)
	if err == nil {
		if err = CheckAliases(text); err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
	}
	return text, err
}
