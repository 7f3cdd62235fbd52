package e2e

import (
	"context"
	"strings"
	"testing"

	"k8s.io/client-go/rest"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/manifest"
)

// endpointsWatcher watches Services until one of their endpoints is ready.
func endpointsWatcher(config *rest.Config, ask bool) observe.Watcher {
	return observe.Watcher{Source: &source.Cluster{Config: config, WaitForEndpoints: ask}}
}

func serviceOf(name, spec string) string {
	return "apiVersion: v1\nkind: Service\nmetadata: {name: " + name + "}\nspec: {" + spec + "}\n---\n"
}

func TestAServiceWaitsForEndpointsIfAsked(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, serviceOf("web", "selector: {app: web}, ports: [{port: 80}]"))
	web := workload("Deployment", "web", "app: web", "replicas: 1", readyPod)
	ctx, cancel := context.WithTimeout(t.Context(), longTimeout)
	defer cancel()
	var words []string
	for u, err := range endpointsWatcher(c.Config(), true).Updates(ctx, manifest.Target("", "Service", ns, "web")) {
		if err != nil {
			t.Fatal(err)
		}
		words = append(words, string(u.Result.Status)+" "+u.Result.Reason)
		switch len(words) {
		case 1:
			c.Apply(t, ns, web)
		case 2:
			c.Delete(t, ns, web)
		}
		if len(words) == 3 {
			break
		}
	}
	want := "InProgress WaitingForEndpoints, Current Reconciled, InProgress WaitingForEndpoints"
	if got := strings.Join(words, ", "); got != want {
		t.Errorf("have %s, want %s", got, want)
	}
}

func TestServicesThatDoNotWaitForEndpoints(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, serviceOf("selects", "selector: {app: web}, ports: [{port: 80}]")+
		serviceOf("free", "ports: [{port: 80}]")+
		serviceOf("named", "type: ExternalName, externalName: example.com")+
		workload("Deployment", "web", "app: web", "replicas: 1", readyPod))
	runSteps(t, c.Config(), manifest.Target("apps", "Deployment", ns, "web"), watchStep{hasStatus(status.CurrentStatus, ""), nil})
	nobody := configOf(t, c.User(t, ns, "someone", cluster.Grant{Namespace: ns, Verbs: []string{"get", "list", "watch"}, Resources: []string{"services"}}))
	rows := []struct {
		it, service string
		config      *rest.Config
		ask         bool
		reason      string
	}{
		{"has no selector", "free", c.Config(), true, "Reconciled"},
		{"is a name for another host", "named", c.Config(), true, "Reconciled"},
		{"is not asked to", "selects", c.Config(), false, "Reconciled"},
		{"has its endpoints already", "selects", c.Config(), true, "Reconciled"},
		{"hides its endpoints", "selects", nobody, true, "Forbidden"},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), longTimeout)
			defer cancel()
			for u, err := range endpointsWatcher(row.config, row.ask).Updates(ctx, manifest.Target("", "Service", ns, row.service)) {
				if err != nil {
					t.Fatal(err)
				}
				if u.Result.Reason == "WaitingForEndpoints" && row.service == "selects" && row.ask {
					continue // until the first read
				}
				if u.Result.Reason != row.reason {
					t.Errorf("it %s: have %s: %s, want %s", row.it, u.Result.Reason, u.Result.Message, row.reason)
				}
				return
			}
			t.Errorf("it %s: it goes on waiting", row.it)
		})
	}
}
