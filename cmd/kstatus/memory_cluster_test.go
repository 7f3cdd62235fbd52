package main

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/kube/wiretest"
)

// memoryTypes are the types that a memoryCluster serves. The category all has the types that it has
// in a cluster.
var memoryTypes = []wiretest.Resource{
	{Version: "v1", Kind: "Namespace", Name: "namespaces", ClusterScoped: true},
	{Version: "v1", Kind: "Node", Name: "nodes", ClusterScoped: true},
	{Version: "v1", Kind: "Event", Name: "events"},
	{Version: "v1", Kind: "ConfigMap", Name: "configmaps"},
	{Version: "v1", Kind: "Secret", Name: "secrets"},
	{Version: "v1", Kind: "PersistentVolumeClaim", Name: "persistentvolumeclaims"},
	{Version: "v1", Kind: "Pod", Name: "pods", Categories: []string{"all"}},
	{Version: "v1", Kind: "Service", Name: "services", Categories: []string{"all"}},
	{Group: "apps", Version: "v1", Kind: "Deployment", Name: "deployments", Categories: []string{"all"}},
	{Group: "apps", Version: "v1", Kind: "ReplicaSet", Name: "replicasets", Categories: []string{"all"}},
	{Group: "apps", Version: "v1", Kind: "StatefulSet", Name: "statefulsets", Categories: []string{"all"}},
	{Group: "apps", Version: "v1", Kind: "DaemonSet", Name: "daemonsets", Categories: []string{"all"}},
	{Group: "batch", Version: "v1", Kind: "Job", Name: "jobs", Categories: []string{"all"}},
	{Group: "batch", Version: "v1", Kind: "CronJob", Name: "cronjobs", Categories: []string{"all"}},
	{Group: "discovery.k8s.io", Version: "v1", Kind: "EndpointSlice", Name: "endpointslices"},
	{Group: "policy", Version: "v1", Kind: "PodDisruptionBudget", Name: "poddisruptionbudgets"},
	{Group: "networking.k8s.io", Version: "v1", Kind: "Ingress", Name: "ingresses"},
	{Group: "networking.k8s.io", Version: "v1", Kind: "IngressClass", Name: "ingressclasses", ClusterScoped: true},
}

// A memoryCluster is an API server in memory that commands connect to. Its namespace is shop.
type memoryCluster struct {
	*wiretest.Server
	t     *testing.T
	flags []string // of the connection
	stop  func()   // stops the server, for good
}

// newMemoryCluster returns a server with the objects of YAML documents.
func newMemoryCluster(t *testing.T, documents ...string) *memoryCluster {
	t.Helper()
	return newMemoryClusterOf(t, memoryTypes, documents...)
}

// newMemoryClusterOf returns a server that serves other types.
func newMemoryClusterOf(t *testing.T, types []wiretest.Resource, documents ...string) *memoryCluster {
	t.Helper()
	c := &memoryCluster{Server: wiretest.New(t, types...), t: t}
	server := httptest.NewServer(c.Server)
	t.Cleanup(server.Close)
	c.stop = server.Close
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	text := fmt.Sprintf("apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {server: %q}}]\ncontexts: [{name: c, context: {cluster: c, namespace: shop}}]\ncurrent-context: c\n", server.URL)
	if err := os.WriteFile(kubeconfig, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c.flags = []string{"--kubeconfig", kubeconfig, "--cache-dir", t.TempDir()}
	c.put("apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\nstatus: {phase: Active}\n")
	for _, d := range documents {
		c.put(d)
	}
	return c
}

// put stores the objects of YAML documents.
func (c *memoryCluster) put(documents string) {
	c.t.Helper()
	for text := range strings.SplitSeq(documents, "\n---\n") {
		u := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(text), &u.Object); err != nil {
			c.t.Fatalf("%v in %s", err, text)
		}
		if u.GetNamespace() == "" && !isClusterScoped(u.GetKind()) {
			u.SetNamespace("shop")
		}
		c.Put(u)
	}
}

// isClusterScoped reports whether the objects of a kind have no namespace.
func isClusterScoped(kind string) bool {
	return slices.ContainsFunc(slices.Concat(memoryTypes, troubledTypes), func(r wiretest.Resource) bool { return r.Kind == kind && r.ClusterScoped })
}

// An answer is the result of a command.
type answer struct {
	code       exit.Code
	out, notes string
}

// run runs kstatus with the input.
func (c *memoryCluster) run(input string, args ...string) answer {
	c.t.Helper()
	return runWith(c.t, input, append(args, c.flags...)...)
}

// runWith runs kstatus with the input, and with no other arguments.
func runWith(t *testing.T, input string, args ...string) answer {
	t.Helper()
	var out, notes textBuffer
	env := cli.Env{In: strings.NewReader(input), Out: &out, Err: &notes, Now: time.Now}
	code := run(t.Context(), env, append([]string{"kstatus"}, args...))
	return answer{code, out.String(), notes.String()}
}
