package polling_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kstatus.dev/dropin"
	"kstatus.dev/dropin/internal/clustertest"
	"kstatus.dev/dropin/pkg/kstatus/polling"
	"kstatus.dev/dropin/pkg/kstatus/polling/clusterreader"
	"kstatus.dev/dropin/pkg/kstatus/polling/engine"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/object"
	"kstatus.dev/internal/bubble"
	"kstatus.dev/kube/wiretest"
)

const interval = 10 * time.Second

var (
	caching = engine.ClusterReaderFactoryFunc(clusterreader.NewCachingClusterReader)
	direct  = engine.ClusterReaderFactoryFunc(clusterreader.NewDirectClusterReader)

	unavailable = wiretest.Reply{Code: http.StatusServiceUnavailable, Reason: metav1.StatusReasonServiceUnavailable}
)

// poll starts a poll of the targets.
func poll(c *clustertest.Cluster, mode dropin.Mode, factory engine.ClusterReaderFactory, targets ...string) *clustertest.Events {
	c.Helper()
	reader, err := client.New(c.REST, client.Options{Mapper: c.Mapper})
	if err != nil {
		c.Fatal(err)
	}
	return receive(c, polling.NewStatusPoller(reader, c.Mapper, polling.Options{Mode: mode, ClusterReaderFactory: factory}), clustertest.IDs(c.T, targets...))
}

func receive(c *clustertest.Cluster, p *polling.StatusPoller, ids object.ObjMetadataSet) *clustertest.Events {
	c.Helper()
	return c.Receive(func(ctx context.Context) <-chan event.Event {
		return p.Poll(ctx, ids, polling.PollOptions{PollInterval: interval})
	})
}

// both runs a test with each reader in each mode.
func both(t *testing.T, test func(c *clustertest.Cluster, mode dropin.Mode, factory engine.ClusterReaderFactory)) {
	t.Helper()
	for name, factory := range map[string]engine.ClusterReaderFactory{"caching": caching, "direct": direct} {
		for _, mode := range []dropin.Mode{dropin.Compat, dropin.Right} {
			t.Run(name+" "+mode.String(), func(t *testing.T) {
				clustertest.Run(t, func(c *clustertest.Cluster) { test(c, mode, factory) })
			})
		}
	}
}

// A round reads workloads, and their children once for all of them. Only changes are sent.
func TestRounds(t *testing.T) {
	both(t, func(c *clustertest.Cluster, mode dropin.Mode, factory engine.ClusterReaderFactory) {
		c.Apply(clustertest.Web("a", 1, clustertest.Running)...)
		c.Apply(clustertest.ConfigMap("c"), clustertest.StatefulSet("db", 0), clustertest.Pod("StatefulSet", "db", "db", clustertest.Crashing))
		r := poll(c, mode, factory, clustertest.Deployment("a", 1), clustertest.ConfigMap("c"), clustertest.StatefulSet("db", 0))
		r.Expect("a Current", "c Current", "db Failed")
		r.ExpectGenerated("a", "a-1 Current (a-1-x Current)")
		round := []string{
			"get deployments in default named a", "get configmaps in default named c", "get statefulsets in default named db",
			"list replicasets in default with app=a", "list pods in default with app in (a,db)",
		}
		c.ExpectSent(round...)
		bubble.Sleep(interval)
		r.Expect()
		c.ExpectSent(round...)
		c.Remove(clustertest.ConfigMap("c"))
		c.Apply(clustertest.Pod("StatefulSet", "db", "db", clustertest.Running), clustertest.StatefulSet("db", 1))
		bubble.Sleep(interval)
		r.Expect("c NotFound: Resource not found", "db Current")
		c.Remove(clustertest.Web("a", 1, clustertest.Running)...)
		c.Sent()
		bubble.Sleep(interval)
		r.Expect("a NotFound")
		bubble.Sleep(interval)
		r.Expect()
	})
}

// Many objects come in pages, whose size is that of the objects. The token of a page may expire.
func TestPages(t *testing.T) {
	both(t, func(c *clustertest.Cluster, mode dropin.Mode, factory engine.ClusterReaderFactory) {
		var targets []string
		for i := range 700 {
			targets = append(targets, clustertest.ConfigMap(fmt.Sprintf("c%03d", i)))
		}
		c.Apply(targets...)
		r := poll(c, mode, factory, targets...)
		if have := len(r.Received()); have != 700 {
			t.Errorf("%d events, want one for each target", have)
		}
		expectLimits(c, 50, 500, 500)
		bubble.Sleep(interval)
		r.Expect()
		expectLimits(c, 500, 500)
		c.On(wiretest.Rule{Match: wiretest.Match{Continued: true}, Times: 1, Reply: wiretest.Expired})
		bubble.Sleep(interval)
		r.Expect()
		expectLimits(c, 500, 500, 0)
	})
}

// expectLimits fails the test unless lists with these limits were sent since the last call.
func expectLimits(c *clustertest.Cluster, want ...int) {
	c.Helper()
	synctest.Wait()
	var have []int
	for _, r := range c.Requests() {
		if r.Verb == "list" {
			have = append(have, r.Limit)
		}
	}
	if fmt.Sprint(have) != fmt.Sprint(want) {
		c.Errorf("lists with limits %v, want %v", have, want)
	}
}

// The direct reader reads Secrets one by one, however many there are.
func TestSecrets(t *testing.T) {
	clustertest.Run(t, func(c *clustertest.Cluster) {
		var targets, want []string
		for i := range 7 {
			name := fmt.Sprint("s", i)
			targets, want = append(targets, clustertest.Secret(name)), append(want, "get secrets in default named "+name)
		}
		c.Apply(targets...)
		r := poll(c, dropin.Compat, direct, targets...)
		if have := len(r.Received()); have != 7 {
			t.Errorf("%d events, want one for each Secret", have)
		}
		c.ExpectSent(want...)
	})
}

// The error of one kind is the status of its objects. The others continue, and so does the poll.
func TestUnreadableKind(t *testing.T) {
	for _, row := range []struct {
		it    string
		reply wiretest.Reply
		want  string
	}{
		{it: "is forbidden", reply: wiretest.Forbidden, want: "s Unknown:get secrets in default named s: forbidden"},
		{it: "is not available", reply: unavailable, want: "s Unknown:get secrets in default named s: service unavailable"},
		{it: "is not complete", reply: wiretest.Reply{Bytes: 10, End: wiretest.Cut}, want: "s Unknown:"},
	} {
		t.Run(row.it, func(t *testing.T) {
			both(t, func(c *clustertest.Cluster, mode dropin.Mode, factory engine.ClusterReaderFactory) {
				c.Apply(clustertest.ConfigMap("a"), clustertest.Secret("s"))
				remove := c.On(wiretest.Rule{Match: wiretest.Match{Resource: "secrets"}, Reply: row.reply})
				r := poll(c, mode, factory, clustertest.ConfigMap("a"), clustertest.Secret("s"))
				r.Expect("a Current", row.want)
				remove()
				bubble.Sleep(interval)
				r.Expect("s Current")
			})
		})
	}
}

// A request without a response ends with the time limit of the client, and is sent again in the next
// round.
func TestRequestWithoutResponse(t *testing.T) {
	both(t, func(c *clustertest.Cluster, mode dropin.Mode, factory engine.ClusterReaderFactory) {
		c.REST.Timeout = 3 * time.Second
		c.Apply(clustertest.ConfigMap("a"), clustertest.Secret("s"))
		remove := c.On(wiretest.Rule{Match: wiretest.Match{Resource: "secrets"}, Reply: wiretest.Reply{Delay: time.Hour}})
		r := poll(c, mode, factory, clustertest.ConfigMap("a"), clustertest.Secret("s"))
		bubble.Sleep(interval - time.Second)
		r.Expect("a Current", "s Unknown:")
		remove()
		bubble.Sleep(interval)
		r.Expect("s Current")
	})
}

// In the mode right a forbidden list of Pods makes no status Unknown.
func TestForbiddenChildren(t *testing.T) {
	both(t, func(c *clustertest.Cluster, mode dropin.Mode, factory engine.ClusterReaderFactory) {
		c.Apply(clustertest.StatefulSet("db", 1), clustertest.Pod("StatefulSet", "db", "db", clustertest.Running))
		c.On(wiretest.Rule{Match: wiretest.Match{Resource: "pods"}, Reply: wiretest.Forbidden})
		r := poll(c, mode, factory, clustertest.StatefulSet("db", 1))
		if mode == dropin.Right {
			r.Expect("db Current: 1/1 ready")
		} else {
			r.Expect("db Unknown:list pods in default with app=db: forbidden")
		}
	})
}

// In the mode right custom resources wait for the first report. Their definition is read once, unless
// the read fails.
func TestFirstReport(t *testing.T) {
	const request = "get customresourcedefinitions named widgets.example.com"
	for _, row := range []struct {
		it    string
		mode  dropin.Mode
		rule  wiretest.Rule
		first string
		reads int // in four rounds
		later []string
	}{
		{it: "is declared", mode: dropin.Right, first: "w InProgress: [NotObserved] its controller has not reported an observed generation", reads: 1, later: []string{"w Current"}},
		{it: "may not be known", mode: dropin.Right, rule: wiretest.Rule{Reply: wiretest.Forbidden}, first: "w InProgress: [NotObserved] it shows no report of its controller", reads: 1, later: []string{"w Current"}},
		{
			it: "is known in the second round", mode: dropin.Right, rule: wiretest.Rule{Times: 1, Reply: unavailable},
			first: "w InProgress: [NotObserved] it shows no report of its controller", reads: 2, later: []string{"w InProgress: [NotObserved] its controller", "w Current"},
		},
		{it: "does not count", mode: dropin.Compat, first: "w Current: Resource is current"},
	} {
		t.Run(row.it, func(t *testing.T) {
			clustertest.Run(t, func(c *clustertest.Cluster) {
				row.rule.Match.Resource = "customresourcedefinitions"
				c.On(row.rule)
				w := clustertest.Widget("default", "w", "")
				c.Apply(w, clustertest.Definition)
				r := poll(c, row.mode, nil, w)
				r.Expect(row.first)
				bubble.Sleep(3*interval + time.Second)
				r.Expect(row.later...)
				reads := 0
				for _, sent := range c.Sent() {
					if sent == request {
						reads++
					}
				}
				if reads != row.reads {
					t.Errorf("the definition is read %d times, want %d", reads, row.reads)
				}
				c.Apply(clustertest.Widget("default", "w", clustertest.Reported))
				bubble.Sleep(interval)
				r.Expect("w Current: ")
			})
		})
	}
}

// A getter is the part of the factory of kubectl that a poller needs.
type getter struct {
	c                  *clustertest.Cluster
	noConfig, noMapper error
}

func (g getter) ToRESTConfig() (*rest.Config, error)    { return g.c.REST, g.noConfig }
func (g getter) ToRESTMapper() (meta.RESTMapper, error) { return g.c.Mapper, g.noMapper }

func TestPollerFromFactory(t *testing.T) {
	broken := errors.New("broken")
	clustertest.Run(t, func(c *clustertest.Cluster) {
		for _, row := range []struct {
			getter getter
			want   string
		}{
			{getter: getter{c: c, noConfig: broken}, want: "error getting RESTConfig: broken"},
			{getter: getter{c: c, noMapper: broken}, want: "error getting RESTMapper: broken"},
		} {
			if _, err := polling.NewStatusPollerFromFactory(row.getter, polling.Options{}); err == nil || err.Error() != row.want || !errors.Is(err, broken) {
				t.Errorf("error %v, want %q", err, row.want)
			}
		}
		c.Apply(clustertest.ConfigMap("a"))
		p, err := polling.NewStatusPollerFromFactory(getter{c: c}, polling.Options{Mode: dropin.Compat})
		if err != nil {
			t.Fatal(err)
		}
		receive(c, p, clustertest.IDs(t, clustertest.ConfigMap("a"))).Expect("a Current")
	})
}
