package source

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
		target := observe.Target{Kind: serviceKind, Namespace: namespace, Name: "web"}
		l := newLedger(target)
		l.fs.link.endpoints = true
		l.fs.link.lessons.learn = func(status.Object) {}
		l.fs.tell = func(s observe.Sighting) bool {
			l.told = append(l.told, map[bool]string{true: "there", false: "gone"}[s.Object != nil])
			return true
		}
		service := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"selector": map[string]any{"app": "web"}}}}
		service.SetNamespace("shop")
		service.SetName("web")
		service.SetUID("u1")
		endpoints := &unstructured.Unstructured{Object: map[string]any{"endpoints": []any{map[string]any{}}}}
		endpoints.SetName("web-1")
		endpoints.SetLabels(map[string]string{serviceName: "web"})
		l.fs.saw(observe.Sighting{Target: target, Object: service})
		l.f.sawSlice(endpoints, false)
		l.fs.saw(observe.Sighting{Target: target})
		l.f.sawSlice(endpoints, true)
		if want := []string{"there", "there", "gone"}; !slices.Equal(l.told, want) {
			t.Errorf("in namespace %q: told %s, want %s", namespace, strings.Join(l.told, " "), strings.Join(want, " "))
		}
	}
}
