package manifest

import (
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// buildKustomization builds the kustomization in a directory.
func (r Reader) buildKustomization(dir string) Input {
	fail := func(err error) Input { return Input{Name: dir, Err: fmt.Errorf("build kustomization: %w", err)} }
	files := filesys.FileSystem(boundedFiles{filesys.MakeFsOnDisk()})
	local := &localFiles{FileSystem: files}
	if r.NoRemote {
		if isRemote(dir) {
			return fail(remoteError(dir))
		}
		files = local
	}
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(files, dir)
	if local.refused != nil {
		err = local.refused
	}
	if err != nil {
		return fail(err)
	}
	in := Input{Name: dir, Items: []Object{}}
	for _, resource := range resources.Resources() {
		object, err := resource.Map()
		in.Items = append(in.Items, Object{Content: object, From: Source{File: dir}, Err: err})
	}
	for _, item := range in.Items {
		dropSecrets(item.Content)
	}
	return in
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

// localFiles is a file system that rejects kustomizations with remote references. Kustomize
// reads a kustomization before it follows its references. So the error comes before any request,
// and before git runs.
type localFiles struct {
	filesys.FileSystem
	refused error // the error for a rejected file, which kustomize does not always return
}

// ReadFile reads a file. It returns an error if the file has a remote reference.
func (f *localFiles) ReadFile(name string) ([]byte, error) {
	text, err := f.FileSystem.ReadFile(name)
	if err != nil {
		return nil, err
	}
	for _, document := range documentBreak.Split(string(text), -1) {
		var fields map[string]any
		if yaml.Unmarshal([]byte(document), &fields) != nil {
			continue // kustomize cannot read it either
		}
		if !slices.Contains(kustomizationNames, filepath.Base(name)) && fields["apiVersion"] != "builtin" {
			continue // an object has no references to files
		}
		if ref := remoteIn(fields, false); ref != "" {
			f.refused = fmt.Errorf("%s: %w", name, remoteError(ref))
			return nil, f.refused
		}
	}
	return text, nil
}

var (
	documentBreak = regexp.MustCompile(`(?m)^---`)

	// kustomizationNames are the names of kustomization files in a directory.
	kustomizationNames = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}

	// pathFields are the fields with paths in kustomizations, and in the generators and
	// transformers of kustomize.
	pathFields = []string{
		"resources", "components", "bases", "crds", "configurations", "generators", "transformers", "validators", "patchesStrategicMerge",
		"path", "paths", "files", "envs", "env", "valuesFile", "additionalValuesFiles", "repo",
	}
)

// remoteIn returns the first remote path in a value, or an empty text. If paths is true, strings
// are paths.
func remoteIn(value any, paths bool) string {
	switch value := value.(type) {
	case map[string]any:
		for key, below := range value {
			if ref := remoteIn(below, slices.Contains(pathFields, key)); ref != "" {
				return ref
			}
		}
	case []any:
		for _, item := range value {
			if ref := remoteIn(item, paths); ref != "" {
				return ref
			}
		}
	case string:
		if !paths {
			return ""
		}
		if strings.Contains(strings.TrimSpace(value), "\n") { // an inline generator or patch
			var fields map[string]any
			if yaml.Unmarshal([]byte(value), &fields) == nil && fields["apiVersion"] == "builtin" {
				return remoteIn(fields, false)
			}
			return ""
		}
		_, path, named := strings.Cut(value, "=") // KEY=FILE
		if isRemote(value) || named && isRemote(path) {
			return value
		}
	}
	return ""
}

// scpStyle matches user@host:path, which git accepts, and names that begin with a host that
// kustomize recognizes.
var scpStyle = regexp.MustCompile(`(?i)^(git::|[^/]*@|(www\.)?github\.com[:/]|gh:)`)

// isRemote reports whether kustomize would fetch a path by HTTP or git. It is cautious: it also
// reports some paths that kustomize rejects.
func isRemote(path string) bool {
	path = strings.TrimSpace(path)
	u, err := url.Parse(path)
	return strings.Contains(path, "://") || scpStyle.MatchString(path) || err == nil && (u.Scheme == "http" || u.Scheme == "https")
}

func remoteError(ref string) error {
	return fmt.Errorf("%q: want a local file or directory: remote resources are not fetched", ref)
}
