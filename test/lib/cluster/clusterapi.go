package cluster

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/discovery"

	"kstatus.dev/test/lib/apply"
	"kstatus.dev/test/lib/modcache"
)

// clusterAPI is the core manager of Cluster API. It has a module of its own, because it needs
// other versions of Kubernetes' libraries than the programs of the cluster.
var clusterAPISuite = suite{
	folder: "test/lib/programs/clusterapi", module: "sigs.k8s.io/cluster-api",
	stamps:    []string{"sigs.k8s.io/cluster-api/version.gitVersion"},
	programs:  []Program{ClusterAPI},
	what:      "the core manager of Cluster API %s",
	takes:     "2 to 5 minutes on two cores",
	manifests: []string{"core/config/crd/bases/*.yaml", "core/config/webhook/manifests.yaml"},
	// It has no flag for the address of its webhooks, and would listen on all addresses.
	patches: []Patch{{"core/main.go", "webhook.Options{\n", "webhook.Options{\n\t\t\t\tHost: \"127.0.0.1\",\n"}},
}

// BuildClusterAPI does the same as [Build] for the core manager of Cluster API, which only
// clusters with [Options].ClusterAPI need.
func BuildClusterAPI(ctx context.Context, log io.Writer) error {
	_, err := clusterAPISuite.build(ctx, log)
	return err
}

// copyManifests copies the manifests from the module of the suite to the folder of its
// programs.
func (r recipe) copyManifests(ctx context.Context, to string) error {
	if len(r.suite.manifests) == 0 {
		return nil
	}
	root, err := modcache.Folder(ctx, r.dir, r.suite.module)
	if err != nil {
		return err
	}
	for _, pattern := range r.suite.manifests {
		found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return fmt.Errorf("%s %s has no %s", r.suite.module, r.version, pattern)
		}
		for _, file := range found {
			data, err := os.ReadFile(file)
			if err == nil {
				err = os.WriteFile(filepath.Join(to, filepath.Base(file)), data, 0o644)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// installedLabels are the labels of the CRDs after an installation by clusterctl.
var installedLabels = map[string]string{"cluster.x-k8s.io/provider": "cluster-api", "clusterctl.cluster.x-k8s.io": ""}

// addClusterAPI installs the CRDs of Cluster API, starts its core manager, and then registers
// its webhooks for admission and for conversion.
func (c *Cluster) addClusterAPI(ctx context.Context) error {
	dir, err := clusterAPISuite.build(ctx, c.log)
	if err != nil {
		return err
	}
	objects, err := apply.File(dir)
	if err != nil {
		return fmt.Errorf("manifests of Cluster API: %w", err)
	}
	var definitions, webhooks []*unstructured.Unstructured
	for _, object := range objects {
		if object.GetKind() != "CustomResourceDefinition" {
			webhooks = append(webhooks, object)
			err = c.callWebhooks(object)
		} else {
			definitions = append(definitions, object)
			object.SetLabels(installedLabels)
			err = c.convert(object)
		}
		if err != nil {
			return err
		}
	}
	if err := apply.To(ctx, c.Config(), "default", definitions, nil); err != nil {
		return err
	}
	ready, cancel := context.WithTimeoutCause(ctx, startTimeout, errTimeout)
	defer cancel()
	if err := c.waitUntilServed(ready, definitions); err != nil {
		return err
	}
	c.processes[ClusterAPI].Path = filepath.Join(dir, ClusterAPI.file())
	if err := c.launch(ctx, ClusterAPI); err != nil {
		return err
	}
	return apply.To(ctx, c.Config(), "default", webhooks, nil)
}

// waitUntilServed waits until the API server serves the kinds of all definitions: the manager
// reads them only once, at its start.
func (c *Cluster) waitUntilServed(ctx context.Context, definitions []*unstructured.Unstructured) error {
	client, err := discovery.NewDiscoveryClientForConfig(c.config)
	if err != nil {
		return err
	}
	return until(ctx, pause, func() error {
		told, err := client.ServerPreferredResources()
		if err != nil {
			return err
		}
		names := map[string]bool{}
		for _, list := range told {
			group, _, _ := strings.Cut(list.GroupVersion, "/")
			for _, r := range list.APIResources {
				names[r.Name+"."+group] = true
			}
		}
		for _, d := range definitions {
			if !names[d.GetName()] {
				return fmt.Errorf("%s is not served yet", d.GetName())
			}
		}
		return nil
	})
}

// callWebhooks changes a webhook configuration so that the API server calls the manager on
// loopback.
func (c *Cluster) callWebhooks(configuration *unstructured.Unstructured) error {
	// The name of the namespace contains "system"; that namespace does not exist here.
	configuration.SetName("capi-" + configuration.GetName())
	webhooks, _, err := unstructured.NestedSlice(configuration.Object, "webhooks")
	if err != nil {
		return err
	}
	var errs []error
	for _, webhook := range webhooks {
		fields, _ := webhook.(map[string]any)
		path, _, err := unstructured.NestedString(fields, "clientConfig", "service", "path")
		errs = append(errs, err, unstructured.SetNestedMap(fields, c.webhook(path), "clientConfig"))
	}
	errs = append(errs, unstructured.SetNestedSlice(configuration.Object, webhooks, "webhooks"))
	return errors.Join(errs...)
}

// convert registers the manager's webhook for conversions between the versions of a definition.
func (c *Cluster) convert(definition *unstructured.Unstructured) error {
	return unstructured.SetNestedMap(definition.Object, map[string]any{
		"strategy": "Webhook",
		"webhook": map[string]any{
			"conversionReviewVersions": []any{"v1"},
			"clientConfig":             c.webhook("/convert"),
		},
	}, "spec", "conversion")
}

func (c *Cluster) webhook(path string) map[string]any {
	return map[string]any{
		"url":      c.layout.url("https", "webhooks", "/"+strings.TrimPrefix(path, "/")),
		"caBundle": base64.StdEncoding.EncodeToString(c.layout.creds.certPEM),
	}
}
