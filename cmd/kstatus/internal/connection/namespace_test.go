package connection

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"k8s.io/client-go/rest"
)

func TestNamespaces(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		refuse := func(code int, reason string) {
			w.WriteHeader(code)
			_, _ = fmt.Fprintf(w, `{"apiVersion":"v1","kind":"Status","status":"Failure","reason":%q,"code":%d}`, reason, code)
		}
		switch r.URL.Path {
		case "/api/v1/namespaces/shop":
			_, _ = io.WriteString(w, `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"shop"}}`)
		case "/api/v1/namespaces":
			_, _ = io.WriteString(w, `{"apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadataList","metadata":{},"items":[{"metadata":{"name":"shop"}}]}`)
		case "/api/v1/namespaces/denied":
			refuse(http.StatusForbidden, "Forbidden")
		default:
			refuse(http.StatusNotFound, "NotFound")
		}
	}))
	defer server.Close()
	for _, row := range []struct {
		name, want string
		found      bool
	}{
		{"shop", "<nil>", true},
		{"denied", "<nil>", false},
		{"shpo", `namespace "shpo" does not exist; did you mean shop?`, false},
		{"payments", `namespace "payments" does not exist`, false},
	} {
		found, err := (&Cluster{Config: &rest.Config{Host: server.URL}, Namespace: row.name}).GetNamespace(t.Context())
		_, missing := errors.AsType[*NamespaceError](err)
		if have := fmt.Sprint(err); have != row.want || (found != nil) != row.found || missing != (err != nil) {
			t.Errorf("%s: have %v and %s, want %s", row.name, found, have, row.want)
		}
	}
}
