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

// serviceLabel is the label by which an EndpointSlice names its Service.
const serviceLabel = "kubernetes.io/service-name"

// services are the Services of a namespace that rest on their endpoints.
type services struct {
	byName    map[string]*service
	endpoints map[string]map[string]endpointSlice // by Service and EndpointSlice
}

// A service is a Service that rests on its endpoints.
type service struct {
	workload *workload
	of       []observe.Target           // the selections that have it; the zero Target if it is a named target
	object   *unstructured.Unstructured // reported again when its endpoints change
	ready    bool                       // a ready endpoint has been reported to Learn
}

// ReportService reports a Service together with its endpoints, on which its verdict
// rests. Until they have been read, none is ready. If they may not be read, that
// is the verdict.
func (tracker *Tracker) ReportService(s observe.Sighting) (pending bool) {
	u, _ := s.Object.(*unstructured.Unstructured)
	selector, _, _ := unstructured.NestedMap(objectOf(u), "spec", "selector")
	namespace := tracker.namespaceOf(s.Target)
	if u != nil {
		namespace = u.GetNamespace()
	}
	f := tracker.in(namespace, len(selector) > 0)
	if f == nil || s.Err != nil {
		return tracker.Report(s)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	known := f.services.byName[s.Target.Name]
	if known != nil && u == nil && known.leave(s.Of) {
		return tracker.Report(s)
	}
	if known != nil && (len(selector) == 0 || known.workload.uid != u.GetUID()) {
		f.setPending(known.workload, false)
		delete(f.workloads, known.workload.uid)
		delete(f.services.byName, s.Target.Name)
		known = nil
	}
	if len(selector) == 0 {
		return tracker.Report(s)
	}
	if known == nil {
		known = &service{object: u, workload: &workload{target: s.Target, uid: u.GetUID(), labels: map[string]string{serviceLabel: u.GetName()}}}
		f.workloads[known.workload.uid] = known.workload
		f.services.byName[u.GetName()] = known
		f.setPending(known.workload, true) // its verdict rests on them even when it is ready
		f.learnReadiness(known)
	}
	known.object = u
	if !slices.Contains(known.of, s.Of) {
		known.of = append(known.of, s.Of)
	}
	pending = f.reportServiceAs(known, s.Of)
	f.watches.slices.ensure(known.workload)
	f.maybeIdle()
	return pending
}

func objectOf(u *unstructured.Unstructured) map[string]any {
	if u == nil {
		return nil
	}
	return u.Object
}

// leave records that the Service has left a selection, or is gone as a named
// target, and reports whether it is still a target.
func (s *service) leave(of observe.Target) bool {
	s.of = slices.DeleteFunc(s.of, func(t observe.Target) bool { return t == of })
	return len(s.of) > 0
}

// reportServiceAgain reports a Service for each selection that has it, and by its name.
func (f *podTracker) reportServiceAgain(s *service) {
	for _, of := range s.of {
		f.reportServiceAs(s, of)
	}
}

// reportServiceAs reports a Service, or why its endpoints cannot be read. A
// selection must have the object before it can be told that it is unreadable.
func (f *podTracker) reportServiceAs(s *service, of observe.Target) (pending bool) {
	if f.watches.slices.denied == nil || of != (observe.Target{}) {
		pending = f.tracker.Report(observe.Sighting{Target: s.workload.target, Of: of, Object: s.object})
	}
	if f.watches.slices.denied != nil {
		pending = f.tracker.Report(observe.Sighting{Target: s.workload.target, Of: of, Err: f.watches.slices.denied})
	}
	return pending
}

// An endpointSlice is what is kept of an EndpointSlice. A slice without ports
// serves nothing, unless its Service has none either: no container has the port.
type endpointSlice struct{ ready, ports bool }

// learnReadiness passes on whether a Service has a ready endpoint.
func (f *podTracker) learnReadiness(s *service) {
	s.ready = false
	name := s.object.GetName()
	spec, _ := s.object.Object["spec"].(map[string]any)
	ports, _ := spec["ports"].([]any)
	for _, of := range f.services.endpoints[name] {
		s.ready = s.ready || of.ready && (of.ports || len(ports) == 0)
	}
	f.tracker.Learn(status.Map{
		"apiVersion": "discovery.k8s.io/v1", "kind": endpointSliceKind.Kind,
		"metadata":  map[string]any{"namespace": f.namespace, "name": name},
		"endpoints": []any{map[string]any{"conditions": map[string]any{"ready": s.ready}}},
	})
}

// sliceSeen takes an EndpointSlice as it is now, and reports whether it is relevant.
func (f *podTracker) sliceSeen(u *unstructured.Unstructured) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	service := u.GetLabels()[serviceLabel]
	if !f.isTarget("Service", service) {
		return false
	}
	if f.services.endpoints[service] == nil {
		f.services.endpoints[service] = map[string]endpointSlice{}
	}
	ports, _ := u.Object["ports"].([]any)
	f.services.endpoints[service][u.GetName()] = endpointSlice{ready: hasReadyEndpoint(u), ports: len(ports) > 0}
	f.updateService(service)
	return true
}

// sliceDeleted takes the deletion of an EndpointSlice.
func (f *podTracker) sliceDeleted(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for service, parts := range f.services.endpoints {
		if _, known := parts[name]; known {
			delete(parts, name)
			f.updateService(service)
		}
	}
}

// updateService reports a Service again if it gets its first ready endpoint or loses its last.
func (f *podTracker) updateService(service string) {
	s := f.services.byName[service]
	if s == nil {
		return
	}
	before := s.ready
	if f.learnReadiness(s); s.ready != before {
		f.reportServiceAgain(s)
	}
}

// retainSlices forgets the EndpointSlices that are not in the list.
func (f *podTracker) retainSlices(listed map[string]bool) {
	for service, parts := range f.services.endpoints {
		for name := range parts {
			if !listed[name] {
				delete(parts, name)
			}
		}
		f.updateService(service)
	}
}

// hasReadyEndpoint reports whether an endpoint is ready. The API defines an
// endpoint without the condition as ready.
func hasReadyEndpoint(u *unstructured.Unstructured) bool {
	endpoints, _ := u.Object["endpoints"].([]any)
	for _, e := range endpoints {
		endpoint, _ := e.(map[string]any)
		conditions, _ := endpoint["conditions"].(map[string]any)
		if ready, set := conditions["ready"].(bool); ready || !set {
			return true
		}
	}
	return false
}
