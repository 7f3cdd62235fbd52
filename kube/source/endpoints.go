package source

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

var serviceKind = status.Kind{Kind: "Service"}

// The label by which an EndpointSlice names its Service.
const serviceName = "kubernetes.io/service-name"

// A served is a Service whose endpoints are asked for.
type served struct {
	parent *parent
	of     []observe.Target           // the selections that have it, and the zero Target if it is asked for by its name
	object *unstructured.Unstructured // told again when its endpoints change
	ready  bool                       // one of its endpoints is, as has been learnt
}

// sawService passes a sighting of a Service on, whose verdict rests on its
// endpoints. As long as they have not been read, none is ready; where they may
// not be read, that is the verdict.
func (fs *families) sawService(s observe.Sighting) (open bool) {
	u, _ := s.Object.(*unstructured.Unstructured)
	selector, _, _ := unstructured.NestedMap(objectOf(u), "spec", "selector")
	namespace := fs.namespaceOf(s.Target)
	if u != nil {
		namespace = u.GetNamespace()
	}
	f := fs.family(namespace, len(selector) > 0)
	if f == nil || s.Err != nil {
		return fs.tell(s)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	known := f.services[s.Target.Name]
	if known != nil && u == nil && known.leaves(s.Of) {
		return fs.tell(s)
	}
	if known != nil && (len(selector) == 0 || known.parent.uid != u.GetUID()) {
		f.opened(known.parent, false)
		delete(f.parents, known.parent.uid)
		delete(f.services, s.Target.Name)
		known = nil
	}
	if len(selector) == 0 {
		return fs.tell(s)
	}
	if known == nil {
		known = &served{object: u, parent: &parent{target: s.Target, uid: u.GetUID(), labels: map[string]string{serviceName: u.GetName()}}}
		f.parents[known.parent.uid] = known.parent
		f.services[u.GetName()] = known
		f.opened(known.parent, true) // its verdict rests on them also once it is there
		f.learnEndpoints(known)
	}
	known.object = u
	if !slices.Contains(known.of, s.Of) {
		known.of = append(known.of, s.Of)
	}
	open = f.tellAs(known, s.Of)
	f.slices.serve(known.parent)
	f.rest()
	return open
}

func objectOf(u *unstructured.Unstructured) map[string]any {
	if u == nil {
		return nil
	}
	return u.Object
}

// leaves takes note that one of the ways in which a Service is a target has
// ended, and reports whether there are others.
func (s *served) leaves(of observe.Target) bool {
	s.of = slices.DeleteFunc(s.of, func(t observe.Target) bool { return t == of })
	return len(s.of) > 0
}

// tellService tells a Service again, in each way in which it is a target.
func (f *family) tellService(s *served) {
	for _, of := range s.of {
		f.tellAs(s, of)
	}
}

// tellAs tells a Service, or why its endpoints cannot be read. A selection has
// to know what it has before it is told that of it.
func (f *family) tellAs(s *served, of observe.Target) (open bool) {
	if f.slices.barred == nil || of != (observe.Target{}) {
		open = f.all.tell(observe.Sighting{Target: s.parent.target, Of: of, Object: s.object})
	}
	if f.slices.barred != nil {
		open = f.all.tell(observe.Sighting{Target: s.parent.target, Of: of, Err: f.slices.barred})
	}
	return open
}

// A slice is what matters of an EndpointSlice. Without ports nothing can be
// reached by it, unless its Service has none: no container has the port that the
// Service leads to.
type slice struct{ ready, ports bool }

// learnEndpoints teaches whether a Service has an endpoint that is ready.
func (f *family) learnEndpoints(s *served) {
	s.ready = false
	name := s.object.GetName()
	spec, _ := s.object.Object["spec"].(map[string]any)
	ports, _ := spec["ports"].([]any)
	for _, of := range f.endpoints[name] {
		s.ready = s.ready || of.ready && (of.ports || len(ports) == 0)
	}
	f.all.link.lessons.learn(status.Map{
		"apiVersion": "discovery.k8s.io/v1", "kind": endpointSlice.Kind,
		"metadata":  map[string]any{"namespace": f.namespace, "name": name},
		"endpoints": []any{map[string]any{"conditions": map[string]any{"ready": s.ready}}},
	})
}

// sawSlice takes note of an EndpointSlice, and reports whether it matters.
func (f *family) sawSlice(u *unstructured.Unstructured) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	service := u.GetLabels()[serviceName]
	if !f.asks("Service", service) {
		return false
	}
	if f.endpoints[service] == nil {
		f.endpoints[service] = map[string]slice{}
	}
	ports, _ := u.Object["ports"].([]any)
	f.endpoints[service][u.GetName()] = slice{ready: anyReady(u), ports: len(ports) > 0}
	f.reconsider(service)
	return true
}

// lostSlice takes note that an EndpointSlice is gone.
func (f *family) lostSlice(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for service, parts := range f.endpoints {
		if _, known := parts[name]; known {
			delete(parts, name)
			f.reconsider(service)
		}
	}
}

// reconsider tells a Service again if it has its first endpoint or has lost its last.
func (f *family) reconsider(service string) {
	s := f.services[service]
	if s == nil {
		return
	}
	before := s.ready
	if f.learnEndpoints(s); s.ready != before {
		f.tellService(s)
	}
}

// onlySlices forgets the EndpointSlices that are not among those listed.
func (f *family) onlySlices(listed map[string]bool) {
	for service, parts := range f.endpoints {
		for name := range parts {
			if !listed[name] {
				delete(parts, name)
			}
		}
		f.reconsider(service)
	}
}

// anyReady reports whether an endpoint is ready. One that does not say is.
func anyReady(u *unstructured.Unstructured) bool {
	endpoints, _ := u.Object["endpoints"].([]any)
	for _, e := range endpoints {
		endpoint, _ := e.(map[string]any)
		conditions, _ := endpoint["conditions"].(map[string]any)
		if ready, told := conditions["ready"].(bool); ready || !told {
			return true
		}
	}
	return false
}
