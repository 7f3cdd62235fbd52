package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

// world is one Server in the cluster, its users and its controller.
type world struct {
	key        types.NamespacedName
	users      client.WithWatch // not counted: users, other controllers, and reads that a cache would serve
	controller client.Client    // counted: all requests of the kit
	counts     *counts
	others     map[string]bool // the versions written by users and other controllers
}

// tally is the number of requests of a controller.
type tally struct {
	writes  int // for the status
	refused int // of these, rejected with a conflict
	idle    int // of these, without a change: answered with an existing version
	spec    int // writes to the rest of the object
	reads   int // reads of the object
}

// counts are the requests of a controller as they happen.
type counts struct {
	mu sync.Mutex
	tally
	seen map[string]bool // existing versions
}

type counting struct {
	*counts
	next http.RoundTripper
}

func (c counting) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := c.next.RoundTrip(r)
	if err != nil {
		return answer, err
	}
	body, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil {
		return nil, err
	}
	answer.Body = io.NopCloser(bytes.NewReader(body))
	c.count(r, answer.StatusCode, body)
	return answer, nil
}

func (c *counts) count(r *http.Request, code int, body []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var object metav1.PartialObjectMetadata
	_ = json.Unmarshal(body, &object) // an error has no version, so it stays empty
	switch {
	case r.Method == http.MethodGet:
		c.reads++
	case !strings.HasSuffix(r.URL.Path, "/status"):
		c.spec++
	default:
		c.writes++
		if code == http.StatusConflict {
			c.refused++
		} else if c.seen[object.ResourceVersion] {
			c.idle++
		}
	}
	if object.ResourceVersion != "" {
		c.seen[object.ResourceVersion] = true
	}
}

// newWorld creates a Server for a controller.
func newWorld(ctx context.Context, config *rest.Config, name string) (*world, error) {
	w := &world{key: types.NamespacedName{Namespace: "default", Name: name}, counts: &counts{seen: map[string]bool{}}, others: map[string]bool{}}
	scheme := runtime.NewScheme()
	scheme.AddKnownTypes(version, &Server{})
	metav1.AddToGroupVersion(scheme, version)
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{version})
	mapper.Add(version.WithKind("Server"), meta.RESTScopeNamespace)
	options := client.Options{Scheme: scheme, Mapper: mapper}
	config = rest.CopyConfig(config)
	config.QPS = -1
	var err error
	if w.users, err = client.NewWithWatch(config, options); err != nil {
		return nil, err
	}
	counted := rest.CopyConfig(config)
	counted.Wrap(func(next http.RoundTripper) http.RoundTripper { return counting{w.counts, next} })
	if w.controller, err = client.New(counted, options); err != nil {
		return nil, err
	}
	s := &Server{ObjectMeta: metav1.ObjectMeta{Namespace: w.key.Namespace, Name: name}}
	for {
		err := w.users.Create(ctx, s)
		if err == nil {
			w.mine(s)
			return w, nil
		}
		if !apierrors.IsNotFound(err) { // the definition is not served yet
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// mine records that a version is not the controller's.
func (w *world) mine(s *Server) {
	w.others[s.ResourceVersion] = true
	w.counts.mu.Lock()
	defer w.counts.mu.Unlock()
	w.counts.seen[s.ResourceVersion] = true
}

// read returns the Server as a fresh cache would have it.
func (w *world) read(ctx context.Context) (*Server, error) {
	s := &Server{}
	return s, w.users.Get(ctx, w.key, s)
}

// change writes as another client.
func (w *world) change(ctx context.Context, how func(*Server)) error {
	s, err := w.read(ctx)
	if err != nil {
		return err
	}
	before := s.DeepCopy()
	how(s)
	if err := w.users.Patch(ctx, s, client.MergeFrom(before)); err != nil {
		return err
	}
	w.mine(s)
	return nil
}

func resize(ctx context.Context, w *world) error {
	return w.change(ctx, func(s *Server) { s.Spec.Size++ })
}

func pause(ctx context.Context, w *world) error {
	return w.change(ctx, func(s *Server) { s.Annotations = map[string]string{"cluster.x-k8s.io/paused": ""} })
}

func unpause(ctx context.Context, w *world) error {
	return w.change(ctx, func(s *Server) { s.Annotations = nil })
}

// scan acts as another controller, which reports a condition of its own.
func scan(ctx context.Context, w *world) error {
	s, err := w.read(ctx)
	if err != nil {
		return err
	}
	before := s.DeepCopy()
	s.Status.Conditions = append(s.Status.Conditions, metav1.Condition{Type: "Scanned", Status: metav1.ConditionTrue,
		Reason: "Clean", LastTransitionTime: metav1.Now()})
	if err := w.users.Status().Patch(ctx, s, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})); err != nil {
		return err
	}
	w.mine(s)
	return nil
}

// define installs the definition of Servers in the cluster.
func define(ctx context.Context, config *rest.Config, file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	u := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(data, &u.Object); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	c, err := client.New(config, client.Options{})
	if err != nil {
		return err
	}
	return client.IgnoreAlreadyExists(c.Create(ctx, u))
}
