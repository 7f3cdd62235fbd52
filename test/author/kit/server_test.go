package kit

import (
	"context"
	_ "embed"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kstatus.dev/author/conditions/ctrl"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/poll"
)

var live cluster.Shared

func TestMain(m *testing.M) { os.Exit(live.Main(m)) }

//go:embed testdata/server.yaml
var definition string

var version = schema.GroupVersion{Group: "kit.example.com", Version: "v1"}

// Server is a custom resource like those of real controllers.
type Server struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              Spec   `json:"spec,omitempty"`
	Status            Status `json:"status,omitempty"`
}

type Spec struct {
	Size int64 `json:"size,omitempty"`
}

type Status struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Initialization     *Initialization    `json:"initialization,omitempty"`
	Addresses          []string           `json:"addresses,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

type Initialization struct {
	Provisioned *bool `json:"provisioned,omitempty"`
}

func (s *Server) GetConditions() []metav1.Condition  { return s.Status.Conditions }
func (s *Server) SetConditions(c []metav1.Condition) { s.Status.Conditions = c }

func (s *Server) DeepCopyObject() runtime.Object {
	c := *s
	s.ObjectMeta.DeepCopyInto(&c.ObjectMeta)
	if s.Status.Initialization != nil {
		i := *s.Status.Initialization
		c.Status.Initialization = &i
	}
	c.Status.Addresses = slices.Clone(s.Status.Addresses)
	c.Status.Conditions = slices.Clone(s.Status.Conditions)
	return &c
}

// fixture contains one Server in the cluster, and a client that counts its requests.
type fixture struct {
	client.WithWatch
	t             *testing.T
	obj           *Server
	writes, reads atomic.Int64
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	c := live.Cluster(t)
	c.Apply(t, "", definition)
	b := &fixture{t: t}
	config := c.Config()
	config.QPS = -1
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return counting{b, next} })
	scheme := runtime.NewScheme()
	scheme.AddKnownTypes(version, &Server{})
	metav1.AddToGroupVersion(scheme, version)
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{version})
	mapper.Add(version.WithKind("Server"), meta.RESTScopeNamespace)
	api, err := client.NewWithWatch(config, client.Options{Scheme: scheme, Mapper: mapper})
	if err != nil {
		t.Fatal(err)
	}
	b.WithWatch = api
	b.obj = &Server{ObjectMeta: metav1.ObjectMeta{Namespace: c.Namespace(t), Name: "web"}}
	waitUntilServed(t, func() error { return b.Create(t.Context(), b.obj) })
	return b
}

// waitUntilServed retries until a kind is served.
func waitUntilServed(t *testing.T, try func() error) {
	t.Helper()
	poll.Check(t, func() error {
		err := try()
		if err != nil && !apierrors.IsNotFound(err) && !meta.IsNoMatchError(err) {
			t.Fatal(err)
		}
		return err
	})
}

// counting counts the requests for a Server and its status.
type counting struct {
	b    *fixture
	next http.RoundTripper
}

func (c counting) RoundTrip(r *http.Request) (*http.Response, error) {
	switch {
	case r.Method != http.MethodGet && strings.HasSuffix(r.URL.Path, "/status"):
		c.b.writes.Add(1)
	case r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/web"):
		c.b.reads.Add(1)
	}
	return c.next.RoundTrip(r)
}

func (b *fixture) writer() ctrl.Writer { return ctrl.NewWriter(b, b) }

// read returns the Server as it is in the cluster.
func (b *fixture) read(ctx context.Context) (*Server, error) {
	s := &Server{}
	return s, b.Get(ctx, client.ObjectKeyFromObject(b.obj), s)
}

// resize changes the spec.
func (b *fixture) resize(ctx context.Context, size int64) error {
	s, err := b.read(ctx)
	if err != nil {
		return err
	}
	before := s.DeepCopyObject().(*Server)
	s.Spec.Size = size
	return b.Patch(ctx, s, client.MergeFrom(before))
}
