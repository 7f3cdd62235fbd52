package hostile

import (
	"net/http"
	"strings"
	"sync"
	"testing"
)

// Only the metadata of Secrets are read. Objects of a custom kind of the same name are read as
// a whole, because they may have a status.
func TestOnlyTheSecretsOfKubernetesAreReadAsMetadata(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		what     string
		metadata bool
		want     string
	}{
		{"secrets", true, "Current"},
		{"secrets.example.com", false, "InProgress"},
	} {
		t.Run(row.what, func(t *testing.T) {
			s := serve(t,
				`{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a", "namespace": "shop", "uid": "1", "resourceVersion": "7"}, "data": {"a": "Yg=="}}`,
				`{"apiVersion": "example.com/v1", "kind": "Secret", "metadata": {"name": "a", "namespace": "shop", "uid": "2", "resourceVersion": "7", "generation": 2},
					"status": {"observedGeneration": 1, "conditions": [{"type": "Ready", "status": "False", "reason": "Waiting"}]}}`)
			var mu sync.Mutex // guards accepted
			accepted := map[string]bool{}
			s.hook = func(_ http.ResponseWriter, r *http.Request) bool {
				if strings.HasSuffix(r.URL.Path, "/namespaces/shop/secrets") {
					mu.Lock()
					defer mu.Unlock()
					accepted[r.Header.Get("Accept")] = true
				}
				return false
			}
			_, out := kstatus(t, "get", row.what, "--kubeconfig", s.kubeconfig())
			if !strings.Contains(out, row.want) {
				t.Errorf("want %s, have\n%s", row.want, out)
			}
			if len(accepted) == 0 {
				t.Error("nothing is listed")
			}
			for format := range accepted {
				if strings.Contains(format, "as=PartialObjectMetadataList") != row.metadata {
					t.Errorf("the list is requested as %s", format)
				}
			}
		})
	}
}
