package source_test

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/internal/bubble"
	"kstatus.dev/kube/internal/wiretest"
	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/status/schema"
)

var (
	routes = wiretest.Resource{Group: "gateway.networking.k8s.io", Version: "v1", Kind: "HTTPRoute", Name: "httproutes"}
	route  = status.Kind{Group: routes.Group, Kind: routes.Kind}
)

// While no parent has reported on a route, other routes are read once: they show whether a controller
// reports at all.
func TestOtherRoutesAreRead(t *testing.T) {
	for _, row := range []struct {
		it       string
		reported bool // the awaited route
		want     schema.Tristate
	}{
		{"reads them for a route without a report", false, schema.TristateYes},
		{"does not need them for a route with a report", true, schema.TristateUnknown},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *session) {
				s.server.Serve(routes)
				report := func(u *unstructured.Unstructured) {
					u.Object["status"] = map[string]any{"parents": []any{map[string]any{"controllerName": "example.com/edge"}}}
					u.Object["metadata"].(map[string]any)["managedFields"] = []any{map[string]any{"manager": "edge", "operation": "Update", "subresource": "status", "fieldsV1": map[string]any{"f:status": map[string]any{}}}}
				}
				awaited, other := object(route, "shop", "a"), object(route, "shop", "b")
				report(other)
				if row.reported {
					report(awaited)
				}
				s.server.Put(awaited)
				s.server.Put(other)
				s.observe(observe.Target{Kind: route, Namespace: "shop", Name: "a"})
				bubble.Sleep(time.Minute)
				if have := s.evaluator.Expect("gateway.networking.k8s.io/v1", "HTTPRoute").Peers.Status; have != row.want {
					t.Errorf("the other routes have reports: %s, want %s", have, row.want)
				}
			})
		})
	}
}
