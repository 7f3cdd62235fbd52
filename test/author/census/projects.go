// Package census lints the definitions of many projects, fixes them, and checks the fixes on a real
// API server. The server must accept them, and new objects must not be Current before their
// controllers have reported.
//
// projects.go lists the projects, count.go runs kstatus lint as users do, prove.go asks the API
// server and the kstatus of fluxcd/cli-utils, page.go writes docs/contributing/census.md. The
// program is test/cmd/census.
package census

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kstatus.dev/test/lib/modcache"
)

// A Project is a set of definitions that are installed together.
type Project struct {
	Name   string
	Module string   // path@version in the Go module proxy; empty if it is a folder
	Dir    string   // the folder, if it is not a module
	Files  []string // patterns below the module
	Said   string   // the origin of a folder
}

// Projects are the projects whose definitions are in the Go module proxy.
var Projects = []Project{
	{Name: "Cluster API", Module: "sigs.k8s.io/cluster-api@v1.14.2", Files: []string{"core/config/crd/bases/*.yaml", "bootstrap/kubeadm/config/crd/bases/*.yaml", "controlplane/kubeadm/config/crd/bases/*.yaml"}},
	{Name: "CAPA", Module: "sigs.k8s.io/cluster-api-provider-aws/v2@v2.13.0", Files: []string{"config/crd/bases/*.yaml"}},
	{Name: "CAPZ", Module: "sigs.k8s.io/cluster-api-provider-azure@v1.21.0", Files: []string{"config/crd/bases/*.yaml"}},
	{Name: "CAPG", Module: "sigs.k8s.io/cluster-api-provider-gcp@v1.13.1", Files: []string{"config/crd/bases/*.yaml"}},
	{Name: "cert-manager", Module: "github.com/cert-manager/cert-manager@v1.21.2", Files: []string{"deploy/crds/*.yaml"}},
	{Name: "helm-controller", Module: "github.com/fluxcd/helm-controller@v1.4.0", Files: []string{"config/crd/bases/*.yaml"}},
	{Name: "Crossplane 1", Module: "github.com/crossplane/crossplane@v1.20.0", Files: []string{"cluster/crds/*.yaml"}},
	{Name: "Argo CD", Module: "github.com/argoproj/argo-cd/v3@v3.1.0", Files: []string{"manifests/crds/*.yaml"}},
	{Name: "CloudNativePG", Module: "github.com/cloudnative-pg/cloudnative-pg@v1.27.0", Files: []string{"config/crd/bases/*.yaml"}},
	{Name: "Prometheus Operator", Module: "github.com/prometheus-operator/prometheus-operator@v0.85.0", Files: []string{"example/prometheus-operator-crd/*.yaml"}},
	{Name: "Knative Serving", Module: "knative.dev/serving@v0.51.0", Files: []string{"config/core/300-resources/*.yaml"}},
	{Name: "External Secrets", Module: "github.com/external-secrets/external-secrets@v1.3.2", Files: []string{"config/crds/bases/*.yaml"}},
	{Name: "KEDA", Module: "github.com/kedacore/keda/v2@v2.21.0", Files: []string{"config/crd/bases/*.yaml"}},
}

// Copy copies the definitions of a project into an empty folder.
func (p Project) Copy(ctx context.Context, into string) error {
	from, patterns := p.Dir, []string{"*.yaml"}
	if p.Module != "" {
		var err error
		if from, err = modcache.Folder(ctx, "", p.Module); err != nil {
			return err
		}
		patterns = p.Files
	}
	for _, pattern := range patterns {
		names, err := filepath.Glob(filepath.Join(from, pattern))
		if err != nil || len(names) == 0 {
			return fmt.Errorf("%s: no file matches %s in %s", p.Name, pattern, from)
		}
		for _, name := range names {
			if strings.HasPrefix(filepath.Base(name), "kustomiz") {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(into, filepath.Base(name)), text, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
