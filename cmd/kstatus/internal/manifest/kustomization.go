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

// buildKustomization builds a directory with a kustomization.
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

// boundedFiles are files whose aliases do not expand to much. Kustomize expands all of them.
type boundedFiles struct{ filesys.FileSystem }

// ReadFile reads a file. It fails for one whose aliases expand to too much.
func (f boundedFiles) ReadFile(name string) ([]byte, error) {
	text, err := f.FileSystem.ReadFile(name)
	if err == nil {
		if err = CheckAliases(text); err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
	}
	return text, err
}

// localFiles are files of kustomizations that refer to local files only. Kustomize reads a
// kustomization before it follows what that refers to, so that an error here comes before
// any request and before git is run.
type localFiles struct {
	filesys.FileSystem
	refused error // why a file was refused, which kustomize does not always tell
}

// ReadFile reads a file. It fails for one that refers to what is not local.
func (f *localFiles) ReadFile(name string) ([]byte, error) {
	text, err := f.FileSystem.ReadFile(name)
	if err != nil {
		return nil, err
	}
	for _, document := range documentBreak.Split(string(text), -1) {
		var fields map[string]any
		if yaml.Unmarshal([]byte(document), &fields) != nil {
			continue // which kustomize cannot read either
		}
		if !slices.Contains(kustomizationNames, filepath.Base(name)) && fields["apiVersion"] != "builtin" {
			continue // an object, which refers to no file
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

	// pathFields are the fields of kustomizations, and of the generators and transformers of
	// kustomize, that hold paths.
	pathFields = []string{
		"resources", "components", "bases", "crds", "configurations", "generators", "transformers", "validators", "patchesStrategicMerge",
		"path", "paths", "files", "envs", "env", "valuesFile", "additionalValuesFiles", "repo",
	}
)

// remoteIn returns the first remote path in a value, empty if it has none. paths means that
// texts are paths.
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
		if strings.Contains(strings.TrimSpace(value), "\n") { // a generator or a patch itself
			var fields map[string]any
			if yaml.Unmarshal([]byte(value), &fields) == nil && fields["apiVersion"] == "builtin" {
				return remoteIn(fields, false)
			}
			return ""
		}
		_, path, named := strings.Cut(value, "=") // a key and the file with its value
		if isRemote(value) || named && isRemote(path) {
			return value
		}
	}
	return ""
}

// scpStyle matches user@host:path, which git accepts, and names that begin with a host that
// kustomize recognizes.
var scpStyle = regexp.MustCompile(`(?i)^(git::|[^/]*@|(www\.)?github\.com[:/]|gh:)`)

// isRemote reports whether kustomize would fetch a path by HTTP or git. It is careful: some
// paths that it reports are none that kustomize accepts.
func isRemote(path string) bool {
	path = strings.TrimSpace(path)
	u, err := url.Parse(path)
	return strings.Contains(path, "://") || scpStyle.MatchString(path) || err == nil && (u.Scheme == "http" || u.Scheme == "https")
}

func remoteError(ref string) error {
	return fmt.Errorf("%q: want a local file or directory, since no server may be asked", ref)
}
