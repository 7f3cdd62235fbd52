package connection

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	clientmetadata "k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	"kstatus.dev/internal/guard"
)

// named returns an object without anything but a name.
func named(name string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Pod"}}
	u.SetName(name)
	return u
}

// No request is made of a name that is a path, by the clients of New as by those of a caller.
func TestNamesWithSlashesAreRejected(t *testing.T) {
	var requests atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		w.WriteHeader(http.StatusNotFound)
	}))
	defer server.Close()
	config := &rest.Config{Host: server.URL}
	own, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	whole, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	reduced, err := clientmetadata.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	pods := schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	const path, ok = "../../nodes/n1/proxy/run", "ok"
	one := func(ctx *testing.T, o dynamic.ResourceInterface, m clientmetadata.ResourceInterface, name string, sub ...string) map[string]error {
		c := ctx.Context()
		errs := map[string]error{}
		_, errs["get"] = o.Get(c, name, metav1.GetOptions{}, sub...)
		_, errs["create"] = o.Create(c, named(name), metav1.CreateOptions{}, sub...)
		_, errs["update"] = o.Update(c, named(name), metav1.UpdateOptions{}, sub...)
		_, errs["patch"] = o.Patch(c, name, types.MergePatchType, []byte("{}"), metav1.PatchOptions{}, sub...)
		_, errs["apply"] = o.Apply(c, name, named(name), metav1.ApplyOptions{}, sub...)
		errs["delete"] = o.Delete(c, name, metav1.DeleteOptions{}, sub...)
		_, errs["get metadata"] = m.Get(c, name, metav1.GetOptions{}, sub...)
		_, errs["patch metadata"] = m.Patch(c, name, types.MergePatchType, []byte("{}"), metav1.PatchOptions{}, sub...)
		errs["delete metadata"] = m.Delete(c, name, metav1.DeleteOptions{}, sub...)
		if len(sub) == 0 {
			_, errs["update status"] = o.UpdateStatus(c, named(name), metav1.UpdateOptions{})
			_, errs["apply status"] = o.ApplyStatus(c, name, named(name), metav1.ApplyOptions{})
		}
		return errs
	}
	many := func(ctx *testing.T, o dynamic.ResourceInterface, m clientmetadata.ResourceInterface) map[string]error {
		c := ctx.Context()
		errs := map[string]error{}
		_, errs["list"] = o.List(c, metav1.ListOptions{})
		_, errs["watch"] = o.Watch(c, metav1.ListOptions{})
		errs["delete many"] = o.DeleteCollection(c, metav1.DeleteOptions{}, metav1.ListOptions{})
		_, errs["list metadata"] = m.List(c, metav1.ListOptions{})
		_, errs["watch metadata"] = m.Watch(c, metav1.ListOptions{})
		errs["delete many metadata"] = m.DeleteCollection(c, metav1.DeleteOptions{}, metav1.ListOptions{})
		return errs
	}
	for _, client := range []struct {
		it string
		*Connection
	}{{"its own clients", own}, {"those of the caller", From(whole, reduced)}} {
		for _, row := range []struct {
			it   string
			errs func(t *testing.T) []map[string]error
		}{
			{"a name", func(t *testing.T) []map[string]error {
				o, m := client.Objects.Resource(pods), client.Metadata.Resource(pods)
				return []map[string]error{one(t, o, m, path), one(t, o.Namespace(ok), m.Namespace(ok), path), one(t, o.Namespace(ok), m.Namespace(ok), ok, "..", "x")}
			}},
			{"a namespace", func(t *testing.T) []map[string]error {
				o, m := client.Objects.Resource(pods).Namespace(path), client.Metadata.Resource(pods).Namespace(path)
				return []map[string]error{one(t, o, m, ok), many(t, o, m)}
			}},
			{"a group", func(t *testing.T) []map[string]error {
				bad := schema.GroupVersionResource{Group: path, Version: "v1", Resource: "pods"}
				o, m := client.Objects.Resource(bad), client.Metadata.Resource(bad)
				return []map[string]error{one(t, o, m, ok), many(t, o, m), many(t, o.Namespace(ok), m.Namespace(ok))}
			}},
			{"a version", func(t *testing.T) []map[string]error {
				bad := schema.GroupVersionResource{Version: path, Resource: "pods"}
				return []map[string]error{many(t, client.Objects.Resource(bad), client.Metadata.Resource(bad))}
			}},
			{"a resource", func(t *testing.T) []map[string]error {
				bad := schema.GroupVersionResource{Version: "v1", Resource: path}
				return []map[string]error{many(t, client.Objects.Resource(bad), client.Metadata.Resource(bad))}
			}},
		} {
			t.Run(client.it+" "+row.it, func(t *testing.T) {
				requests.Store(0)
				for _, errs := range row.errs(t) {
					for verb, err := range errs {
						if _, refused := errors.AsType[*guard.NameError](err); !refused {
							t.Errorf("%s: have %v, want an error about the name", verb, err)
						}
					}
				}
				if n := requests.Load(); n != 0 {
					t.Errorf("%d requests are made", n)
				}
			})
		}
	}
}

// A list ends with an error if the server does not end it.
func TestListsAreLimited(t *testing.T) {
	for _, row := range []struct {
		it   string
		next func(page int) string
		want string
		most int // requests
	}{
		{"ends a list whose token repeats", func(int) string { return "same" }, "the list has no end: its page 2 names itself as the next", 2},
		{"ends a list whose tokens alternate", func(page int) string { return fmt.Sprint("t", page%2) }, "the list has no end: after 1000 pages with 1000 objects there are more", 1000},
		{"ends a list of new tokens", func(page int) string { return fmt.Sprint("t", page) }, "the list has no end: after 1000 pages with 1000 objects there are more", 1000},
		{"reads a list of many pages", func(page int) string { return strings.Repeat("t", 500-page) }, "", 500},
	} {
		t.Run(row.it, func(t *testing.T) {
			requests := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				requests++
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprintf(w, `{"kind": "PodList", "apiVersion": "v1", "metadata": {"continue": %q}, "items": [{"metadata": {"name": "a"}}]}`, row.next(requests))
			}))
			defer server.Close()
			c, err := New(&rest.Config{Host: server.URL})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			options := metav1.ListOptions{}
			for err == nil {
				var page *unstructured.UnstructuredList
				page, err = c.Objects.Resource(schema.GroupVersionResource{Version: "v1", Resource: "pods"}).List(t.Context(), options)
				if err != nil {
					break
				}
				if options.Continue = page.GetContinue(); options.Continue == "" {
					break
				}
			}
			if requests != row.most || row.want == "" && err != nil || row.want != "" && (err == nil || err.Error() != row.want) {
				t.Errorf("have %v after %d requests, want %q after %d", err, requests, row.want, row.most)
			}
		})
	}
}

// The tokens of many lists are not kept if no caller reads the lists to their end.
func TestTokensAreDropped(t *testing.T) {
	var p pages
	for i := range 10 * maxLists {
		if err := p.add("", fmt.Sprint(i), 1); err != nil {
			t.Fatal(err)
		}
	}
	if len(p.lists) > maxLists {
		t.Errorf("have %d tokens, want at most %d", len(p.lists), maxLists)
	}
}

// No request goes to another server, and the token of the user does not either.
func TestRedirectsEndARequest(t *testing.T) {
	var elsewhere atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	defer other.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL+"/api/v1/pods", http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	c, err := New(&rest.Config{Host: server.URL, BearerToken: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, err = c.Objects.Resource(schema.GroupVersionResource{Version: "v1", Resource: "pods"}).List(t.Context(), metav1.ListOptions{})
	if elsewhere.Load() != 0 || err == nil || !strings.Contains(err.Error(), "kstatus does not follow redirects") {
		t.Errorf("have %v, and %d requests to the other server", err, elsewhere.Load())
	}
}
