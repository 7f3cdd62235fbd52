// Package contract compares the checks of Cluster API's contract with real providers, and with
// core's own way of reading them.
package contract

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"kstatus.dev/author/crd"
	"kstatus.dev/author/lint"
	"kstatus.dev/clusterapi/check"
	"kstatus.dev/test/lib/modcache"
)

var update = flag.Bool("update", false, "write testdata/providers.txt instead of comparing it")

// The tested releases, as in the module proxy. Their installed definitions are the result of
// kustomize. If that needs other files, the test takes the definitions before kustomize adds
// the labels of contracts.
var providers = []struct {
	module   string
	release  string
	build    string // a folder with a kustomization
	files    string // a pattern, if there is none
	contract check.Contract
}{
	{module: "sigs.k8s.io/cluster-api@v1.14.2", release: "v1.14.2", build: "bootstrap/kubeadm/config/default"},
	{module: "sigs.k8s.io/cluster-api@v1.14.2", release: "v1.14.2", build: "controlplane/kubeadm/config/default"},
	{module: "sigs.k8s.io/cluster-api-provider-aws/v2@v2.13.0", release: "v2.13.0", build: "config/default"},
	{module: "sigs.k8s.io/cluster-api-provider-gcp@v1.13.1", release: "v1.13.1", build: "config/default"},
	{module: "sigs.k8s.io/cluster-api-provider-azure@v1.21.0", release: "v1.21.0", files: "config/crd/bases/infrastructure*.yaml", contract: check.ContractV1Beta1},
}

// The findings in releases of real providers match testdata/providers.txt. Each line of the
// file was reviewed by hand.
func TestFindingsInReleasesOfProviders(t *testing.T) {
	var b bytes.Buffer
	for _, p := range providers {
		dir := directory(t, p.module)
		var bundle lint.Bundle
		if p.build != "" {
			add(t, &bundle, p.build, build(t, filepath.Join(dir, p.build)))
		} else {
			read(t, &bundle, filepath.Join(dir, p.files))
		}
		read(t, &bundle, filepath.Join(dir, "metadata.yaml"))
		checks := check.Checks(check.Options{Contract: p.contract, Release: p.release})
		describe(&b, p.module+" "+p.build+p.files, bundle, lint.Run(bundle, lint.Options{Checks: checks, Plural: crd.Plural}))
	}
	const golden = "testdata/providers.txt"
	if *update {
		if err := os.WriteFile(golden, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("found\n%s\nwant\n%s", b.Bytes(), want)
	}
}

// directory downloads a module and returns its folder in the module cache.
func directory(t *testing.T, module string) string {
	t.Helper()
	dir, err := modcache.Folder(t.Context(), "", module)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// build runs kustomize. On standard error it warns about deprecated fields of old
// kustomizations.
func build(t *testing.T, dir string) []byte {
	t.Helper()
	options := krusty.MakeDefaultOptions()
	options.LoadRestrictions = types.LoadRestrictionsNone
	built, err := krusty.MakeKustomizer(options).Run(filesys.MakeFsOnDisk(), dir)
	if err != nil {
		t.Fatal(err)
	}
	text, err := built.AsYaml()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func read(t *testing.T, b *lint.Bundle, pattern string) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("no file matches %s: %v", pattern, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		add(t, b, name, text)
	}
}

func add(t *testing.T, b *lint.Bundle, name string, text []byte) {
	t.Helper()
	f := crd.Parse(name, text)
	for _, err := range f.Errors() {
		t.Error(err)
	}
	for _, o := range f.Objects() {
		b.Objects = append(b.Objects, o.Value)
	}
}

// describe writes a line for each kind of finding and definition.
func describe(b *bytes.Buffer, module string, bundle lint.Bundle, found []lint.Finding) {
	fmt.Fprintf(b, "%s: %d definitions, %d findings\n", module, len(bundle.CRDs()), len(found))
	type row struct{ severity, id, check string }
	rows := map[row][]string{}
	for _, f := range found {
		name, _, _ := strings.Cut(f.Name, ".")
		key := row{f.Severity.String(), f.ID, f.Check}
		rows[key] = append(rows[key], cmp.Or(name, "-"))
	}
	for _, key := range slices.SortedFunc(maps.Keys(rows), func(a, b row) int {
		return cmp.Or(cmp.Compare(order(a.severity), order(b.severity)), cmp.Compare(a.id, b.id))
	}) {
		fmt.Fprintf(b, "  %-7s %-10s %-28s %d: %s\n", key.severity, key.id, key.check, len(rows[key]), strings.Join(slices.Compact(rows[key]), " "))
	}
	fmt.Fprintln(b)
}

func order(severity string) int { return slices.Index([]string{"error", "warning", "info"}, severity) }
