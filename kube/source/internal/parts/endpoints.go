package parts

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// ServiceKind is the kind that rests on EndpointSlices.
var ServiceKind = status.Kind{Kind: "Service"}

var endpointSliceKind = status.Kind{Group: "discovery.k8s.io", Kind: "EndpointSlice"}

// The label by which an EndpointSlice names its Service.
const serviceLabel = "kubernetes.io/service-name"

// A served is a Service whose endpoints are asked for.
type service struct {
	workload *workload
	of       []observe.Target           // the selections that have it, and the zero Target if it is asked for by its name
	object   *unstructured.Unstructured // told again when its endpoints change
	ready    bool                       // one of its endpoints is, as has been learnt
}

// sawService passes a sighting of a Service on, whose verdict rests on its
// endpoints. As long as they have not been read, none is ready; where they may
// not be read, that is the verdict.
func (fs *Tracker) ReportService(s observe.Sighting) (open bool) {
	u, _ := s.Object.(*unstructured.Unstructured)
	selector, _, _ := unstructured.NestedMap(objectOf(u), "spec", "selector")
	namespace := fs.namespaceOf(s.Target)
	if u != nil {
		namespace = u.GetNamespace()
	}
	f := fs.tracker(namespace, len(selector) > 0)
	if f == nil || s.Err != nil {
		return fs.Report(s)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	known := f.services[s.Target.Name]
	if known != nil && u == nil && known.leave(s.Of) {
		return fs.Report(s)
	}
	if known != nil && (len(selector) == 0 || known.workload.uid != u.GetUID()) {
		f.setPending(known.workload, false)
		delete(f.workloads, known.workload.uid)
		delete(f.services, s.Target.Name)
		known = nil
	}
	if len(selector) == 0 {
		return fs.Report(s)
	}
	if known == nil {
		known = &service{object: u, workload: &workload{target: s.Target, uid: u.GetUID(), labels: map[string]string{serviceLabel: u.GetName()}}}
		f.workloads[known.workload.uid] = known.workload
		f.services[u.GetName()] = known
		f.setPending(known.workload, true) // its verdict rests on them also once it is there
		f.learnReadiness(known)
	}
	known.object = u
	if !slices.Contains(known.of, s.Of) {
		known.of = append(known.of, s.Of)
	}
	open = f.reportServiceAs(known, s.Of)
	f.slices.ensure(known.workload)
	f.maybeIdle()
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
func (s *service) leave(of observe.Target) bool {
	s.of = slices.DeleteFunc(s.of, func(t observe.Target) bool { return t == of })
	return len(s.of) > 0
}

// tellService tells a Service again, in each way in which it is a target.
func (f *podTracker) reportServiceAgain(s *service) {
	for _, of := range s.of {
		f.reportServiceAs(s, of)
	}
}

// tellAs tells a Service, or why its endpoints cannot be read. A selection has
// to know what it has before it is told that of it.
func (f *podTracker) reportServiceAs(s *service, of observe.Target) (open bool) {
	if f.slices.denied == nil || of != (observe.Target{}) {
		open = f.tracker.Report(observe.Sighting{Target: s.workload.target, Of: of, Object: s.object})
	}
	if f.slices.denied != nil {
		open = f.tracker.Report(observe.Sighting{Target: s.workload.target, Of: of, Err: f.slices.denied})
	}
	return open
}

// A slice is what matters of an EndpointSlice. Without ports nothing can be
// reached by it, unless its Service has none: no container has the port that the
// Service leads to.
type endpointSlice struct{ ready, ports bool }

// learnEndpoints teaches whether a Service has an endpoint that is ready.
func (f *podTracker) learnReadiness(s *service) {
	s.ready = false
	name := s.object.GetName()
	spec, _ := s.object.Object["spec"].(map[string]any)
	ports, _ := spec["ports"].([]any)
	for _, of := range f.endpoints[name] {
		s.ready = s.ready || of.ready && (of.ports || len(ports) == 0)
	}
	f.tracker.Learn(status.Map{
		"apiVersion": "discovery.k8s.io/v1", "kind": endpointSliceKind.Kind,
		"metadata":  map[string]any{"namespace": f.namespace, "name": name},
		"endpoints": []any{map[string]any{"conditions": map[string]any{"ready": s.ready}}},
	})
}

// sawSlice takes note of an EndpointSlice, and reports whether it matters.
func (f *podTracker) sliceSeen(u *unstructured.Unstructured) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	service := u.GetLabels()[serviceLabel]
	if !f.isTarget("Service", service) {
		return false
	}
	if f.endpoints[service] == nil {
		f.endpoints[service] = map[string]endpointSlice{}
	}
	ports, _ := u.Object["ports"].([]any)
	f.endpoints[service][u.GetName()] = endpointSlice{ready: hasReadyEndpoint(u), ports: len(ports) > 0}
	f.updateService(service)
	return true
}

// lostSlice takes note that an EndpointSlice is gone.
func (f *podTracker) sliceDeleted(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for service, parts := range f.endpoints {
		if _, known := parts[name]; known {
			delete(parts, name)
			f.updateService(service)
		}
	}
}

// reconsider tells a Service again if it has its first endpoint or has lost its last.
func (f *podTracker) updateService(service string) {
	s := f.services[service]
	if s == nil {
		return
	}
	before := s.ready
	if f.learnReadiness(s); s.ready != before {
		f.reportServiceAgain(s)
	}
}

// onlySlices forgets the EndpointSlices that are not among those listed.
func (f *podTracker) retainSlices(listed map[string]bool) {
	for service, parts := range f.endpoints {
		for name := range parts {
			if !listed[name] {
				delete(parts, name)
			}
		}
		f.updateService(service)
	}
}

// anyReady reports whether an endpoint is ready. One that does not say is.
func hasReadyEndpoint(u *unstructured.Unstructured) bool {
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
