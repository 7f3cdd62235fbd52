package parts

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A Service that is gone is not told again when its EndpointSlices follow it,
// however its target names the namespace.
func TestAServiceThatIsGoneStaysGone(t *testing.T) {
	for _, namespace := range []string{"shop", ""} {
		target := observe.Target{Kind: ServiceKind, Namespace: namespace, Name: "web"}
		l := newLedger(target)
		l.fs.Endpoints = true
		l.fs.Learn = func(status.Object) {}
		l.fs.Report = func(s observe.Sighting) bool {
			l.told = append(l.told, map[bool]string{true: "there", false: "gone"}[s.Object != nil])
			return true
		}
		service, endpoints := webService()
		l.reports(observe.Sighting{Target: target, Object: service})
		l.f.sliceSeen(endpoints)
		l.reports(observe.Sighting{Target: target})
		l.f.sliceDeleted(endpoints.GetName())
		if want := []string{"there", "there", "gone"}; !slices.Equal(l.told, want) {
			t.Errorf("in namespace %q: told %s, want %s", namespace, strings.Join(l.told, " "), strings.Join(want, " "))
		}
	}
}

// A Service is told in each way in which it is a target: by its name, and as
// one of the selections that have it, as long as they do.
func TestServicesOfSelections(t *testing.T) {
	target := observe.Target{Kind: ServiceKind, Namespace: "shop", Name: "web"}
	labelled := observe.Target{Kind: ServiceKind, Namespace: "shop", Match: "app=web"}
	l := newLedger(target, labelled)
	l.fs.Endpoints = true
	l.fs.Learn = func(status.Object) {}
	l.fs.Report = func(s observe.Sighting) bool {
		l.told = append(l.told, string(s.Of.Match)+map[bool]string{true: " there", false: " gone"}[s.Object != nil])
		return true
	}
	service, endpoints := webService()
	for _, step := range []struct {
		it   string
		do   func()
		want []string
	}{
		{"tells a selection", func() { l.reports(observe.Sighting{Target: target, Of: labelled, Object: service}) }, []string{"app=web there"}},
		{"tells who asks by name", func() { l.reports(observe.Sighting{Target: target, Object: service}) }, []string{" there"}},
		{"tells both of endpoints", func() { l.f.sliceSeen(endpoints) }, []string{"app=web there", " there"}},
		{"tells a selection that it has left", func() { l.reports(observe.Sighting{Target: target, Of: labelled}) }, []string{"app=web gone"}},
		{"tells the other of endpoints", func() { l.f.sliceDeleted(endpoints.GetName()) }, []string{" there"}},
		{"tells the other that it is gone", func() { l.reports(observe.Sighting{Target: target}) }, []string{" gone"}},
		{"tells nobody of endpoints", func() { l.f.sliceSeen(endpoints) }, nil},
	} {
		l.told = nil
		if step.do(); !slices.Equal(l.told, step.want) {
			t.Errorf("it %s: told %q, want %q", step.it, l.told, step.want)
		}
	}
}

// Ready endpoints without a port serve nobody, if the Service has ports.
func TestEndpointsWithoutPorts(t *testing.T) {
	http := []any{map[string]any{"port": int64(80)}}
	for _, row := range []struct {
		it              string
		service, slices []any // the ports
		want            bool
	}{
		{"serves where both have ports", http, http, true},
		{"serves nobody where no container has the port", http, nil, false},
		{"serves where none is asked for", nil, nil, true},
	} {
		target := observe.Target{Kind: ServiceKind, Namespace: "shop", Name: "web"}
		l := newLedger(target)
		l.fs.Endpoints = true
		l.fs.Learn = func(status.Object) {}
		l.fs.Report = func(observe.Sighting) bool { return true }
		service, endpoints := webService()
		service.Object["spec"] = map[string]any{"selector": map[string]any{"app": "web"}, "ports": row.service}
		endpoints.Object["ports"] = row.slices
		l.reports(observe.Sighting{Target: target, Object: service})
		l.f.sliceSeen(endpoints)
		if have := l.f.services["web"].ready; have != row.want {
			t.Errorf("it %s: ready is %t", row.it, have)
		}
	}
}

// webService returns the Service web and an EndpointSlice of it with an
// endpoint that is ready.
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
