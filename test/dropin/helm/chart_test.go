package helm_test

import (
	"fmt"

	"helm.sh/helm/v4/pkg/chart/common"
	chart "helm.sh/helm/v4/pkg/chart/v2"

	"kstatus.dev/test/lib/manifest"
)

// newChart returns a chart in memory whose templates are manifests.
func newChart(version string, manifests ...string) *chart.Chart {
	c := &chart.Chart{Metadata: &chart.Metadata{APIVersion: chart.APIVersionV2, Name: "shop", Version: version}}
	for i, text := range manifests {
		c.Templates = append(c.Templates, &common.File{Name: fmt.Sprintf("templates/%d.yaml", i), Data: []byte(text)})
	}
	return c
}

// deployments returns the manifests of n Deployments, whose Pods become ready after a while. The
// version is part of their spec.
func deployments(n int, version string) (all []string) {
	for i := range n {
		all = append(all, manifest.Deployment(fmt.Sprintf("web-%d", i), manifest.Runs+", env: [{name: VERSION, value: "+version+"}]", "kstatus.dev/pod: slow"))
	}
	return all
}

// crashing is the manifest of a Deployment whose Pod crashes, and which fails by [program.failCrashed].
func crashing() string {
	return manifest.Deployment("crash", manifest.Runs, "kstatus.dev/pod: crash-loop", `kstatus.dev/retries: "0"`)
}

// hook is the Job of a hook, which runs for some seconds.
func hook(name, event string, seconds int) string {
	return fmt.Sprintf(`apiVersion: batch/v1
kind: Job
metadata: {name: %s, annotations: {helm.sh/hook: %s}}
spec:
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      containers: [{name: c, %s, command: [sleep, "%d"]}]
`, name, event, manifest.Runs, seconds)
}
