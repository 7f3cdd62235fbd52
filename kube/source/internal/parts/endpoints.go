package parts

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// ServiceKind is the kind that depends on EndpointSlices.
var ServiceKind = status.Kind{Kind: "Service"}

var endpointSliceKind = status.Kind{Group: "discovery.k8s.io", Kind: "EndpointSlice"}

// serviceLabel is the label of an EndpointSlice with the name of its Service.
const serviceLabel = "kubernetes.io/service-name"

// services are the Services of a namespace whose verdicts depend on their endpoints.
type services struct {
	byName    map[string]*service
	endpoints map[string]map[string]endpointSlice // by Service and EndpointSlice
}

// A service is a Service whose verdict depends on its endpoints.
type service struct {
	workload *workload
	of       []observe.Target           // the selections that have it; the zero Target if it is a named target
	object   *unstructured.Unstructured // reported again when its endpoints change
	ready    bool                       // a ready endpoint has been reported to Learn
}

// ReportService reports a Service with its endpoints, on which its verdict depends. Before they
// have been read, no endpoint is ready. If they are forbidden, the Service is unreadable.
func (tracker *Tracker) ReportService(s observe.Event) (pending bool) {
	u, _ := s.Object.(*unstructured.Unstructured)
	selector := decoded.Map(objectOf(u), "spec", "selector")
	namespace := tracker.namespaceOf(s.Target)
	if u != nil {
		namespace = u.GetNamespace()
	}
	pt := tracker.in(namespace, len(selector) > 0)
	if pt == nil || s.Err != nil {
		return tracker.Report(s)
	}
	pt.mu.Lock()
	defer pt.mu.Unlock()
	known := pt.services.byName[s.Target.Name]
	if known != nil && u == nil && known.leaveSelection(s.Of) {
		return tracker.Report(s)
	}
	if known != nil && (len(selector) == 0 || known.workload.uid != u.GetUID()) {
		pt.setPending(known.workload, false)
		delete(pt.workloads, known.workload.uid)
		delete(pt.services.byName, s.Target.Name)
		known = nil
	}
	if len(selector) == 0 {
		return tracker.Report(s)
	}
	if known == nil {
		known = &service{object: u, workload: &workload{target: s.Target, uid: u.GetUID(), labels: map[string]string{serviceLabel: u.GetName()}}}
		pt.workloads[known.workload.uid] = known.workload
		pt.services.byName[u.GetName()] = known
		pt.setPending(known.workload, true) // its verdict depends on them even when it is ready
		pt.reportReadiness(known)
	}
	known.object = u
	if !slices.Contains(known.of, s.Of) {
		known.of = append(known.of, s.Of)
	}
	pending = pt.reportServiceAs(known, s.Of)
	pt.watches.slices.ensure(known.workload)
	pt.updateIdleTimer()
	return pending
}

func objectOf(u *unstructured.Unstructured) map[string]any {
	if u == nil {
		return nil
	}
	return u.Object
}

// leaveSelection records that the Service has left a selection, or is deleted as a named target,
// and reports whether it is still a target.
func (s *service) leaveSelection(of observe.Target) bool {
	s.of = slices.DeleteFunc(s.of, func(t observe.Target) bool { return t == of })
	return len(s.of) > 0
}

// reportServiceToAll reports a Service for each selection that has it, and by its name.
func (pt *podTracker) reportServiceToAll(s *service) {
	for _, of := range s.of {
		pt.reportServiceAs(s, of)
	}
}

// reportServiceAs reports a Service, or why its endpoints cannot be read. A selection must have
// the object before the object can be reported as unreadable.
func (pt *podTracker) reportServiceAs(s *service, of observe.Target) (pending bool) {
	if pt.watches.slices.denied == nil || of != (observe.Target{}) {
		pending = pt.tracker.Report(observe.Event{Target: s.workload.target, Of: of, Object: s.object})
	}
	if pt.watches.slices.denied != nil {
		pending = pt.tracker.Report(observe.Event{Target: s.workload.target, Of: of, Err: pt.watches.slices.denied})
	}
	return pending
}

// An endpointSlice is the part of an EndpointSlice that is kept. A slice without ports serves
// nothing, unless its Service has no ports either: no container has the port.
type endpointSlice struct{ ready, ports bool }

// reportReadiness passes on whether a Service has a ready endpoint.
func (pt *podTracker) reportReadiness(s *service) {
	s.ready = false
	name := s.object.GetName()
	ports := decoded.List(s.object.Object, "spec", "ports")
	for _, of := range pt.services.endpoints[name] {
		s.ready = s.ready || of.ready && (of.ports || len(ports) == 0)
	}
	pt.tracker.AddRelated(status.Map{
		"apiVersion": "discovery.k8s.io/v1", "kind": endpointSliceKind.Kind,
		"metadata":  map[string]any{"namespace": pt.namespace, "name": name},
		"endpoints": []any{map[string]any{"conditions": map[string]any{"ready": s.ready}}},
	})
}

// sliceSeen handles the current state of an EndpointSlice, and reports whether it is relevant.
func (pt *podTracker) sliceSeen(u *unstructured.Unstructured) bool {
	pt.mu.Lock()
	defer pt.mu.Unlock()
	service := u.GetLabels()[serviceLabel]
	if !pt.isTarget("Service", service) {
		return false
	}
	if pt.services.endpoints[service] == nil {
		pt.services.endpoints[service] = map[string]endpointSlice{}
	}
	pt.services.endpoints[service][u.GetName()] = endpointSlice{ready: hasReadyEndpoint(u), ports: len(decoded.List(u.Object, "ports")) > 0}
	pt.updateService(service)
	return true
}

// sliceDeleted handles the deletion of an EndpointSlice.
func (pt *podTracker) sliceDeleted(name string) {
	pt.mu.Lock()
	defer pt.mu.Unlock()
	for service, parts := range pt.services.endpoints {
		if _, known := parts[name]; known {
			delete(parts, name)
			pt.updateService(service)
		}
	}
}

// updateService reports a Service again if it gets its first ready endpoint or loses its last.
func (pt *podTracker) updateService(service string) {
	s := pt.services.byName[service]
	if s == nil {
		return
	}
	before := s.ready
	if pt.reportReadiness(s); s.ready != before {
		pt.reportServiceToAll(s)
	}
}

// retainSlices forgets the EndpointSlices that are not in the list.
func (pt *podTracker) retainSlices(listed map[string]bool) {
	for service, parts := range pt.services.endpoints {
		for name := range parts {
			if !listed[name] {
				delete(parts, name)
			}
		}
		pt.updateService(service)
	}
}

// hasReadyEndpoint reports whether an endpoint is ready. The API defines an
// endpoint without the condition as ready.
func hasReadyEndpoint(u *unstructured.Unstructured) bool {
	for _, endpoint := range decoded.Maps(u.Object, "endpoints") {
		if ready, set := decoded.At(endpoint, "conditions", "ready").(bool); ready || !set {
			return true
		}
	}
	return false
}
