package source_test

import (
	"testing"
	"time"

	"k8s.io/client-go/dynamic"
	clientmetadata "k8s.io/client-go/metadata"

	"kstatus.dev/internal/bubble"
	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A target whose name is not a path segment has a verdict at once. The others are read.
func TestTargetNamesWithPaths(t *testing.T) {
	targets := []observe.Target{
		{Kind: secret, Namespace: "shop", Name: "../services/evil:80/proxy/x"},
		{Kind: configMap, Namespace: "../nodes/n1/proxy", Name: "space"},
		{Kind: status.Kind{Group: "..", Kind: "Run"}, Namespace: "shop", Name: "group"},
		{Kind: configMap, Namespace: "..", LabelSelector: "a=b"},
		{Kind: configMap, Namespace: "shop", Name: "good"},
	}
	want := []string{
		`../services/evil:80/proxy/x BadName: no object can have the name "../services/evil:80/proxy/x": it contains "/"`,
		`space BadName: no namespace can have the name "../nodes/n1/proxy": it contains "/"`,
		`group BadName: no group can have the name "..": it is a path`,
		`all BadName: no namespace can have the name "..": it is a path`,
		"good gone",
	}
	for _, row := range []struct {
		it      string
		cluster func(t *testing.T, s *session) source.Cluster
	}{
		{"by the clients of the package", func(*testing.T, *session) source.Cluster { return source.Cluster{} }},
		{"by clients of the caller", func(t *testing.T, s *session) source.Cluster {
			whole, err := dynamic.NewForConfig(s.server.Config())
			if err != nil {
				t.Fatal(err)
			}
			reduced, err := clientmetadata.NewForConfig(s.server.Config())
			if err != nil {
				t.Fatal(err)
			}
			return source.Cluster{Client: source.NewClientFor(source.Interfaces{Dynamic: whole, Metadata: reduced}, source.Options{})}
		}},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *session) {
				s.observeAs(row.cluster(t, s), targets...)
				s.expectReports(want...)
				s.expectRequests("watch configmaps in shop named good")
				s.reported()
				bubble.Sleep(20 * time.Second)
				s.expectRequests()
			})
		})
	}
}

// The namespace of a kubeconfig must be a path segment too.
func TestDefaultNamespaceWithPath(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		s.observeAs(source.Cluster{Namespace: "../../nodes/n1/proxy"}, named(configMap, "", "a")...)
		s.expectReports(`a BadName: no namespace can have the name "../../nodes/n1/proxy": it contains "/"`)
		s.expectRequests()
	})
}
