package manifest

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// With NoRemote, a remote reference in any place of a kustomization starts neither a request nor
// git.
func TestNoRemoteBases(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		http.Error(w, "no", http.StatusNotFound)
	}))
	defer server.Close()
	bin := t.TempDir()
	run := filepath.Join(bin, "git-was-run")
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\n: > '"+run+"'\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	settings := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {see: 'https://example.com'}}\n"
	for _, row := range []struct {
		it, kustomization string
		remote            bool
	}{
		{"takes local files", "resources: [a.yaml]\nnamePrefix: x-\ncommonAnnotations: {see: 'https://example.com/a'}\n", false},
		{"takes local directories", "resources: [base]\ncomponents: []\n", false},
		{"takes local literals", "resources: [a.yaml]\nconfigMapGenerator: [{name: b, literals: ['a=https://example.com'], files: [a.yaml, k=a.yaml]}]\n", false},
		{"takes patches with addresses", "resources: [a.yaml]\npatches: [{target: {kind: ConfigMap}, patch: '[{\"op\": \"add\", \"path\": \"/data\", \"value\": {\"a\": \"https://example.com\"}}]'}]\n", false},
		{"refuses a file of a server", "resources: ['SERVER/a.yaml']\n", true},
		{"refuses a file of a server below a local base", "resources: [remote]\n", true},
		{"refuses a repository", "resources: ['SERVER/org/repo?ref=v1']\n", true},
		{"refuses a repository by SSH", "resources: ['git@example.com:org/repo']\n", true},
		{"refuses a repository of GitHub", "resources: [github.com/org/repo]\n", true},
		{"refuses a repository of GitHub in capitals", "resources: ['GitHub.com/org/repo']\n", true},
		{"refuses a repository of a file", "resources: ['file:///tmp/repo']\n", true},
		{"refuses a forced repository", "resources: ['git::SERVER/org/repo']\n", true},
		{"refuses an old base", "bases: ['SERVER/org/repo']\n", true},
		{"refuses a component", "resources: [a.yaml]\ncomponents: ['SERVER/org/repo']\n", true},
		{"refuses a definition", "resources: [a.yaml]\ncrds: ['SERVER/crd.json']\n", true},
		{"refuses a patch", "resources: [a.yaml]\npatches: [{path: 'SERVER/patch.yaml'}]\n", true},
		{"refuses an old patch", "resources: [a.yaml]\npatchesStrategicMerge: ['SERVER/patch.yaml']\n", true},
		{"refuses a replacement", "resources: [a.yaml]\nreplacements: [{path: 'SERVER/r.yaml'}]\n", true},
		{"refuses a schema", "resources: [a.yaml]\nopenapi: {path: 'SERVER/schema.json'}\n", true},
		{"refuses a file of a generator", "configMapGenerator: [{name: b, files: ['k=SERVER/a']}]\n", true},
		{"refuses an environment of a generator", "configMapGenerator: [{name: b, envs: ['SERVER/a']}]\n", true},
		{"refuses a transformer", "resources: [a.yaml]\ntransformers: ['SERVER/t.yaml']\n", true},
		{"refuses what a local transformer names", "resources: [a.yaml]\ntransformers: [transformer.yaml]\n", true},
		{"refuses what an inline generator names", "generators:\n- |-\n  apiVersion: builtin\n  kind: ConfigMapGenerator\n  metadata: {name: b}\n  files: ['SERVER/a']\n", true},
		{"refuses a key in another case", "Resources: ['SERVER/a.yaml']\n", true},
		{"refuses a key in capitals", "RESOURCES: ['SERVER/a.yaml']\n", true},
		{"refuses a key with another letter of the same case", "re\u017fources: ['SERVER/a.yaml']\n", true},
		{"refuses a definition in another case", "resources: [a.yaml]\nCrds: ['SERVER/crd.json']\n", true},
		{"refuses a patch in another case", "resources: [a.yaml]\npatches: [{Path: 'SERVER/patch.yaml', target: {kind: ConfigMap}}]\n", true},
		{"refuses a generator in another case", "configMapGenerator: [{name: b, FILES: ['SERVER/a']}]\n", true},
		{"refuses a Secret's environment", "secretGenerator: [{name: b, env: 'SERVER/a'}]\n", true},
		{"refuses a repository in another case", "Components: ['git@example.com:org/repo']\n", true},
		{"refuses a reference after dashes in a scalar", "namePrefix: 'a\n\n---x'\nresources: ['SERVER/a.yaml']\n", true},
		{"refuses a reference in a merged mapping", "<<: {resources: ['SERVER/a.yaml']}\n", true},
		{"refuses a reference behind an anchor", "namePrefix: &a 'SERVER/a.yaml'\nresources: [*a]\n", true},
		{"refuses a reference in JSON with escapes", `{"resources": ["http:\u002f\u002f127.0.0.1:1/a.yaml"]}`, true},
		{"refuses a reference in binary", "resources: !!seq [!!binary aHR0cDovLzEyNy4wLjAuMTox]\n", true},
		{"refuses a reference in a folded scalar", "resources:\n- >-\n  SERVER/a.yaml\n", true},
		{"refuses a repository with a line break", "resources: [\"SERVER/org/repo\\n.git\"]\n", true},
		{"refuses a configuration", "resources: [a.yaml]\nconfigurations: ['SERVER/c.yaml']\n", true},
		{"refuses an inline transformer in another case", "resources: [a.yaml]\ntransformers:\n- |-\n  apiVersion: builtin\n  kind: PatchTransformer\n  metadata: {name: b}\n  PATH: 'SERVER/a'\n", true},
		{"refuses an inline transformer in one line with escapes", `{"resources": ["a.yaml"], "transformers": ["{apiVersion: builtin, kind: PatchTransformer, metadata: {name: b}, path: \"http:\\u002f\\u002f127.0.0.1:1/a\"}"]}`, true},
		{"refuses a value of a transformer", "resources: [a.yaml]\ntransformers: [value.yaml]\n", true},
		{"refuses a validator", "resources: [a.yaml]\nvalidators: [after.yaml]\n", true},
		{"refuses what a transformer after an object names", "resources: [a.yaml]\ntransformers: [after.yaml]\n", true},
		{"refuses a linked kustomization", "resources: [linked]\n", true},
		{"refuses a transformer of a nested base", "resources: [nested]\n", true},
		{"takes a transformer with an address in an annotation", "resources: [a.yaml]\ntransformers: [annotate.yaml]\n", false},
		{"takes an inline patch with an address", "resources: [a.yaml]\npatchesStrategicMerge:\n- |-\n  apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a, annotations: {see: 'https://example.com'}}\n", false},
		{"takes an annotation with the name of a field of paths", "resources: [a.yaml]\ncommonAnnotations: {repo: 'https://example.com/a', path: 'https://example.com'}\n", false},
	} {
		t.Run(row.it, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{
				"kustomization.yaml": row.kustomization, "a.yaml": settings,
				"base/kustomization.yml": "resources: [a.yaml]\n", "base/a.yaml": settings,
				"remote/Kustomization":      "resources: ['SERVER/a.yaml']\n",
				"linked/other.txt":          "resources: ['SERVER/a.yaml']\n",
				"nested/kustomization.yaml": "resources: [a.yaml]\ntransformers: [t.json]\n", "nested/a.yaml": settings,
				"nested/t.json":    `{"apiVersion": "builtin", "kind": "PatchTransformer", "metadata": {"name": "p"}, "Path": "SERVER/p.yaml", "target": {"kind": "ConfigMap"}}`,
				"value.yaml":       "apiVersion: builtin\nkind: ValueAddTransformer\nmetadata: {name: p}\nvalue: v\ntargetFilePath: SERVER/p.yaml\n",
				"after.yaml":       settings + "---\napiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: p}\nPath: SERVER/p.yaml\ntarget: {kind: ConfigMap}\n",
				"annotate.yaml":    "apiVersion: builtin\nkind: AnnotationsTransformer\nmetadata: {name: p}\nannotations: {see: 'https://example.com'}\nfieldSpecs: [{path: metadata/annotations, create: true}]\n",
				"transformer.yaml": "apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: p}\npath: SERVER/p.yaml\ntarget: {kind: ConfigMap}\n",
			} {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.ReplaceAll(text, "SERVER", server.URL)), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Symlink("other.txt", filepath.Join(dir, "linked", "kustomization.yaml")); err != nil {
				t.Fatal(err)
			}
			in := Reader{NoRemote: true}.buildKustomization(dir)
			if (in.Err != nil) != row.remote || row.remote && !strings.Contains(in.Err.Error(), "remote resources are not fetched") {
				t.Errorf("the error is %v", in.Err)
			}
			if asked.Swap(0) > 0 {
				t.Error("a server is asked")
			}
			if os.Remove(run) == nil {
				t.Error("git is run")
			}
		})
	}
	in := Reader{NoRemote: true}.buildKustomization("https://github.com/org/repo")
	if in.Err == nil || os.Remove(run) == nil {
		t.Errorf("a repository itself is built: %v", in.Err)
	}
}

// notPaths are the fields of a kustomization whose text kustomize does not read as a path.
var notPaths = strings.Fields(`apiVersion kind metadata namePrefix nameSuffix namespace commonLabels labels commonAnnotations images imageTags
	replicas vars sortOptions generatorOptions buildMetadata helmChartInflationGenerator bases`)

// Each field of a kustomization either has no path, or a remote path in it is refused. A new field
// of kustomize fails this test.
func TestEachFieldIsExamined(t *testing.T) {
	const remote = "https://example.com/a"
	var k types.Kustomization
	for i := range reflect.TypeOf(k).NumField() {
		field := reflect.TypeOf(k).Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" || slices.Contains(notPaths, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			var k types.Kustomization
			text := map[reflect.Type]string{
				reflect.TypeFor[[]string]():                    "['" + remote + "']",
				reflect.TypeFor[[]types.PatchStrategicMerge](): "['" + remote + "']",
				reflect.TypeFor[map[string]string]():           "{path: '" + remote + "'}",
				reflect.TypeFor[[]types.ConfigMapArgs]():       "[{name: a, files: ['" + remote + "']}]",
				reflect.TypeFor[[]types.SecretArgs]():          "[{name: a, files: ['" + remote + "']}]",
				reflect.TypeFor[[]types.Patch]():               "[{path: '" + remote + "'}]",
				reflect.TypeFor[[]types.ReplacementField]():    "[{path: '" + remote + "'}]",
				reflect.TypeFor[[]types.HelmChart]():           "[{repo: '" + remote + "'}]",
				reflect.TypeFor[*types.HelmGlobals]():          "{chartHome: '" + remote + "'}",
			}[field.Type]
			if err := k.Unmarshal([]byte(name + ": " + text)); err != nil || text == "" {
				t.Fatalf("a field of type %s: %v", field.Type, err)
			}
			if newLocalFiles(filesys.MakeFsInMemory()).remoteIn(k) != remote {
				t.Errorf("a remote path is not refused")
			}
		})
	}
}
