package management

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	"kstatus.dev/kube/connection"
)

// A Client holds the clients of a management cluster. Its methods may be called concurrently.
type Client struct {
	Objects   dynamic.Interface
	Metadata  metadata.Interface // reads objects without their values
	Discovery discovery.DiscoveryInterface

	config *rest.Config
	close  func()

	mu          sync.Mutex
	definitions map[string]knownKind // by name
}

// NewClient returns a Client of the API server of config. It sends no request. Unless config
// limits the rate of requests, the Client does not.
func NewClient(config *rest.Config) (*Client, error) {
	c, err := connection.New(config)
	if err != nil {
		return nil, err
	}
	return &Client{Objects: c.Objects, Metadata: c.Metadata, Discovery: c.Discovery, config: config, close: c.Close}, nil
}

// Counted returns a copy of config whose requests are counted.
func Counted(config *rest.Config, requests *atomic.Int64) *rest.Config {
	counted := rest.CopyConfig(config)
	counted.Wrap(func(next http.RoundTripper) http.RoundTripper { return &counter{next, requests} })
	return counted
}

// A counter is a transport that counts requests.
type counter struct {
	next http.RoundTripper
	n    *atomic.Int64
}

// RoundTrip sends a request.
func (c *counter) RoundTrip(r *http.Request) (*http.Response, error) {
	c.n.Add(1)
	return c.next.RoundTrip(r)
}

// WrappedRoundTripper lets client-go close the wrapped transport.
func (c *counter) WrappedRoundTripper() http.RoundTripper { return c.next }

// Close closes idle connections.
func (c *Client) Close() {
	if c.close != nil {
		c.close()
	}
}

// Resource returns the client of the objects of a kind. The namespace is ignored for
// cluster-scoped kinds, and empty for all namespaces.
func (c *Client) Resource(k *Kind, namespace string) dynamic.ResourceInterface {
	resource := c.Objects.Resource(k.GroupVersionResource())
	if !k.Namespaced || namespace == "" {
		return resource
	}
	return resource.Namespace(namespace)
}

// FieldManager is the field manager of all writes.
const FieldManager = "kstatus"

// PatchMetadata merges fields into the metadata of a version of an object. It fails if the object
// has another version.
func PatchMetadata(ctx context.Context, client dynamic.ResourceInterface, live *unstructured.Unstructured, fields map[string]any) (*unstructured.Unstructured, error) {
	fields["resourceVersion"] = live.GetResourceVersion()
	patch, err := json.Marshal(map[string]any{"metadata": fields})
	if err != nil {
		return nil, err
	}
	return client.Patch(ctx, live.GetName(), types.MergePatchType, patch, metav1.PatchOptions{FieldManager: FieldManager})
}

// metadataResource returns the client of the metadata of a kind.
func (c *Client) metadataResource(r schema.GroupVersionResource, namespace string) metadata.ResourceInterface {
	if namespace == "" {
		return c.Metadata.Resource(r)
	}
	return c.Metadata.Resource(r).Namespace(namespace)
}

// PreferredResources returns what the server serves, each kind in its preferred version. It ends
// with ctx, whether the server answers or not.
func (c *Client) PreferredResources(ctx context.Context) ([]*metav1.APIResourceList, error) {
	return connection.ServedResources(ctx, c.config, c.Discovery)
}
