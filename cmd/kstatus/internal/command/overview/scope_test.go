package overview

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/status"
)

func TestWithoutDenied(t *testing.T) {
	forbidden := func(group, resource string) error {
		return apierrors.NewForbidden(schema.GroupResource{Group: group, Resource: resource}, "", errors.New("no role"))
	}
	broken := errors.New("connection refused")
	unserved := &connection.TypeError{Type: "apiservices"}
	denied, other := withoutDenied(errors.Join(forbidden("", "nodes"), unserved, broken, forbidden("apps", "deployments")))
	if want := []string{"deployments.apps", "nodes"}; !slices.Equal(denied, want) {
		t.Errorf("have %q, want %q", denied, want)
	}
	if have := fmt.Sprint(other); have != "connection refused" {
		t.Errorf("have %s, want only the error that is about no type", have)
	}
	if denied, other := withoutDenied(nil); denied != nil || other != nil {
		t.Errorf("have %q and %v, want nothing", denied, other)
	}
}

func TestWithNamespaceFirst(t *testing.T) {
	namespace := verdict("Namespace", "shop", status.TerminatingStatus, "", "")
	namespace.ID.Namespace = ""
	bad := []output.Verdict{
		verdict("Job", "migrate", status.FailedStatus, status.FailureTerminal, ""),
		verdict("Deployment", "web", status.InProgressStatus, "", ""), namespace, verdict("Pod", "shop", status.InProgressStatus, "", ""),
	}
	withNamespaceFirst("shop", bad)
	var have []string
	for _, v := range bad {
		have = append(have, v.ID.Kind.Kind)
	}
	if want := []string{"Namespace", "Job", "Deployment", "Pod"}; !slices.Equal(have, want) {
		t.Errorf("have %q, want %q", have, want)
	}
}

// The objects of an overview include its namespace only if the namespace is being deleted.
func TestNamespaceOfAnOverview(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/api/v1/namespaces/stuck":
			_, _ = io.WriteString(w, `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"stuck","deletionTimestamp":"2026-11-20T16:00:00Z"},"status":{"phase":"Terminating"}}`)
		case "/api/v1/namespaces/shop":
			_, _ = io.WriteString(w, `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"shop"},"status":{"phase":"Active"}}`)
		default:
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, `{"apiVersion":"v1","kind":"Status","status":"Failure","reason":"Forbidden","code":403}`)
		}
	}))
	defer server.Close()
	for _, row := range []struct {
		namespace string
		want      int
	}{{"stuck", 1}, {"shop", 0}, {"denied", 0}} {
		c := &connection.Cluster{Config: &rest.Config{Host: server.URL}, Namespace: row.namespace}
		found, err := terminating(t.Context(), c)
		if err != nil || len(found) != row.want {
			t.Errorf("%s: have %d objects and %v, want %d", row.namespace, len(found), err, row.want)
		}
	}
}
