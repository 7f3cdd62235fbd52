package real

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/examples/openstack/cloud"
	"kstatus.dev/examples/openstack/controller"
	"kstatus.dev/test/openstack/fakestack/calls"
	"kstatus.dev/test/openstack/openstackkit"
	"kstatus.dev/test/openstack/openstackshop"
)

var (
	soakTime = flag.Duration("soak", 2*time.Minute, "how long TestSoak changes Clusters, and then watches them")
	soakSeed = flag.Uint64("seed", 1, "what TestSoak does, and in which order")
)

const (
	soakClusters = 4
	// The limits of the provider without options.
	soakRate, soakBurst = 20, 40
)

var machineDeployments = schema.GroupVersionResource{Group: "cluster.x-k8s.io", Version: "v1beta2", Resource: "machinedeployments"}

// Clusters are created, scaled, changed and deleted in random order while requests and services fail.
// The provider has the options of production. Afterwards everything becomes ready, and a quiet phase
// writes nothing. The memory does not grow, the calls stay within the limits, and the project owns
// nothing at the end.
func TestSoak(t *testing.T) {
	t.Logf("-soak %s -seed %d", *soakTime, *soakSeed)
	s := newSoak(t)
	s.report("at the beginning", s.begun)
	end := time.Now().Add(*soakTime)
	s.weather(*soakTime * 3 / 4)
	middle := s.middle
	t.Logf("faults: %v", s.storm.faults())
	t.Logf("changes: %v", s.done)

	start := time.Now()
	s.settle()
	t.Logf("everything is ready %s after the last change and the last fault", time.Since(start).Round(time.Second))
	s.quiet(max(time.Until(end), 20*time.Second))
	s.checkMemory("after the quiet phase", middle)
	start = time.Now()
	for _, c := range s.clusters {
		s.Remove(openstackshop.Clusters, c.name)
	}
	for _, c := range s.clusters {
		s.WaitForDeletion(openstackshop.Clusters, c.name)
	}
	t.Logf("everything is deleted after %s", time.Since(start).Round(time.Second))
	s.checkEmpty()
	s.checkMemory("at the end", middle)
	s.checkLimits()
}

// A soak is a world with several Clusters.
type soak struct {
	*world
	meter   *meter
	storm   *storm
	random  *rand.Rand
	started time.Time

	clusters      []*soaked
	done          map[string]int // the changes
	number        int            // of names
	begun, middle memory
}

// A soaked is a Cluster as it should be.
type soaked struct {
	name     string
	replicas int
	paused   bool
	open     bool // allows all traffic in the cluster
}

func newSoak(t *testing.T) *soak {
	w := newWorld(t)
	w.Options, w.Clouds = controller.Options{}, cloud.Options{UserAgent: "openstack-provider"}
	w.Patience = 15 * time.Minute // the delays after faults are those of production
	many := number(-1)
	quota(openstackkit.Quota{Instances: many, Cores: many, RAM: many, SecurityGroups: many, SecurityGroupRules: many})(w)
	if left := w.owned(t); len(left) > 0 {
		t.Fatalf("before the test, the project owns %v", left)
	}
	s := &soak{world: w, random: rand.New(rand.NewPCG(*soakSeed, 1)), started: time.Now(), done: map[string]int{}}
	s.meter = newMeter(t, w.fixture, nil)
	s.storm = newStorm(*soakSeed, http.DefaultTransport, func(req *http.Request) string { return s.meter.hosts[req.URL.Host] })
	s.meter.next = s.storm
	// Changes in quick succession and outages look like flapping and like silence.
	w.RunProvider(w.Audited("W-15", "W-16", "W-30", "W-34"), s.meter)
	w.RunRack()
	t.Cleanup(w.JoinNodes())
	w.Apply(secret(w.Credentials))
	for range soakClusters {
		s.clusters = append(s.clusters, &soaked{})
	}
	s.create(s.clusters[0])
	s.await(s.clusters[0])
	s.begun = measure()
	return s
}

// weather changes Clusters in a storm for some time.
func (s *soak) weather(d time.Duration) {
	s.T.Helper()
	ctx, cancel := context.WithTimeout(s.T.Context(), d)
	defer cancel()
	start := time.Now()
	s.storm.blow(true)
	var group sync.WaitGroup
	defer group.Wait()
	group.Go(func() { s.outages(ctx, d) })
	for ctx.Err() == nil {
		s.change(s.clusters[s.random.IntN(len(s.clusters))])
		if s.middle.heap == 0 && time.Since(start) > d/2 {
			s.middle = measure()
			s.report("in the middle", s.middle)
		}
		pause(ctx, time.Duration(1000+s.random.IntN(4000))*time.Millisecond)
	}
	cancel()
	group.Wait()
	s.storm.blow(false)
	s.T.Logf("%s with changes and faults:%s", time.Since(start).Round(time.Second), rates(s.meter.since(start), time.Since(start)))
}

// pause waits, at most until the context ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// outages lets services answer 503 for a while, and sometimes stops one. It returns when all run. It does
// not stop octavia, which loses its work: load balancers then stay PENDING_UPDATE until an administrator
// resets them.
func (s *soak) outages(ctx context.Context, d time.Duration) {
	random := rand.New(rand.NewPCG(*soakSeed, 3))
	services := []string{"compute", "network", "load-balancer", "image", "identity"}
	programs := []openstackkit.Service{openstackkit.Neutron, openstackkit.Nova, openstackkit.Keystone, openstackkit.Glance}
	each := max(d/8, 20*time.Second)
	for n := 0; ctx.Err() == nil; n++ {
		pause(ctx, time.Duration(float64(each)*(0.2+0.4*random.Float64())))
		s.storm.fail(services[random.IntN(len(services))], time.Duration(5+random.IntN(15))*time.Second)
		pause(ctx, time.Duration(float64(each)*(0.2+0.4*random.Float64())))
		if n%2 == 0 && ctx.Err() == nil {
			s.stop(ctx, programs[n/2%len(programs)], time.Duration(5+random.IntN(20))*time.Second)
		}
	}
}

// stop stops a service for some time.
func (s *soak) stop(ctx context.Context, program openstackkit.Service, d time.Duration) {
	always := context.WithoutCancel(ctx)
	if err := kit.StopService(always, program); err != nil {
		s.T.Errorf("stop %s: %v", program, err)
	}
	pause(ctx, d)
	if err := kit.StartService(always, program); err != nil {
		s.T.Errorf("start %s: %v", program, err)
	}
	s.T.Logf("%s: %s was stopped for %s", time.Since(s.started).Round(time.Second), program, d)
}

// soakChanges are the changes of a Cluster that exists, with how often each is chosen.
var soakChanges = []struct {
	name string
	of   int
	make func(*soak, *soaked)
}{
	{"scale", 40, (*soak).scaleOne},
	{"edit the Cluster", 15, (*soak).edit},
	{"edit a Machine", 15, (*soak).editMachine},
	{"delete a Machine", 10, (*soak).deleteMachine},
	{"a new template", 8, (*soak).renew},
	{"pause", 8, func(s *soak, c *soaked) { s.pauseCluster(c, true) }},
	{"delete", 4, func(s *soak, c *soaked) { s.Remove(openstackshop.Clusters, c.name) }},
}

// change makes one change of a Cluster, unless it is being deleted.
func (s *soak) change(c *soaked) {
	s.T.Helper()
	obj := s.Get(openstackshop.Clusters, c.name)
	switch {
	case c.name == "" || obj == nil:
		s.create(c)
		return
	case obj.GetDeletionTimestamp() != nil:
		return
	case c.paused:
		s.pauseCluster(c, false)
	}
	n := s.random.IntN(100)
	for _, x := range soakChanges {
		if n -= x.of; n < 0 {
			s.done[x.name]++
			x.make(s, c)
			return
		}
	}
}

// create creates a Cluster of a new name, because the garbage collector may still delete objects of the
// old one.
func (s *soak) create(c *soaked) {
	s.T.Helper()
	s.number++
	*c = soaked{name: fmt.Sprint("c", s.number), replicas: s.random.IntN(3)}
	s.done["create"]++
	s.Apply(strings.NewReplacer("NAME", c.name, "REPLICAS", fmt.Sprint(c.replicas), "IMAGE", calls.ImageName).Replace(soakManifest))
}

func (s *soak) scaleOne(c *soaked) {
	c.replicas = s.random.IntN(4)
	s.Patch(machineDeployments, c.name, fmt.Sprintf(`{"spec": {"replicas": %d}}`, c.replicas))
}

func (s *soak) edit(c *soaked) {
	c.open = !c.open
	s.Patch(openstackshop.OSClusters, c.name, fmt.Sprintf(`{"spec": {"managedSecurityGroups": {"allowAllInClusterTraffic": %t}}}`, c.open))
}

func (s *soak) pauseCluster(c *soaked, paused bool) {
	c.paused = paused
	s.Patch(openstackshop.Clusters, c.name, fmt.Sprintf(`{"spec": {"paused": %t}}`, paused))
}

// machine returns the name of a machine of a Cluster that is not being deleted, empty for none.
func (s *soak) machine(r schema.GroupVersionResource, c *soaked) string {
	s.T.Helper()
	list, err := s.Shop.Client(r).List(s.T.Context(), metav1.ListOptions{LabelSelector: "cluster.x-k8s.io/cluster-name=" + c.name})
	check(s.T, "list "+r.Resource, err)
	list.Items = slices.DeleteFunc(list.Items, func(o unstructured.Unstructured) bool { return o.GetDeletionTimestamp() != nil })
	if len(list.Items) == 0 {
		return ""
	}
	return list.Items[s.random.IntN(len(list.Items))].GetName()
}

func (s *soak) editMachine(c *soaked) {
	if name := s.machine(openstackshop.OSMachines, c); name != "" {
		s.number++
		s.tryPatch(openstackshop.OSMachines, name, fmt.Sprintf(`{"spec": {"tags": ["edit-%d"]}}`, s.number))
	}
}

func (s *soak) deleteMachine(c *soaked) {
	if name := s.machine(openstackshop.Machines, c); name != "" {
		_ = s.Shop.Client(openstackshop.Machines).Delete(s.T.Context(), name, metav1.DeleteOptions{}) // its owner may have deleted it
	}
}

// renew gives the workers of a Cluster a new template.
func (s *soak) renew(c *soaked) {
	s.number++
	name := fmt.Sprintf("%s-%d", c.name, s.number)
	s.Apply(strings.NewReplacer("NAME", name, "IMAGE", calls.ImageName).Replace(soakTemplate))
	s.Patch(machineDeployments, c.name, fmt.Sprintf(`{"spec": {"template": {"spec": {"infrastructureRef": {"name": %q}}}}}`, name))
}
