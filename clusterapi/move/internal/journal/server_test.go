package journal

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"kstatus.dev/clusterapi/internal/management"
)

// A server is an API server with as much of an API as a journal needs.
type server struct {
	mu       sync.Mutex
	objects  map[string]*unstructured.Unstructured // by path
	version  int
	requests []string // METHOD PATH

	// If set, these answer with an error code, or with 0 to let the server answer. The second is
	// called after the server has executed the request.
	before, after func(method, path string) (code int)
}

// newServer returns a server with a namespace kstatus, and a client of it. Its requests need no
// network, so that tests with Leases can run in bubbles.
func newServer(t *testing.T) (*server, *management.Client) {
	s := &server{objects: map[string]*unstructured.Unstructured{"/api/v1/namespaces/kstatus": {Object: map[string]any{}}}}
	c, err := management.NewClient(&rest.Config{Host: "http://server.example", Transport: s})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return s, c
}

// RoundTrip answers a request of the client.
func (s *server) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	if r.Body == nil {
		r.Body = http.NoBody
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Result(), nil
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r.Method+" "+r.URL.Path)
	w.Header().Set("Content-Type", "application/json")
	code, body := 0, any(nil)
	if s.before != nil {
		code = s.before(r.Method, r.URL.Path)
	}
	if code == 0 {
		code, body = s.execute(r)
		if s.after != nil {
			if other := s.after(r.Method, r.URL.Path); other != 0 {
				code = other
			}
		}
	}
	if code >= 300 {
		reasons := map[int]metav1.StatusReason{
			403: metav1.StatusReasonForbidden, 404: metav1.StatusReasonNotFound, 409: metav1.StatusReasonConflict, 410: metav1.StatusReasonAlreadyExists, 500: metav1.StatusReasonInternalError,
		}
		reason := reasons[code]
		if code == 410 {
			code = 409 // the API has one code for both
		}
		body = metav1.Status{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: "Failure",
			Reason: reason, Code: int32(code), Message: string(reason),
		}
	}
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(body) // the client reads all of it
}

// execute executes a request.
func (s *server) execute(r *http.Request) (code int, body any) {
	path := r.URL.Path
	old := s.objects[path]
	var o unstructured.Unstructured
	if r.Method == http.MethodPost || r.Method == http.MethodPut {
		if err := json.NewDecoder(r.Body).Decode(&o.Object); err != nil {
			return 500, nil
		}
	}
	namespaced := strings.Count(path, "/") > 4
	switch {
	case r.Method == http.MethodPost:
		if namespaced && s.objects["/api/v1/namespaces/"+o.GetNamespace()] == nil {
			return 404, nil
		}
		path += "/" + o.GetName()
		if s.objects[path] != nil {
			return 410, nil
		}
		s.store(path, &o)
		return 201, o.Object
	case r.Method == http.MethodGet && !strings.HasSuffix(path, "configmaps"):
		if old == nil {
			return 404, nil
		}
		return 200, old.Object
	case r.Method == http.MethodGet:
		list := unstructured.UnstructuredList{Object: map[string]any{"kind": "ConfigMapList", "apiVersion": "v1"}}
		for at, o := range s.objects {
			if _, value, _ := strings.Cut(r.URL.Query().Get("labelSelector"), "="); strings.HasPrefix(at, path+"/") && o.GetLabels()[Label] == value {
				list.Items = append(list.Items, *o)
			}
		}
		return 200, list.UnstructuredContent()
	case old == nil:
		return 404, nil
	case r.Method == http.MethodPut:
		if v := o.GetResourceVersion(); v != "" && v != old.GetResourceVersion() {
			return 409, nil
		}
		o.SetUID(old.GetUID())
		s.store(path, &o)
		return 200, o.Object
	case r.Method == http.MethodDelete:
		var options metav1.DeleteOptions
		_ = json.NewDecoder(r.Body).Decode(&options) // no body means no preconditions
		if p := options.Preconditions; p != nil && (*p.UID != old.GetUID() || *p.ResourceVersion != old.GetResourceVersion()) {
			return 409, nil
		}
		delete(s.objects, path)
		return 200, metav1.Status{Status: "Success"}
	}
	return 500, nil
}

// store stores an object with a new version. Its creation also gives it a UID.
func (s *server) store(path string, o *unstructured.Unstructured) {
	s.version++
	o.SetResourceVersion(strconv.Itoa(s.version))
	if o.GetUID() == "" {
		o.SetUID(types.UID("uid-" + strconv.Itoa(s.version)))
	}
	s.objects[path] = o
}

// configMaps returns the number of ConfigMaps.
func (s *server) configMaps() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for path := range s.objects {
		if strings.Contains(path, "/configmaps/") {
			n++
		}
	}
	return n
}

// change changes an object as another client may.
func (s *server) change(path string, do func(*unstructured.Unstructured)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.objects[path].DeepCopy()
	do(o)
	s.store(path, o)
}

// fail sets what answers requests instead of the server.
func (s *server) fail(before, after func(method, path string) int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.before, s.after = before, after
}
