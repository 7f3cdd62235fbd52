package manifest

import (
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/provider"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// localFiles is a file system that rejects kustomizations with remote references. Kustomize
// reads a kustomization before it follows its references. So the error comes before any request,
// and before git runs. It decodes each file with the functions of kustomize, so that both read the
// same references.
type localFiles struct {
	filesys.FileSystem
	refused error // the error for a rejected file, which kustomize does not always return

	isKustomization map[string]bool // the files behind links with the name of a kustomization.
	hasPlugins      bool            // a kustomization names a generator, transformer or validator.
	factory         *resmap.Factory
}

func newLocalFiles(files filesys.FileSystem) *localFiles {
	factory := resmap.NewFactory(provider.NewDepProvider().GetResourceFactory())
	return &localFiles{FileSystem: files, isKustomization: map[string]bool{}, factory: factory}
}

// CleanedAbs resolves links. It records the file behind the name of a kustomization, since
// kustomize reads that file.
func (f *localFiles) CleanedAbs(path string) (filesys.ConfirmedDir, string, error) {
	dir, file, err := f.FileSystem.CleanedAbs(path)
	if err == nil && isKustomizationName(path) {
		f.isKustomization[dir.Join(file)] = true
	}
	return dir, file, err
}

func isKustomizationName(path string) bool {
	return slices.Contains(konfig.RecognizedKustomizationFileNames(), filepath.Base(path))
}

// ReadFile reads a file. It returns an error if the file has a remote reference.
func (f *localFiles) ReadFile(name string) ([]byte, error) {
	text, err := f.FileSystem.ReadFile(name)
	if err != nil {
		return nil, err
	}
	remote := ""
	var k types.Kustomization
	if (f.isKustomization[name] || isKustomizationName(name)) && k.Unmarshal(text) == nil {
		k.FixKustomization()
		remote = f.remoteIn(k)
	}
	if remote == "" && f.hasPlugins {
		remote = f.remoteInPlugins(text)
	}
	if remote != "" {
		f.refused = fmt.Errorf("%s: %w", name, remoteError(remote))
		return nil, f.refused
	}
	return text, nil
}

// remoteIn returns the first remote reference of a kustomization, or an empty text.
func (f *localFiles) remoteIn(k types.Kustomization) string {
	refs := slices.Concat(k.Resources, k.Components, k.Crds, k.Configurations, []string{k.OpenAPI["path"]})
	for _, g := range k.ConfigMapGenerator {
		refs = append(refs, generatorFiles(g.GeneratorArgs)...)
	}
	for _, g := range k.SecretGenerator {
		refs = append(refs, generatorFiles(g.GeneratorArgs)...)
	}
	//lint:ignore SA1019 kustomize still reads this field
	for _, p := range k.PatchesStrategicMerge { // the text of a patch, or a file
		if isURL(string(p)) {
			refs = append(refs, string(p))
		}
	}
	//lint:ignore SA1019 kustomize still reads this field
	for _, p := range slices.Concat(k.Patches, k.PatchesJson6902) {
		refs = append(refs, p.Path)
	}
	for _, r := range k.Replacements {
		refs = append(refs, r.Path)
	}
	if k.HelmGlobals != nil {
		refs = append(refs, k.HelmGlobals.ChartHome)
	}
	for _, c := range k.HelmCharts {
		refs = append(refs, c.Repo, c.ValuesFile)
		refs = append(refs, c.AdditionalValuesFiles...)
	}
	for _, p := range slices.Concat(k.Generators, k.Transformers, k.Validators) {
		f.hasPlugins = true
		if _, err := f.factory.NewResMapFromBytes([]byte(p)); err != nil {
			refs = append(refs, p)
		} else if remote := f.remoteInPlugins([]byte(p)); remote != "" {
			return remote
		}
	}
	if i := slices.IndexFunc(refs, isRemote); i >= 0 {
		return refs[i]
	}
	return ""
}

// generatorFiles returns the files of a generator without their keys.
func generatorFiles(g types.GeneratorArgs) (refs []string) {
	for _, file := range g.FileSources {
		_, path, found := strings.Cut(file, "=") // KEY=FILE
		if found {
			refs = append(refs, path)
		}
		refs = append(refs, file)
	}
	return append(refs, g.EnvSources...)
}

// remoteInPlugins returns the first remote reference of the generators and transformers in a
// text, or an empty text. Objects have no references to files.
func (f *localFiles) remoteInPlugins(text []byte) string {
	found, err := f.factory.NewResMapFromBytes(text)
	if err != nil {
		return "" // kustomize cannot read it either
	}
	for _, resource := range found.Resources() {
		if resource.GetGvk().Version != konfig.BuiltinPluginApiVersion {
			continue
		}
		fields, err := resource.Map()
		if err != nil {
			return err.Error()
		}
		if remote := remoteBelow(fields); remote != "" {
			return remote
		}
	}
	return ""
}

// textFields are the fields of generators and transformers whose text is no path.
var textFields = []string{"metadata", "annotations", "literals", "patch", "patches", "jsonOp", "value"}

// remoteBelow returns the first URL in a value, or an empty text. The case of a key does not
// matter, as in encoding/json.
func remoteBelow(value any) string {
	switch value := value.(type) {
	case map[string]any:
		for key, below := range value {
			if slices.ContainsFunc(textFields, func(name string) bool { return strings.EqualFold(name, key) }) {
				continue
			}
			if remote := remoteBelow(below); remote != "" {
				return remote
			}
		}
	case []any:
		for _, item := range value {
			if remote := remoteBelow(item); remote != "" {
				return remote
			}
		}
	case string:
		_, path, _ := strings.Cut(value, "=") // KEY=FILE
		if isURL(value) || isURL(path) {
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
	return strings.Contains(path, "://") || scpStyle.MatchString(path) || isURL(path)
}

// isURL reports whether kustomize would fetch a file by HTTP. It decides as kustomize does.
func isURL(path string) bool {
	u, err := url.Parse(path)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https")
}

func remoteError(ref string) error {
	return fmt.Errorf("%q: want a local file or directory: remote resources are not fetched", ref)
}
