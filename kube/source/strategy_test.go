package source_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kstatus.dev/internal/bubble"
	"kstatus.dev/kube/internal/wiretest"
	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
)

// badRequest is the response of a server that does not support a selector.
var badRequest = wiretest.Reply{Code: http.StatusBadRequest, Reason: metav1.StatusReasonBadRequest}

func TestReadStrategies(t *testing.T) {
	forbidden := func(m wiretest.Match) wiretest.Rule { return wiretest.Rule{Match: m, Reply: wiretest.Forbidden} }
	shop := func(n int) []observe.Target { return named(configMap, "shop", numbered("c%02d", n)...) }
	const (
		watches = "watch configmaps in shop named c%02d"
		lists   = "list configmaps in shop named c%02d"
		gets    = "get configmaps in shop named c%02d"
	)
	rows := []struct {
		it       string
		cluster  source.Cluster
		targets  []observe.Target
		rules    []wiretest.Rule
		requests []string
		notes    []string
	}{
		{
			it: "watches one object by its name", targets: shop(1),
			requests: []string{"watch configmaps in shop named c00"},
		},
		{
			it: "watches few objects by their names", targets: shop(5),
			requests: numbered(watches, 5),
		},
		{
			it: "watches more objects with their namespace", targets: shop(6),
			requests: []string{"watch configmaps in shop"},
		},
		{
			it: "watches the only object of a namespace by its name", targets: append(shop(6), named(configMap, "home", "a")...),
			requests: []string{"watch configmaps in shop", "watch configmaps in home named a"},
		},
		{
			it: "watches 20 namespaces each by itself", targets: inNamespaces(configMap, 20),
			requests: numbered("watch configmaps in ns%02d named x", 20),
		},
		{
			it: "watches more namespaces with the cluster", targets: inNamespaces(configMap, 21),
			requests: []string{"watch configmaps"},
		},
		{
			it: "never watches the Secrets of the cluster", targets: inNamespaces(secret, 21),
			requests: numbered("watch secrets in ns%02d named x", 21),
		},
		{
			it: "watches any number of Secrets by their names", targets: named(secret, "shop", numbered("c%02d", 6)...),
			requests: numbered("watch secrets in shop named c%02d", 6),
		},
		{
			it: "gets more Secrets than it may watch individually", targets: named(secret, "shop", numbered("c%02d", 51)...),
			requests: numbered("get secrets in shop named c%02d", 51),
		},
		{
			it: "lists Secrets by their names at an interval", targets: named(secret, "shop", "a", "b"), cluster: source.Cluster{Interval: time.Minute},
			requests: []string{"list secrets in shop named a", "list secrets in shop named b"},
		},
		{
			it: "gets Secrets if the server does not select by names", targets: named(secret, "shop", "a"),
			rules:    []wiretest.Rule{{Match: wiretest.Match{Verbs: anyList.Verbs, Name: "a"}, Reply: badRequest}},
			requests: []string{"watch secrets in shop named a", "list secrets in shop named a", "get secrets in shop named a"},
		},
		{
			it: "reads an object without a namespace in the default namespace", cluster: source.Cluster{Namespace: "shop"}, targets: named(configMap, "", "a"),
			requests: []string{"watch configmaps in shop named a"},
		},
		{
			it: "watches an object of a cluster-scoped kind by its name", targets: named(node, "", "n"),
			requests: []string{"watch nodes named n"},
		},
		{
			it: "watches each namespace if the cluster is forbidden", targets: inNamespaces(configMap, 21),
			rules:    []wiretest.Rule{forbidden(wiretest.Match{Resource: "configmaps", Wide: true})},
			requests: append(numbered("watch configmaps in ns%02d named x", 21), "watch configmaps", "list configmaps"),
			notes:    []string{"user eve may not list configmaps in all namespaces: each namespace is read by itself"},
		},
		{
			it: "watches objects by their names if the namespace is forbidden", targets: shop(6),
			rules:    []wiretest.Rule{forbidden(wiretest.Match{Resource: "configmaps", Unnamed: true})},
			requests: append(numbered(watches, 6), "watch configmaps in shop", "list configmaps in shop"),
			notes:    []string{"user eve may not list configmaps in namespace shop: its objects are read by name"},
		},
		{
			it: "gets objects if watches by name are forbidden", targets: shop(2),
			rules:    []wiretest.Rule{forbidden(wiretest.Match{Resource: "configmaps", Verbs: anyList.Verbs})},
			requests: slices.Concat(numbered(watches, 2), numbered(lists, 2), numbered(gets, 2)),
			notes:    []string{"user eve may not list configmaps in namespace shop: its objects are got every few seconds"},
		},
		{
			it: "gets more objects than it may watch individually", targets: shop(51),
			rules:    []wiretest.Rule{forbidden(wiretest.Match{Resource: "configmaps", Unnamed: true})},
			requests: append(numbered(gets, 51), "watch configmaps in shop", "list configmaps in shop"),
			notes:    []string{"user eve may not list configmaps in namespace shop: its objects are read by name"},
		},
		{
			it: "watches as many objects individually as permitted", targets: shop(50),
			rules:    []wiretest.Rule{forbidden(wiretest.Match{Resource: "configmaps", Unnamed: true})},
			requests: append(numbered(watches, 50), "watch configmaps in shop", "list configmaps in shop"),
			notes:    []string{"user eve may not list configmaps in namespace shop: its objects are read by name"},
		},
		{
			it: "watches the namespace if the server does not select by names", targets: shop(1),
			rules:    []wiretest.Rule{{Match: wiretest.Match{Verbs: anyList.Verbs, Name: "c00"}, Reply: badRequest}},
			requests: []string{"watch configmaps in shop named c00", "list configmaps in shop named c00", "watch configmaps in shop"},
		},
		{
			it: "gets objects of a kind that has only the verb get", targets: shop(1),
			rules:    []wiretest.Rule{{Match: anyList, Reply: wiretest.Reply{Code: http.StatusMethodNotAllowed, Reason: metav1.StatusReasonMethodNotAllowed}}},
			requests: slices.Concat(numbered(gets, 1), numbered(lists, 1), numbered(watches, 1)),
			notes:    []string{"the cluster does not list ConfigMap: its objects are got every few seconds"},
		},
		{
			it: "lists a kind that cannot be watched", targets: shop(1),
			rules:    []wiretest.Rule{forbidden(wiretest.Match{Resource: "configmaps", Verbs: []string{"watch"}})},
			requests: []string{"list configmaps in shop named c00", "watch configmaps in shop named c00"},
			notes:    []string{"user eve may not watch configmaps in namespace shop: it is listed every few seconds"},
		},
		{
			it: "lists and watches without streamed lists", targets: shop(6),
			rules:    []wiretest.Rule{{Match: wiretest.Match{Streamed: true}, Reply: badRequest}},
			requests: []string{"watch configmaps in shop", "list configmaps in shop", "watch configmaps in shop"},
		},
		{
			it: "lists each namespace at an interval", targets: shop(2), cluster: source.Cluster{Interval: time.Minute},
			requests: []string{"list configmaps in shop"},
		},
		{
			it: "watches a selection", targets: []observe.Target{{Kind: configMap, Namespace: "shop", LabelSelector: "app=web"}},
			requests: []string{"watch configmaps in shop with app=web"},
		},
		{
			it: "watches a selection of all namespaces", targets: []observe.Target{{Kind: configMap}},
			requests: []string{"watch configmaps"},
		},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *session) {
				for _, rule := range row.rules {
					s.server.On(rule)
				}
				s.observeAs(row.cluster, row.targets...)
				s.expectRequests(row.requests...)
				s.expectNotes(row.notes...)
				var lines []string
				for _, target := range row.targets {
					if target.IsSelection() {
						lines = append(lines, "all")
					} else {
						lines = append(lines, target.Name+" gone")
					}
				}
				s.expectReports(lines...)
			})
		})
	}
}

// Targets that cannot be read in any way are reported, and so are targets whose namespace
// does not fit their kind.
func TestUnreadableTargets(t *testing.T) {
	selection := observe.Target{Kind: configMap, Namespace: "shop", FieldSelector: "data.x=y"}
	rows := []struct {
		it      string
		targets []observe.Target
		rules   []wiretest.Rule
		want    []string
	}{
		{
			it: "reports objects for which list and get are forbidden", targets: named(configMap, "shop", "a"),
			rules: []wiretest.Rule{{Match: wiretest.Match{Resource: "configmaps"}, Reply: wiretest.Forbidden}},
			want:  []string{"a Forbidden: user eve may not list or get configmaps in namespace shop"},
		},
		{
			it: "reports a selection for which list is forbidden", targets: []observe.Target{{Kind: configMap}},
			rules: []wiretest.Rule{{Match: anyList, Reply: wiretest.Forbidden}},
			want:  []string{"all Forbidden: user eve may not list configmaps in all namespaces"},
		},
		{
			it: "reports a forbidden request with the server's message without a user", targets: []observe.Target{{Kind: configMap}},
			rules: []wiretest.Rule{{Match: anyList, Reply: wiretest.Forbidden}, {Match: wiretest.Match{Verbs: []string{"create"}}, Reply: wiretest.Forbidden}},
			want:  []string{"all Forbidden: list configmaps in all namespaces: list configmaps: forbidden"},
		},
		{
			it: "reports a selector that the server does not support", targets: []observe.Target{selection},
			rules: []wiretest.Rule{{Match: anyList, Reply: badRequest}},
			want:  []string{"all BadScope: the server does not select configmaps by data.x=y: list configmaps in shop: bad request; metadata.name and metadata.namespace select objects of all types"},
		},
		{
			it: "reports a failing server", targets: named(configMap, "shop", "a"),
			rules: []wiretest.Rule{{Match: everyObject, Reply: wiretest.Reply{Code: 500, Reason: metav1.StatusReasonInternalError}}},
			want:  []string{"a Transport: list configmaps in namespace shop: watch configmaps in shop named a: internal server error"},
		},
		{
			it: "reports a namespace of a cluster-scoped kind", targets: named(node, "shop", "n"),
			want: []string{"n BadScope: Node has no namespace, and shop is named"},
		},
		{
			it: "reports a namespace of a selection of a cluster-scoped kind", targets: []observe.Target{{Kind: node, Namespace: "shop"}},
			want: []string{"all BadScope: Node has no namespace, and shop is named"},
		},
		{
			it: "reports a missing namespace", targets: named(configMap, "", "a"),
			want: []string{"a BadScope: ConfigMap is namespaced, and no namespace is named"},
		},
		{
			it: "reports a failure of discovery", targets: named(widget, "shop", "w"),
			rules: []wiretest.Rule{{Match: wiretest.Match{Path: "/apis/example.com"}, Reply: wiretest.Forbidden}},
			want:  []string{"w Forbidden: user eve may not look up Widget.example.com"},
		},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *session) {
				for _, rule := range row.rules {
					s.server.On(rule)
				}
				s.observe(row.targets...)
				s.expectReports(row.want...)
			})
		})
	}
}

// If a better way is permitted later, it is used from then on.
func TestReadsImproveOncePermitted(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		permit := s.server.On(wiretest.Rule{Match: wiretest.Match{Resource: "configmaps", Verbs: anyList.Verbs}, Reply: wiretest.Forbidden})
		a := object(configMap, "shop", "a")
		version := s.server.Put(a)
		s.observe(named(configMap, "shop", "a")...)
		s.expectReports("a@" + version)
		s.requested()
		bubble.Sleep(10 * time.Second)
		if have := s.requested(); slices.Contains(have, "list configmaps in shop named a") {
			t.Errorf("after 10 s it has tried to list: %q", have)
		}
		permit()
		bubble.Sleep(10 * time.Second)
		have := s.requested()
		if !slices.Contains(have, "list configmaps in shop named a") || have[len(have)-1] != "watch configmaps in shop named a" {
			t.Errorf("want a list that is tried and a watch once that is permitted, have %q", have)
		}
		s.expectReports()
		bubble.Sleep(20 * time.Second)
		s.expectRequests()
		s.expectReports()
		version = s.server.Put(a)
		s.expectReports("a@" + version)
	})
}

// A list that remains forbidden is retried at longer and longer intervals, up to about
// five minutes.
func TestForbiddenListsAreTriedSeldom(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		s.server.On(wiretest.Rule{Match: wiretest.Match{Resource: "configmaps", Wide: true}, Reply: wiretest.Forbidden})
		s.observe(inNamespaces(configMap, 21)...)
		s.requested()
		bubble.Sleep(time.Hour)
		lists := 0
		for _, r := range s.server.Requests() {
			if r.Verb == "list" && r.Namespace == "" {
				lists++
				if !r.Metadata || r.Limit != 1 {
					t.Errorf("the list is tried with %+v, want one object's metadata", r)
				}
			}
		}
		if lists < 12 || lists > 21 {
			t.Errorf("the list has been tried %d times in an hour", lists)
		}
	})
}

// Polled objects are read about every two seconds, at most ten a second after the first
// round. Forbidden ones are read less and less often.
func TestGetRate(t *testing.T) {
	rows := []struct {
		it       string
		objects  int
		rule     wiretest.Match
		min, max int // gets in the second minute
	}{
		{it: "gets one object every two seconds", objects: 1, rule: anyList, min: 22, max: 41},
		{it: "gets many objects ten times a second", objects: 60, rule: anyList, min: 540, max: 610},
		{it: "gets a forbidden object seldom", objects: 1, rule: everyObject, min: 1, max: 3},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *session) {
				s.server.On(wiretest.Rule{Match: row.rule, Reply: wiretest.Forbidden})
				s.observe(named(configMap, "shop", numbered("c%02d", row.objects)...)...)
				bubble.Sleep(time.Minute)
				s.requested()
				bubble.Sleep(time.Minute)
				gets := 0
				for _, r := range s.server.Requests() {
					if r.Verb == "get" {
						gets++
					}
				}
				if gets < row.min || gets > row.max {
					t.Errorf("have %d gets in a minute, want %d to %d", gets, row.min, row.max)
				}
			})
		})
	}
}

// A polled object is reported when it appears, changes, fails and disappears.
func TestGets(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		s.server.On(wiretest.Rule{Match: anyList, Reply: wiretest.Forbidden})
		a := object(configMap, "shop", "a")
		s.observe(named(configMap, "shop", "a")...)
		s.expectReports("a gone")
		first := s.server.Put(a)
		bubble.Sleep(3 * time.Second)
		s.expectReports("a@" + first)
		second := s.server.Put(a)
		bubble.Sleep(3 * time.Second)
		s.expectReports("a@" + second)
		restore := s.server.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"get"}}, Reply: wiretest.Reply{Code: 500}})
		s.within(3*time.Second, "Transport: get configmaps in namespace shop: ")
		restore()
		bubble.Sleep(3 * time.Second)
		if have := s.reported(); have[len(have)-1] != "a@"+second {
			t.Errorf("reported %q after a failure, want a@%s in the end", have, second)
		}
		s.server.Delete(a)
		bubble.Sleep(3 * time.Second)
		s.expectReports("a gone")
	})
}

// For Secrets, and for ConfigMaps unless their data matters, only the metadata is read.
func TestMetadataOnly(t *testing.T) {
	for _, row := range []struct {
		it      string
		target  observe.Target
		cluster source.Cluster
		want    bool
	}{
		{it: "reads the metadata of a Secret", target: named(secret, "shop", "a")[0], cluster: source.Cluster{ReadConfigMapData: true}, want: true},
		{it: "reads the metadata of a ConfigMap", target: named(configMap, "shop", "a")[0], want: true},
		{it: "reads a ConfigMap with ReadConfigMapData", target: named(configMap, "shop", "a")[0], cluster: source.Cluster{ReadConfigMapData: true}},
		{it: "reads a Node", target: named(node, "", "a")[0]},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *session) {
				version := s.server.Put(object(row.target.Kind, row.target.Namespace, "a"))
				s.observeAs(row.cluster, row.target)
				s.expectReports("a@" + version)
				for _, r := range s.server.Requests() {
					if r.Verb == "watch" && r.Metadata != row.want {
						t.Errorf("metadata only is %t in %s", r.Metadata, r)
					}
				}
			})
		})
	}
}
