package manifest

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
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
	} {
		t.Run(row.it, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{
				"kustomization.yaml": row.kustomization, "a.yaml": settings,
				"base/kustomization.yml": "resources: [a.yaml]\n", "base/a.yaml": settings,
				"remote/Kustomization": "resources: ['SERVER/a.yaml']\n",
				"transformer.yaml":     "apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: p}\npath: SERVER/p.yaml\ntarget: {kind: ConfigMap}\n",
			} {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.ReplaceAll(text, "SERVER", server.URL)), 0o600); err != nil {
					t.Fatal(err)
				}
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
