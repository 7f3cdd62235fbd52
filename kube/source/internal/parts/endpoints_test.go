package parts

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A deleted Service is not reported again when its EndpointSlices are deleted later,
// whether or not its target has a namespace.
func TestDeletedServiceStaysDeleted(t *testing.T) {
	for _, namespace := range []string{"shop", ""} {
		target := observe.Target{Kind: ServiceKind, Namespace: namespace, Name: "web"}
		l := newRecording(target)
		l.tracker.Endpoints = true
		l.tracker.AddRelated = func(status.Object) {}
		l.tracker.Report = func(s observe.Event) bool {
			l.lines = append(l.lines, map[bool]string{true: "there", false: "gone"}[s.Object != nil])
			return true
		}
		service, endpoints := webService()
		l.report(observe.Event{Target: target, Object: service})
		l.podTracker.sliceSeen(endpoints)
		l.report(observe.Event{Target: target})
		l.podTracker.sliceDeleted(endpoints.GetName())
		if want := []string{"there", "there", "gone"}; !slices.Equal(l.lines, want) {
			t.Errorf("in namespace %q: reported %s, want %s", namespace, strings.Join(l.lines, " "), strings.Join(want, " "))
		}
	}
}

// A Service is reported for each target that it matches: by its name, and for each
// selection that has it.
func TestServicesOfSelections(t *testing.T) {
	target := observe.Target{Kind: ServiceKind, Namespace: "shop", Name: "web"}
	labelled := observe.Target{Kind: ServiceKind, Namespace: "shop", LabelSelector: "app=web"}
	l := newRecording(target, labelled)
	l.tracker.Endpoints = true
	l.tracker.AddRelated = func(status.Object) {}
	l.tracker.Report = func(s observe.Event) bool {
		l.lines = append(l.lines, s.Of.LabelSelector+map[bool]string{true: " there", false: " gone"}[s.Object != nil])
		return true
	}
	service, endpoints := webService()
	for _, step := range []struct {
		it   string
		do   func()
		want []string
	}{
		{"reports to a selection", func() { l.report(observe.Event{Target: target, Of: labelled, Object: service}) }, []string{"app=web there"}},
		{"reports to the named target", func() { l.report(observe.Event{Target: target, Object: service}) }, []string{" there"}},
		{"reports endpoints to both", func() { l.podTracker.sliceSeen(endpoints) }, []string{"app=web there", " there"}},
		{"reports a Service that left the selection", func() { l.report(observe.Event{Target: target, Of: labelled}) }, []string{"app=web gone"}},
		{"reports endpoints to the named target only", func() { l.podTracker.sliceDeleted(endpoints.GetName()) }, []string{" there"}},
		{"reports that the named target is deleted", func() { l.report(observe.Event{Target: target}) }, []string{" gone"}},
		{"reports endpoints to no target", func() { l.podTracker.sliceSeen(endpoints) }, nil},
	} {
		l.lines = nil
		if step.do(); !slices.Equal(l.lines, step.want) {
			t.Errorf("it %s: reported %q, want %q", step.it, l.lines, step.want)
		}
	}
}

// Ready endpoints without a port do not count if the Service has ports.
func TestEndpointsWithoutPorts(t *testing.T) {
	http := []any{map[string]any{"port": int64(80)}}
	for _, row := range []struct {
		it              string
		service, slices []any // the ports
		want            bool
	}{
		{"is ready if both have ports", http, http, true},
		{"is not ready if no container has the port", http, nil, false},
		{"is ready without ports", nil, nil, true},
	} {
		target := observe.Target{Kind: ServiceKind, Namespace: "shop", Name: "web"}
		l := newRecording(target)
		l.tracker.Endpoints = true
		l.tracker.AddRelated = func(status.Object) {}
		l.tracker.Report = func(observe.Event) bool { return true }
		service, endpoints := webService()
		service.Object["spec"] = map[string]any{"selector": map[string]any{"app": "web"}, "ports": row.service}
		endpoints.Object["ports"] = row.slices
		l.report(observe.Event{Target: target, Object: service})
		l.podTracker.sliceSeen(endpoints)
		if have := l.podTracker.services.byName["web"].ready; have != row.want {
			t.Errorf("it %s: ready is %t", row.it, have)
		}
	}
}

// webService returns the Service web and an EndpointSlice of it with a ready endpoint.
func webService() (service, endpoints *unstructured.Unstructured) {
	service = &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"selector": map[string]any{"app": "web"}}}}
	service.SetNamespace("shop")
	service.SetName("web")
	service.SetUID("u1")
	endpoints = &unstructured.Unstructured{Object: map[string]any{"endpoints": []any{map[string]any{}}}}
	endpoints.SetName("web-1")
	endpoints.SetLabels(map[string]string{serviceLabel: "web"})
	return service, endpoints
}
