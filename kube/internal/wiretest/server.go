package wiretest

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"

	"kstatus.dev/status"
)

// A Resource is a kind as the server serves it.
type Resource struct {
	Group         string
	Version       string
	Kind          string
	Name          string // plural, such as deployments
	ClusterScoped bool
	Status        bool     // it has the subresource status
	Verbs         []string // in discovery; none: get, list and watch
	Categories    []string // in discovery
}

// GroupVersionResource returns the resource as clients name it.
func (r Resource) GroupVersionResource() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: r.Group, Version: r.Version, Resource: r.Name}
}

// A Server is an API server. Its methods may be called from any goroutine.
type Server struct {
	listener  *listener
	stopped   chan struct{} // closed at the end of the test
	following sync.WaitGroup

	mu        sync.Mutex // guards the fields below
	resources []Resource
	objects   map[status.ID]*unstructured.Unstructured
	version   int
	history   []change
	compacted int           // watches and pages from before this version are expired
	silent    bool          // changes are kept out of the history
	ends      []End         // how all watches that were open have been ended, each time
	changed   chan struct{} // closed at the next change
	rules     []*activeRule
	admit     []*admission
	observers []func(before, after *unstructured.Unstructured)
	requests  []Request
}

// A change is an entry of the history.
type change struct {
	version int
	event   Event
	before  *unstructured.Unstructured // the object before the change; nil if there was none
}

// New starts a server that ends with the test.
func New(t testing.TB, resources ...Resource) *Server {
	s := &Server{
		listener: newListener(), stopped: make(chan struct{}), resources: resources,
		objects: map[status.ID]*unstructured.Unstructured{}, version: 100, changed: make(chan struct{}),
	}
	web := &http.Server{Handler: s}
	var serving sync.WaitGroup
	serving.Go(func() { web.Serve(s.listener) })
	t.Cleanup(func() {
		close(s.stopped)
		web.Close()
		serving.Wait()
		s.following.Wait()
	})
	return s
}

// Config returns how clients reach the server.
func (s *Server) Config() *rest.Config {
	return &rest.Config{Host: "http://wiretest", Dial: s.listener.dial}
}

// Serve adds a kind, in place of one of the same name and version.
func (s *Server) Serve(resource Resource) {
	s.Withdraw(resource)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.resources = append(s.resources, resource)
}

// Withdraw removes a kind, but not its objects.
func (s *Server) Withdraw(resource Resource) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.resources = slices.DeleteFunc(s.resources, func(r Resource) bool {
		return r.Group == resource.Group && r.Version == resource.Version && r.Name == resource.Name
	})
}

// Put creates or updates an object, and returns its version.
func (s *Server) Put(u *unstructured.Unstructured) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.store(u.DeepCopy()).GetResourceVersion()
}

// Delete removes an object.
func (s *Server) Delete(u *unstructured.Unstructured) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.objects[idOf(u)]
	if before == nil {
		panic(fmt.Sprintf("delete %s %s: it does not exist", u.GetKind(), u.GetName()))
	}
	s.drop(before)
}

// store keeps an object in a new version. Its fields must not change any more. The caller holds mu.
func (s *Server) store(u *unstructured.Unstructured) *unstructured.Unstructured {
	s.version++
	u.SetResourceVersion(strconv.Itoa(s.version))
	key := idOf(u)
	before := s.objects[key]
	if u.GetUID() == "" {
		u.SetUID(types.UID("uid-of-" + u.GetName()))
	}
	kind := watch.Modified
	if before == nil {
		kind = watch.Added
	}
	s.objects[key] = u
	s.record(change{s.version, Event{Type: kind, Object: u}, before})
	s.observe(before, u)
	return u
}

// drop removes an object. The caller holds mu.
func (s *Server) drop(before *unstructured.Unstructured) {
	s.version++
	delete(s.objects, idOf(before))
	last := before.DeepCopy()
	last.SetResourceVersion(strconv.Itoa(s.version))
	s.record(change{s.version, Event{Type: watch.Deleted, Object: last}, before})
	s.observe(before, nil)
}

// Send has every watch that is open send an event, whatever the objects are.
func (s *Server) Send(event Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.history = append(s.history, change{event: event})
	s.wake()
}

// Bookmark has every watch that is open send a bookmark at the current version.
func (s *Server) Bookmark() {
	s.mu.Lock()
	version := strconv.Itoa(s.version)
	s.mu.Unlock()
	s.Send(Event{Type: watch.Bookmark, Version: version})
}

// Silent keeps the changes of f from all watches, for good.
func (s *Server) Silent(f func()) {
	s.setSilent(true)
	defer s.setSilent(false)
	f()
}

func (s *Server) setSilent(silent bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.silent = silent
}

// EndWatches ends all watches that are open: Close, or Cut.
func (s *Server) EndWatches(end End) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ends = append(s.ends, end)
	s.wake()
}

// Compact forgets the history up to now.
func (s *Server) Compact() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.compacted = s.version + 1
}

// Restore takes the server back to a version, as a restored backup does. The
// objects stay as they are.
func (s *Server) Restore(version int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version, s.compacted, s.history = version, 0, nil
	s.wake()
}

// Backup returns a function that restores the current objects and their versions, as the restore of
// a backup does. That ends all watches. Later writes have versions from the end of the backup on, or
// from a version that is higher than all before.
func (s *Server) Backup() (restore func(next int)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	objects, version := maps.Clone(s.objects), s.version
	return func(next int) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.objects, s.version, s.compacted, s.history = maps.Clone(objects), max(version, next), 0, nil
		if next > version {
			s.compacted = next
		}
		s.ends = append(s.ends, Cut)
		s.wake()
	}
}

// Requests returns all requests since the last call.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	requests := s.requests
	s.requests = nil
	return requests
}

// record adds a change to the history. The caller holds mu.
func (s *Server) record(c change) {
	if s.silent {
		return
	}
	s.history = append(s.history, c)
	s.wake()
}

// wake has watches look at the history. The caller holds mu.
func (s *Server) wake() {
	close(s.changed)
	s.changed = make(chan struct{})
}

func idOf(u *unstructured.Unstructured) status.ID {
	return status.ID{Kind: status.Kind(u.GroupVersionKind().GroupKind()), Namespace: u.GetNamespace(), Name: u.GetName()}
}

// selected returns the objects that a request is about, in order. The caller holds mu.
func (s *Server) selected(resource Resource, r Request) (all []*unstructured.Unstructured) {
	kind := status.Kind{Group: resource.Group, Kind: resource.Kind}
	for _, id := range slices.SortedFunc(maps.Keys(s.objects), status.ID.Compare) {
		if id.Kind == kind && r.selects(s.objects[id]) {
			all = append(all, s.objects[id])
		}
	}
	return all
}

// resource returns how the kind that a request is about is served. The caller holds mu.
func (s *Server) resource(r Request) (Resource, bool) {
	for _, resource := range s.resources {
		path := "/apis/" + resource.Group + "/"
		if resource.Group == "" {
			path = "/api/"
		}
		if resource.Name == r.Resource && strings.HasPrefix(r.Path, path+resource.Version+"/") {
			return resource, true
		}
	}
	return Resource{}, false
}
