package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kstatus.dev/explain"
	"kstatus.dev/kube/tree"
	"kstatus.dev/status"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/faults"
	"kstatus.dev/test/lib/manifest"
)

func gaps(f *explain.Facts, ns string) (all []string) {
	for _, g := range f.Gaps {
		all = append(all, strings.ReplaceAll(g.String(), ns, "NS"))
	}
	slices.Sort(all)
	return all
}

// Gaps in the permissions are reported, and the explanation uses the rest.
func TestCollectWithFewRights(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, manifest.Deployment("web", "image: c, envFrom: [{secretRef: {name: missing}}]", "kstatus.dev/pod: never-created"))
	web := status.ID{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: ns, Name: "web"}
	collectUntil(t, tree.Reader{Config: c.Config(), Mapper: mapperOf(t, c.Config())}, causes("ReferenceMissing"), web)
	may := func(verb string, resources ...string) cluster.Grant {
		return cluster.Grant{Namespace: ns, Verbs: []string{verb}, Resources: resources}
	}
	rows := []struct {
		it     string
		grants []cluster.Grant
		status string // of the Deployment
		things int
		gaps   []string
	}{
		{"may read nothing", nil, "Unknown", 1, nil},
		{"may get the Deployment alone", []cluster.Grant{may("get", "deployments.apps")}, "InProgress", 1, []string{
			"events about Deployment/NS/web: forbidden (list events)", "replicasets.apps in namespace NS: forbidden (list replicasets.apps)"}},
		{"may list the Deployment alone", []cluster.Grant{may("list", "deployments.apps")}, "InProgress", 1, []string{
			"events about Deployment/NS/web: forbidden (list events)", "replicasets.apps in namespace NS: forbidden (list replicasets.apps)"}},
		{"may read no Pods", []cluster.Grant{may("get", "deployments.apps"), may("list", "replicasets.apps", "events")}, "InProgress", 2, []string{
			"pods in namespace NS: forbidden (list pods)"}},
		{"may read no Secrets", []cluster.Grant{may("get", "deployments.apps"), may("list", "replicasets.apps", "events", "pods")}, "InProgress", 3, []string{
			"ConfigMap NS/kube-root-ca.crt: forbidden (get configmaps)", "Secret NS/missing: forbidden (get secrets)"}},
		{"may read all that matters", []cluster.Grant{may("get", "deployments.apps", "secrets", "configmaps"), may("list", "replicasets.apps", "events", "pods")}, "InProgress", 5, nil},
	}
	for i, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			config := configOfUser(t, c.User(t, ns, fmt.Sprintf("user%d", i), row.grants...))
			facts, err := tree.Reader{Config: config, Mapper: mapperOf(t, c.Config())}.Collect(t.Context(), []status.ID{web})
			if err != nil {
				t.Fatal(err)
			}
			if have := gaps(facts, ns); !slices.Equal(have, row.gaps) {
				t.Errorf("it %s: have gaps\n%s\nwant\n%s", row.it, strings.Join(have, "\n"), strings.Join(row.gaps, "\n"))
			}
			if len(facts.Objects) != row.things || string(facts.Objects[0].Result.Status) != row.status {
				t.Errorf("it %s: have %d things, the first %s: %s, want %d and %s", row.it,
					len(facts.Objects), facts.Objects[0].Result.Status, facts.Objects[0].Result.Message, row.things, row.status)
			}
		})
	}
}

// An error of the API server is not taken for a line of a log.
func TestCollectWithoutTheRightToLogs(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, workload("Deployment", "web", "app: web", "replicas: 1", crashingPod))
	web := status.ID{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: ns, Name: "web"}
	user := c.User(t, ns, "reader",
		cluster.Grant{Namespace: ns, Verbs: []string{"get"}, Resources: []string{"deployments.apps"}},
		cluster.Grant{Namespace: ns, Verbs: []string{"list"}, Resources: []string{"replicasets.apps", "pods", "events"}})
	r := tree.Reader{Config: configOfUser(t, user), Mapper: mapperOf(t, c.Config()), Logs: true, TailLines: 10}
	facts, e := collectUntil(t, r, causes("CrashLoop"), web)
	if text := e.Text(facts.Now); strings.Contains(text, "| ") || !strings.Contains(text, ": forbidden (get pods/log)") {
		t.Errorf("have:\n%s\nwant no line of a log, and that it is forbidden", text)
	}
}

// Connection faults only lose the affected reads.
func TestCollectThroughFaults(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, workload("Deployment", "web", "app: web", "replicas: 2", crashingPod))
	web := status.ID{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: ns, Name: "web"}
	collectUntil(t, tree.Reader{Config: c.Config(), Mapper: mapperOf(t, c.Config())}, causes("CrashLoop"), web)
	pods, events := faults.Match{Resources: []string{"pods"}}, faults.Match{Resources: []string{"events"}}
	rows := []struct {
		it    string
		match faults.Match
		fault faults.Fault
		gap   string // the start of one gap; empty: none
		cause bool   // the crash loop is found
	}{
		{"is to come later", faults.Match{Resources: []string{"pods"}, First: 1}, faults.Answer{Code: 429, RetryAfter: time.Second}, "", true},
		{"is not to come at all", pods, faults.Answer{Code: 429}, "pods in namespace NS: ", false},
		{"is answered by an error", pods, faults.Answer{Code: 500}, "pods in namespace NS: ", false},
		{"is answered by a page", pods, faults.Garbage{}, "pods in namespace NS: ", false},
		{"is cut off", pods, faults.Truncate{}, "pods in namespace NS: ", false},
		{"is reset", faults.Match{Resources: []string{"pods"}}, faults.Reset{}, "pods in namespace NS: ", false},
		{"is not answered", pods, faults.Silence{}, "pods in namespace NS: no answer within 4s", false},
		{"hears no events", events, faults.Answer{Code: 503}, "events ", true},
		{"is refused", events, faults.Answer{Code: 401}, "events ", true},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			t.Parallel()
			proxy := faults.Start(t, c.Config())
			injected := proxy.Inject(row.match, row.fault)
			r := tree.Reader{Config: proxy.Config(), Mapper: mapperOf(t, c.Config()), RequestTimeout: 4 * time.Second}
			facts, err := r.Collect(t.Context(), []status.ID{web})
			if err != nil {
				t.Fatal(err)
			}
			if injected.Hits() == 0 {
				t.Error("the fault has not happened")
			}
			have := gaps(facts, ns)
			if row.gap == "" && len(have) > 0 || row.gap != "" && (len(have) == 0 || !strings.HasPrefix(have[0], row.gap)) {
				t.Errorf("it %s: have gaps %q, want one that begins with %q", row.it, have, row.gap)
			}
			if found := causes("CrashLoop")(explain.Explain(facts, web)); found != row.cause {
				t.Errorf("it %s: the cause is found: %t, want %t", row.it, found, row.cause)
			}
		})
	}
}

// An exceeded limit of time or of requests is a gap.
func TestCollectEnds(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, workload("Deployment", "web", "app: web", "replicas: 2", crashingPod))
	web := status.ID{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: ns, Name: "web"}
	collectUntil(t, tree.Reader{Config: c.Config(), Mapper: mapperOf(t, c.Config())}, causes("CrashLoop"), web)
	r := tree.Reader{Config: c.Config(), Mapper: mapperOf(t, c.Config()), MaxRequests: 2}
	facts, err := r.Collect(t.Context(), []status.ID{web})
	if err != nil {
		t.Fatal(err)
	}
	if have := gaps(facts, ns); !slices.Contains(have, "pods in namespace NS: not read: the limit of 2 requests is reached") {
		t.Errorf("after 2 requests: have gaps %q", have)
	}
	proxy := faults.Start(t, c.Config())
	proxy.Inject(faults.Match{Resources: []string{"pods"}}, faults.Silence{})
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	facts, err = tree.Reader{Config: proxy.Config(), Mapper: mapperOf(t, c.Config())}.Collect(ctx, []status.ID{web})
	if err != nil {
		t.Fatal(err)
	}
	if have := gaps(facts, ns); len(facts.Objects) < 2 || !slices.Contains(have, "the rest: not read: context deadline exceeded") {
		t.Errorf("after 3 s: have %d things and gaps %q", len(facts.Objects), have)
	}
}

// The last log lines of failed containers are read, one log for each cause, and secrets in them
// are redacted.
func TestCollectReadsLogs(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	printed := strings.Repeat("noise\\n", 50) + `dial postgres://app:hunter2@db:5432: refused\nDB_PASSWORD=hunter2\npanic: no database`
	c.Apply(t, ns, strings.Replace(manifest.Deployment("web", "image: c, env: [{name: DB_PASSWORD, value: hunter2}]",
		"kstatus.dev/pod: crash", `kstatus.dev/log: "`+printed+`"`), "spec:\n", "spec:\n  replicas: 3\n", 1))
	web := status.ID{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: ns, Name: "web"}
	r := tree.Reader{Config: c.Config(), Mapper: mapperOf(t, c.Config()), Logs: true, TailLines: 3}
	facts, e := collectUntil(t, r, causes("CrashLoop"), web)
	if len(facts.Logs) != 1 || strings.Join(facts.Logs[0].Lines, "\n") != "dial postgres://app:<redacted>@db:5432: refused\nDB_PASSWORD=<redacted>\npanic: no database" {
		t.Errorf("have logs %+v", facts.Logs)
	}
	var written strings.Builder
	if err := facts.Encode(&written); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{written.String(), e.Text(facts.Now)} {
		if i := strings.Index(text, "hunter2"); i >= 0 {
			t.Errorf("it tells a secret: %s", text[max(0, i-200):i+20])
		}
	}
	r.Logs = false
	if facts, err := r.Collect(t.Context(), []status.ID{web}); err != nil || len(facts.Logs)+len(facts.Gaps) > 0 {
		t.Errorf("without logs: have %v, %v, %v", facts.Logs, facts.Gaps, err)
	}
	config := configOfUser(t, c.User(t, ns, "nologs", cluster.Grant{Namespace: ns, Verbs: []string{"get", "list"},
		Resources: []string{"deployments.apps", "replicasets.apps", "pods", "events"}}))
	facts, err := tree.Reader{Config: config, Mapper: r.Mapper, Logs: true}.Collect(t.Context(), []status.ID{web})
	if err != nil || len(facts.Logs) != 1 || facts.Logs[0].Error != "forbidden (get pods/log)" {
		t.Errorf("where logs are forbidden: have %+v, %v", facts.Logs, err)
	}
}
