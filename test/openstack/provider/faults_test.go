package provider

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/openstack/fakestack"
	"kstatus.dev/test/openstack/openstackshop"
)

// A fault is a problem while the objects are created: what they report, and what ends it.
type fault struct {
	hook    fakestack.Hook // of the cloud; nil for none
	prepare func(*fixture) // before the objects are created; nil for nothing
	changes []string       // pairs of old and new text in the manifests
	on      schema.GroupVersionResource
	name    string
	want    []string // conditions
	message string   // part of the message of the first condition
	fix     func(*fixture)
}

// resume lets the cloud work again.
func resume(w *fixture) { w.cloud.SetHook(nil) }

var faults = map[string]fault{
	"too many requests": {
		hook: fakestack.Matching("network POST /v2.0/networks", fakestack.TooManyRequests(time.Second)),
		on:   osClusters, name: "shop",
		want: []string{"NetworkReady=Unknown/RateLimited", "RouterReady=Unknown/WaitingForEarlierStep", "Ready=Unknown/RateLimited"},
		fix:  resume,
	},
	"the network service is away": {
		hook: fakestack.Matching("network", fakestack.Unavailable()),
		on:   osClusters, name: "shop",
		want: []string{"NetworkReady=Unknown/ServiceUnavailable", "Ready=Unknown/ServiceUnavailable"},
		fix:  resume,
	},
	"the load balancer service is away": {
		hook: fakestack.Matching("load-balancer", fakestack.Unavailable()),
		on:   osClusters, name: "shop",
		want: []string{"APIEndpointReady=Unknown/ServiceUnavailable", "NetworkReady=True", "Ready=Unknown/ServiceUnavailable"},
		fix:  resume,
	},
	"connections are reset": {
		hook: fakestack.Matching("network", fakestack.Fault{Reset: true}),
		on:   osClusters, name: "shop",
		want: []string{"NetworkReady=Unknown/EndpointUnreachable", "Ready=Unknown/EndpointUnreachable"},
		fix:  resume,
	},
	"wrong password": {
		changes: []string{"password: secret", "password: wrong"},
		on:      osClusters, name: "shop",
		want: []string{"AuthenticationSucceeded=False/CredentialsInvalid", "NetworkReady=Unknown/WaitingForEarlierStep", "Ready=False/CredentialsInvalid"},
		fix:  func(w *fixture) { w.Apply(w.cloudSecret("demo", "secret", "demo")) },
	},
	"no clouds.yaml": { // cluster-api-provider-openstack#2264
		changes: []string{"clouds.yaml:", "other.yaml:"},
		on:      osClusters, name: "shop",
		want:    []string{"AuthenticationSucceeded=False/CredentialsMissing", "Ready=False/CredentialsMissing"},
		message: "cloud-config",
		fix:     func(w *fixture) { w.Apply(w.cloudSecret("demo", "secret", "demo")) },
	},
	"no Secret": {
		changes: []string{"metadata: {name: cloud-config}", "metadata: {name: other}"},
		on:      osClusters, name: "shop",
		want:    []string{"AuthenticationSucceeded=False/CredentialsMissing", "Ready=False/CredentialsMissing"},
		message: "Secret cloud-config in spec.identityRef does not exist",
		fix:     func(w *fixture) { w.Apply(w.cloudSecret("demo", "secret", "demo")) },
	},
	"several external networks": {
		prepare: func(w *fixture) {
			w.create("/network/v2.0/networks", `{"network": {"name": "other", "router:external": true}}`)
		},
		on: osClusters, name: "shop",
		want: []string{"RouterReady=False/AmbiguousReference", "Ready=False/AmbiguousReference"},
		fix: func(w *fixture) {
			w.Patch(osClusters, "shop", `{"spec": {"externalNetwork": {"filter": {"name": "public"}}}}`)
		},
	},
	"no floating IPs": {
		prepare: func(w *fixture) { w.cloud.SetQuota(w.project, "floatingip", 0) },
		on:      osClusters, name: "shop",
		want: []string{"APIEndpointReady=False", "Ready=False"},
		fix:  func(w *fixture) { w.cloud.SetQuota(w.project, "floatingip", 5) },
	},
	"quota of networks": {
		prepare: func(w *fixture) { w.cloud.SetQuota(w.project, "network", 0) },
		on:      osClusters, name: "shop",
		want:    []string{"NetworkReady=False/QuotaExceeded", "Ready=False/QuotaExceeded"},
		message: "network",
		fix:     func(w *fixture) { w.cloud.SetQuota(w.project, "network", 5) },
	},
	"quota of servers": {
		prepare: func(w *fixture) { w.cloud.SetQuota(w.project, "instances", 0) },
		on:      osMachines, name: "web",
		want: []string{"InstanceReady=False/QuotaExceeded", "IngressReady=Unknown/WaitingForEarlierStep", "Ready=False/QuotaExceeded"},
		fix:  func(w *fixture) { w.cloud.SetQuota(w.project, "instances", 5) },
	},
	"missing image": {
		changes: []string{"name: debian", "name: fedora"},
		on:      osMachines, name: "web",
		want:    []string{"InstanceReady=False/DependencyNotFound", "Ready=False/DependencyNotFound"},
		message: "image with name fedora does not exist",
		fix:     func(w *fixture) { w.createImage("fedora") },
	},
	"missing flavor": {
		changes: []string{"name: small", "name: large"},
		on:      osMachines, name: "web",
		want:    []string{"InstanceReady=False/DependencyNotFound"},
		message: "flavor with name large does not exist",
		fix: func(w *fixture) {
			w.create("/compute/v2.1/flavors", `{"flavor": {"name": "large", "vcpus": 1, "ram": 512, "disk": 1}}`)
		},
	},
	"several images": {
		prepare: func(w *fixture) { w.createImage("debian") },
		on:      osMachines, name: "web",
		want: []string{"InstanceReady=False/AmbiguousReference", "Ready=False/AmbiguousReference"},
		fix: func(w *fixture) {
			w.createImage("fedora")
			w.Patch(osMachines, "web", `{"spec": {"image": {"filter": {"name": "fedora"}}}}`)
		},
	},
}

// Each fault is reported with its reason, and nothing more than its end is needed to go on.
func TestFaults(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	for name, f := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newFixture(t)
			if f.prepare != nil {
				f.prepare(w)
			}
			w.cloud.SetHook(f.hook)
			seen := w.record(osClusters, osMachines)
			w.RunProvider(w.Cluster.Config(), nil)
			w.applyShop(f.changes...)
			obj := w.WaitFor(f.on, f.name, f.want...)
			typ, _, _ := strings.Cut(f.want[0], "=")
			if have := message(obj, typ); !strings.Contains(have, f.message) {
				t.Errorf("the message of %s is %q, want %q in it", typ, have, f.message)
			}
			f.fix(w)
			w.WaitForReady()
			w.end()
			checkMessages(t, seen())
		})
	}
}

// A configuration that the cloud rejects is not sent again: not for other events, and not after a
// restart. A new spec is sent at once.
func TestInvalidConfigurationIsSentOnce(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	w := newFixture(t)
	w.cloud.SetHook(fakestack.Matching("compute POST /v2.1/servers", fakestack.Fault{
		Status: 400, Body: `{"badRequest": {"code": 400, "message": "Invalid user-data size."}}`,
	}))
	stop := w.RunProvider(w.Cluster.Config(), nil)
	w.applyShop()
	invalid := []string{"InstanceReady=False/InvalidConfiguration", "Ready=False/InvalidConfiguration"}
	obj := w.WaitFor(osMachines, "web", invalid...)
	if have := message(obj, "InstanceReady"); !strings.Contains(have, "Invalid user-data size.") {
		t.Errorf("the message is %q, without the text of the cloud", have)
	}
	for i := range 2 {
		w.Patch(osMachines, "web", fmt.Sprintf(`{"metadata": {"annotations": {"touched": %q}}}`, time.Now()))
		w.awaitPasses(fmt.Sprint("other-", i))
		stop()
		stop = w.RunProvider(w.Cluster.Config(), nil)
	}
	w.awaitPasses("last")
	w.WaitFor(osMachines, "web", invalid...)
	if n := w.countWrites("compute POST /v2.1/servers"); n != 1 {
		t.Errorf("the invalid request was sent %d times", n)
	}
	resume(w)
	w.Patch(osMachines, "web", `{"spec": {"serverMetadata": {"a": "b"}}}`)
	w.WaitForReady()
	w.end()
}

// awaitRequests waits for n more requests that begin with a prefix.
func (w *fixture) awaitRequests(prefix string, n int) {
	w.T.Helper()
	count := func() (n int) {
		for _, r := range w.cloud.Requests() {
			if strings.HasPrefix(r.String(), prefix) {
				n++
			}
		}
		return n
	}
	before := count()
	w.Until(fmt.Sprintf("%d more requests %s", n, prefix), func() bool { return count() >= before+n })
}

// countWrites returns the number of requests that begin with a prefix.
func (w *fixture) countWrites(prefix string) (n int) {
	for _, r := range w.cloud.Writes() {
		if strings.HasPrefix(r.String(), prefix) {
			n++
		}
	}
	return n
}

// Every request that creates something loses its first response. The provider creates each thing
// once.
func TestLostResponses(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	w := newFixture(t)
	lost := map[string]bool{}
	w.cloud.SetHook(func(r fakestack.Request) fakestack.Fault {
		if !r.IsWrite() || r.Method == "DELETE" {
			return fakestack.Fault{}
		}
		key := r.Service + " " + r.Method + " " + openstackshop.Anonymous(r.Path)
		if lost[key] {
			return fakestack.Fault{}
		}
		lost[key] = true
		return fakestack.Fault{Lose: true}
	})
	w.RunProvider(w.Cluster.Config(), nil)
	w.applyShop()
	w.WaitForReady()
	w.checkSingle()
	resume(w)
	w.end()
	if len(lost) < 10 {
		t.Errorf("only these responses were lost: %v", lost)
	}
}

// checkSingle checks that no two resources of a kind have the same name.
func (w *fixture) checkSingle() {
	w.T.Helper()
	for kind, all := range w.cloud.Snapshot(w.project) {
		var names []string
		for _, line := range all {
			name, _, _ := strings.Cut(line, " ")
			if name != "" && slices.Contains(names, name) {
				w.T.Errorf("there are two of kind %s: %v", kind, all)
			}
			names = append(names, name)
		}
	}
}

// checkMessages checks that no condition keeps its status and its reason, and changes its message,
// more than a few times.
func checkMessages(t *testing.T, stream []*unstructured.Unstructured) {
	t.Helper()
	type state struct{ status, reason, message any }
	last, changes := map[string]state{}, map[string]int{}
	for _, obj := range stream {
		list, _, _ := unstructured.NestedSlice(obj.Object, "status", "conditions")
		for _, item := range list {
			c, _ := item.(map[string]any)
			key := obj.GetKind() + " " + fmt.Sprint(c["type"])
			now := state{c["status"], c["reason"], c["message"]}
			if was, known := last[key]; known && was.status == now.status && was.reason == now.reason && was.message != now.message {
				if changes[key]++; changes[key] > 12 {
					t.Errorf("the message of %s changes all the time; the last: %v, %v", key, was.message, now.message)
				}
			}
			last[key] = now
		}
	}
}
