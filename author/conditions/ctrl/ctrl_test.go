package ctrl_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kstatus.dev/author/conditions"
	"kstatus.dev/author/conditions/ctrl"
	"kstatus.dev/author/conditions/wellknown"
)

var kind = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Server"}

// dial returns a client of controller-runtime for a test server.
func dial(server *httptest.Server) (client.Client, error) {
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(kind, meta.RESTScopeNamespace)
	return client.New(&rest.Config{Host: server.URL}, client.Options{Mapper: mapper, HTTPClient: server.Client()})
}

func object() *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(kind)
	u.SetNamespace("shop")
	u.SetName("web")
	u.SetResourceVersion("7")
	u.SetUID("u1")
	u.SetGeneration(1)
	return u
}

func TestWriterAsksForTheStatusSubresource(t *testing.T) {
	set := conditions.MustSet(conditions.Positive(wellknown.TypeReady))
	for name, c := range map[string]struct {
		options conditions.Options
		want    string
	}{
		"it sends a merge patch":   {conditions.Options{}, "PATCH /apis/example.com/v1/namespaces/shop/servers/web/status? application/merge-patch+json"},
		"it applies with force":    {conditions.Options{ServerSideApply: &conditions.ServerSideApply{FieldOwner: "me"}}, "PATCH /apis/example.com/v1/namespaces/shop/servers/web/status?fieldManager=me&force=true application/apply-patch+yaml"},
		"it reads after conflicts": {conditions.Options{MaxAttempts: 2}, "PATCH /apis/example.com/v1/namespaces/shop/servers/web/status? application/merge-patch+json\nGET /apis/example.com/v1/namespaces/shop/servers/web? \nPATCH /apis/example.com/v1/namespaces/shop/servers/web/status? application/merge-patch+json"},
	} {
		t.Run(name, func(t *testing.T) {
			var requests []string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				requests = append(requests, fmt.Sprintf("%s %s?%s %s", r.Method, r.URL.Path, r.URL.RawQuery, r.Header.Get("Content-Type")))
				w.Header().Set("Content-Type", "application/json")
				if c.options.MaxAttempts == 2 && len(requests) == 1 {
					w.WriteHeader(http.StatusConflict)
					io.WriteString(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Conflict","code":409}`)
					return
				}
				answer := object()
				if r.Method == http.MethodPatch {
					var body map[string]any
					if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
						t.Error(err)
					}
					answer.Object["status"] = body["status"]
				}
				if err := json.NewEncoder(w).Encode(answer.Object); err != nil {
					t.Error(err)
				}
			}))
			defer server.Close()
			api, err := dial(server)
			if err != nil {
				t.Fatal(err)
			}
			pass, err := set.WithOptions(c.options).Begin(object())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := pass.Commit(context.Background(), ctrl.NewWriter(api, api)); err != nil {
				t.Fatal(err)
			}
			if have := strings.Join(requests, "\n"); have != c.want {
				t.Errorf("asked\n%s\nwant\n%s", have, c.want)
			}
		})
	}
}

// In a manager: ctrl.NewWriter(mgr.GetClient(), mgr.GetAPIReader()).
func ExampleNewWriter() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Println(r.Method, r.URL.Path)
		w.Header().Set("Content-Type", "application/json")
		answer := object()
		var body map[string]any
		if json.NewDecoder(r.Body).Decode(&body) == nil {
			answer.Object["status"] = body["status"]
		}
		json.NewEncoder(w).Encode(answer.Object)
	}))
	defer server.Close()
	api, err := dial(server)
	if err != nil {
		panic(err)
	}
	set := conditions.MustSet(conditions.Positive(wellknown.TypeReady, "Up"))
	pass, err := set.Begin(object())
	if err != nil {
		panic(err)
	}
	pass.True(wellknown.TypeReady, "Up", "")
	changed, err := pass.Commit(context.Background(), ctrl.NewWriter(api, api))
	fmt.Println(changed, err)
	// Output:
	// PATCH /apis/example.com/v1/namespaces/shop/servers/web/status
	// true <nil>
}
