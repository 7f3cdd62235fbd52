package planner

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"kstatus.dev/clusterapi/internal/management"
)

// A target may never answer. The search for a kind of a folder ends with its context.
func TestForeignKindEndsWhileTheTargetIsSilent(t *testing.T) {
	for _, gvk := range []schema.GroupVersionKind{{Version: "v1", Kind: "Secret"}, {Group: "example.com", Version: "v1", Kind: "Widget"}} {
		t.Run(gvk.Kind, func(t *testing.T) {
			ended := errors.New("the test has ended the search")
			ctx, stop := context.WithCancelCause(t.Context())
			defer stop(nil)
			server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				stop(ended)
				<-r.Context().Done()
			}))
			defer server.Close()
			target, err := management.NewClient(&rest.Config{Host: server.URL})
			if err != nil {
				t.Fatal(err)
			}
			defer target.Close()
			if kind, err := foreignKind(ctx, target, gvk); !errors.Is(err, ended) {
				t.Errorf("have %v, %v, want %v", kind, err, ended)
			}
		})
	}
}
