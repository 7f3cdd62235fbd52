package faults

import (
	"net/http/httptest"
	"testing"
)

func TestCallOf(t *testing.T) {
	for _, row := range []struct{ method, url, verb, resource, namespace string }{
		{"GET", "/api/v1/pods", "list", "pods", ""},
		{"GET", "/api/v1/pods?watch=true", "watch", "pods", ""},
		{"GET", "/api/v1/namespaces/n/pods?watch=1&limit=5", "watch", "pods", "n"},
		{"GET", "/api/v1/namespaces/n/pods/p", "get", "pods", "n"},
		{"GET", "/api/v1/namespaces/n/pods/p/log", "get", "pods/log", "n"},
		{"GET", "/api/v1/namespaces", "list", "namespaces", ""},
		{"GET", "/api/v1/namespaces/n", "get", "namespaces", "n"},
		{"PUT", "/api/v1/namespaces/n/status", "update", "namespaces/status", "n"},
		{"PATCH", "/apis/apps/v1/namespaces/n/deployments/d", "patch", "deployments.apps", "n"},
		{"POST", "/apis/apps/v1/namespaces/n/deployments", "create", "deployments.apps", "n"},
		{"DELETE", "/apis/apps/v1/namespaces/n/deployments", "deletecollection", "deployments.apps", "n"},
		{"DELETE", "/apis/rbac.authorization.k8s.io/v1/clusterroles/c", "delete", "clusterroles.rbac.authorization.k8s.io", ""},
		{"GET", "/apis", "get", "/apis", ""},
		{"GET", "/apis/apps/v1", "get", "/apis/apps/v1", ""},
		{"GET", "/version?timeout=32s", "get", "/version", ""},
	} {
		t.Run(row.method+" "+row.url, func(t *testing.T) {
			c := callOf(httptest.NewRequest(row.method, row.url, nil))
			if c != (call{verb: row.verb, resource: row.resource, namespace: row.namespace}) {
				t.Errorf("have %+v", c)
			}
		})
	}
}

func TestOnlyJSON(t *testing.T) {
	for accept, want := range map[string]string{
		"":                 "application/json",
		"application/cbor": "application/json",
		"application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json": "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json",
	} {
		if got := onlyJSON(accept); got != want {
			t.Errorf("onlyJSON(%q) = %q, want %q", accept, got, want)
		}
	}
}
