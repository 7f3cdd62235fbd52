package real

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack"
	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/flavors"
	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/servers"
	"github.com/gophercloud/gophercloud/v2/openstack/image/v2/imagedata"
	"github.com/gophercloud/gophercloud/v2/openstack/image/v2/images"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/networks"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/ports"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/subnets"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/test/clusterapi/managers"
	"kstatus.dev/test/lib/command"
	"kstatus.dev/test/openstack/fakestack/calls"
	"kstatus.dev/test/openstack/openstackkit"
	"kstatus.dev/test/openstack/openstackshop"
)

var update = flag.Bool("update", false, "write the page about what the real services answer")

var updateOptions = metav1.UpdateOptions{FieldManager: "user"}

// page is the page that the failures are written to.
const page = "../../../docs/reference/openstack-observed.md"

// A failed is a failure of the real services: how it comes, what the objects report, and what ends it.
type failed struct {
	it       string
	alone    bool                // it stops a service, so no other test may run
	ready    bool                // it comes after the objects have become ready
	changes  []string            // pairs of old and new text in the manifests
	prepare  func(*world)        // before the objects are created, or after they are ready
	through  func() *interceptor // what the requests of the provider go through; nil for nothing
	on       schema.GroupVersionResource
	want     []string     // conditions; the first one has the message
	message  string       // a part of it
	cause    string       // a part of the first cause of kstatus explain
	fix      func(*world) // what the user does; nil if nothing brings the object back
	recovers string       // how, for the page
}

// An interceptor answers the requests of the provider itself as long as it is on.
type interceptor struct {
	on     atomic.Bool
	answer func(*http.Request) *http.Response
}

func (i *interceptor) RoundTrip(req *http.Request) (*http.Response, error) {
	if i.on.Load() {
		if resp := i.answer(req); resp != nil {
			return resp, nil
		}
	}
	return http.DefaultTransport.RoundTrip(req)
}

func number(n int) *int { return &n }

// quota changes a quota of the world.
func quota(q openstackkit.Quota) func(*world) {
	return func(w *world) {
		w.T.Helper()
		check(w.T, "set a quota", kit.SetQuota(w.T.Context(), w.project, q))
	}
}

// server returns the server of the Machine.
func (w *world) server() string {
	w.T.Helper()
	ids := w.serverIDs()
	if len(ids) != 1 {
		w.T.Fatalf("the project has %d servers, want 1", len(ids))
	}
	return ids[0]
}

var failures = []failed{
	{
		it: "a wrong password", on: openstackshop.OSClusters,
		prepare: func(w *world) { w.Credentials.Password = "wrong" },
		want:    []string{"AuthenticationSucceeded=False/CredentialsInvalid", "Ready=False/CredentialsInvalid"}, cause: "AuthenticationSucceeded",
		fix: func(w *world) { w.Credentials.Password = password; w.Apply(secret(w.Credentials)) }, recovers: "when the Secret has the right password",
	},
	{
		it: "a password that stops working", on: openstackshop.OSMachines, ready: true,
		prepare: func(w *world) { c := w.Credentials; c.Password = "wrong"; w.Apply(secret(c)) },
		want:    []string{"AuthenticationSucceeded=False/CredentialsInvalid", "Ready=Unknown"}, cause: "AuthenticationSucceeded",
		fix: func(w *world) { w.Apply(secret(w.Credentials)) }, recovers: "when the Secret has the right password",
	},
	{
		it: "credentials of another project", on: openstackshop.OSMachines, ready: true,
		prepare: func(w *world) { w.Apply(secret(newFixture(w.T).Credentials)) },
		want:    []string{"AuthenticationSucceeded=False", "Ready=Unknown"}, cause: "project",
		fix: func(w *world) { w.Apply(secret(w.Credentials)) }, recovers: "when the Secret has the credentials of the first project",
	},
	{
		it: "no quota for networks", on: openstackshop.OSClusters, prepare: quota(openstackkit.Quota{Networks: number(0)}),
		want: []string{"NetworkReady=False/QuotaExceeded", "Ready=False/QuotaExceeded"}, message: "network", cause: "NetworkReady",
		fix: quota(openstackkit.Quota{Networks: number(5)}), recovers: "when the quota is raised",
	},
	{
		it: "no quota for floating IPs", on: openstackshop.OSClusters, prepare: quota(openstackkit.Quota{FloatingIPs: number(0)}),
		want: []string{"APIEndpointReady=False/QuotaExceeded", "Ready=False"}, message: "floating", cause: "APIEndpointReady",
		fix: quota(openstackkit.Quota{FloatingIPs: number(5)}), recovers: "when the quota is raised",
	},
	{
		it: "no quota for load balancers", on: openstackshop.OSClusters, prepare: quota(openstackkit.Quota{LoadBalancers: number(0)}),
		want: []string{"APIEndpointReady=False/QuotaExceeded", "Ready=False/QuotaExceeded"}, cause: "APIEndpointReady",
		fix: quota(openstackkit.Quota{LoadBalancers: number(5)}), recovers: "when the quota is raised",
	},
	{
		it: "no quota for servers", on: openstackshop.OSMachines, prepare: quota(openstackkit.Quota{Instances: number(0)}),
		want: []string{"InstanceReady=False/QuotaExceeded", "Ready=False/QuotaExceeded"}, message: "instances", cause: "InstanceReady",
		fix: quota(openstackkit.Quota{Instances: number(5)}), recovers: "when the quota is raised",
	},
	{
		// The router and the load balancer have a port each.
		it: "no quota for ports", on: openstackshop.OSMachines, prepare: quota(openstackkit.Quota{Ports: number(2)}),
		want: []string{"InstanceReady=False/QuotaExceeded", "Ready=False/QuotaExceeded"}, message: "port", cause: "InstanceReady",
		fix: quota(openstackkit.Quota{Ports: number(50)}), recovers: "when the quota is raised",
	},
	{
		it: "no host with room", on: openstackshop.OSMachines, prepare: quota(openstackkit.Quota{Cores: number(-1), RAM: number(-1)}), changes: []string{"flavor: {filter: {name: small}}", "flavor: {filter: {name: " + calls.TooLargeName + "}}"},
		want: []string{"InstanceReady=False/InsufficientCapacity", "Ready=False/InsufficientCapacity"}, message: "No valid host", cause: "No valid host",
		recovers: "never: a MachineHealthCheck replaces the Machine",
	},
	{
		it: "a missing image", on: openstackshop.OSMachines, changes: []string{"image: {filter: {name: " + calls.ImageName + "}}", "image: {filter: {name: later}}"},
		want: []string{"InstanceReady=False/DependencyNotFound", "Ready=False/DependencyNotFound"}, message: "image", cause: "InstanceReady",
		fix: func(w *world) { w.createImage("later") }, recovers: "when the image exists",
	},
	{
		it: "a missing flavor", on: openstackshop.OSMachines, changes: []string{"flavor: {filter: {name: small}}", "flavor: {filter: {name: later}}"},
		want: []string{"InstanceReady=False/DependencyNotFound", "Ready=False/DependencyNotFound"}, message: "flavor", cause: "InstanceReady",
		fix: func(w *world) {
			createFlavor(w.T, "later", 1)
		}, recovers: "when the flavor exists",
	},
	{
		it: "a flavor without a disk", on: openstackshop.OSMachines, changes: []string{"flavor: {filter: {name: small}}", "flavor: {filter: {name: diskless}}"},
		prepare: func(w *world) { createFlavor(w.T, "diskless", 0) },
		want:    []string{"InstanceReady=False/InvalidConfiguration", "Ready=False/InvalidConfiguration"}, message: "disk", cause: "InstanceReady",
		recovers: "when the Machine is replaced",
	},
	{
		it: "a missing key", on: openstackshop.OSMachines, changes: []string{"image: {filter", "sshKeyName: missing\n  image: {filter"},
		want: []string{"InstanceReady=False/DependencyNotFound", "Ready=False/DependencyNotFound"}, message: "key", cause: "InstanceReady",
		recovers: "when the key exists",
	},
	{
		it: "two networks of the name in the spec", on: openstackshop.OSClusters,
		changes: []string{"managedSubnets: [{cidr: 10.6.0.0/24, dnsNameservers: [192.0.2.53]}]", "network: {filter: {name: twin}}"},
		prepare: func(w *world) { w.createNetwork("twin"); w.createNetwork("twin") },
		want:    []string{"NetworkReady=False/AmbiguousReference", "Ready=False/AmbiguousReference"}, message: "twin", cause: "NetworkReady",
		recovers: "when only one is left",
	},
	{
		it: "a missing network", on: openstackshop.OSClusters,
		changes: []string{"managedSubnets: [{cidr: 10.6.0.0/24, dnsNameservers: [192.0.2.53]}]", "network: {filter: {name: none}}"},
		want:    []string{"NetworkReady=False/DependencyNotFound", "Ready=False/DependencyNotFound"}, message: "none", cause: "NetworkReady",
		recovers: "when it exists",
	},
	{
		it: "bootstrap data that nova refuses", on: openstackshop.OSMachines, changes: []string{`"#cloud-config"`, `"` + noise(70000) + `"`},
		want: []string{"InstanceReady=False/InvalidConfiguration", "Ready=False/InvalidConfiguration"}, cause: "InstanceReady",
		recovers: "when the Machine is replaced",
	},
	{
		it: "a server that somebody has stopped", on: openstackshop.OSMachines, ready: true,
		prepare: func(w *world) {
			check(w.T, "stop the server", servers.Stop(w.T.Context(), w.compute, w.server()).ExtractErr())
		},
		want: []string{"InstanceReady=False/InstanceNotReady", "Ready=False/InstanceNotReady"}, cause: "InstanceReady",
		fix: func(w *world) {
			check(w.T, "start the server", servers.Start(w.T.Context(), w.compute, w.server()).ExtractErr())
		}, recovers: "when it is started",
	},
	{
		it: "a server in the state ERROR", on: openstackshop.OSMachines, ready: true, prepare: reset(servers.StateError),
		want: []string{"InstanceReady=False/InstanceStateError", "Ready=False/InstanceStateError"}, message: "ERROR", cause: "InstanceReady",
		fix: reset(servers.StateActive), recovers: "when an administrator resets its state",
	},
	{
		it: "a server that somebody has deleted", on: openstackshop.OSMachines, ready: true,
		prepare: func(w *world) {
			check(w.T, "delete the server", servers.Delete(w.T.Context(), w.compute, w.server()).ExtractErr())
		},
		want: []string{"InstanceReady=False/InstanceDeleted", "Ready=False/InstanceDeleted"}, cause: "InstanceReady",
		recovers: "never: a MachineHealthCheck replaces the Machine",
	},
	{
		it: "a load balancer in the state ERROR", on: openstackshop.OSClusters, ready: true, prepare: balancerIs("ERROR"),
		want: []string{"APIEndpointReady=False/LoadBalancerError", "Ready=False/LoadBalancerError"}, cause: "APIEndpointReady",
		fix: balancerIs("ACTIVE"), recovers: "after a failover",
	},
	{
		it: "too many requests", on: openstackshop.OSClusters,
		through: func() *interceptor { return &interceptor{answer: tooMany} },
		want:    []string{"NetworkReady=Unknown/RateLimited", "Ready=Unknown/RateLimited"}, cause: "NetworkReady",
		fix: func(*world) {}, recovers: "by itself, after the time that the service names",
	},
	{
		it: "nova is stopped", alone: true, on: openstackshop.OSMachines, ready: true, prepare: stopService(openstackkit.Nova),
		want: []string{"InstanceReady=Unknown/EndpointUnreachable", "Ready=Unknown/EndpointUnreachable"}, cause: "InstanceReady",
		fix: startService(openstackkit.Nova), recovers: "by itself",
	},
	{
		it: "neutron is stopped", alone: true, on: openstackshop.OSClusters, ready: true, prepare: stopService(openstackkit.Neutron),
		want: []string{"NetworkReady=Unknown/EndpointUnreachable", "Ready=Unknown/EndpointUnreachable"}, cause: "NetworkReady",
		fix: startService(openstackkit.Neutron), recovers: "by itself",
	},
	{
		it: "octavia is stopped", alone: true, on: openstackshop.OSClusters, ready: true, prepare: stopService(openstackkit.Octavia),
		want: []string{"APIEndpointReady=Unknown/EndpointUnreachable", "Ready=Unknown/EndpointUnreachable"}, cause: "APIEndpointReady",
		fix: startService(openstackkit.Octavia), recovers: "by itself",
	},
	{
		it: "keystone is stopped", alone: true, on: openstackshop.OSClusters, prepare: stopService(openstackkit.Keystone),
		want: []string{"AuthenticationSucceeded=Unknown/EndpointUnreachable", "Ready=Unknown/EndpointUnreachable"}, cause: "AuthenticationSucceeded",
		fix: startService(openstackkit.Keystone), recovers: "by itself",
	},
}

// noise returns a text that does not compress.
func noise(n int) string {
	text := make([]byte, n)
	x := uint32(1)
	for i := range text {
		x = x*1664525 + 1013904223
		text[i] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"[x>>26]
	}
	return string(text)
}

func reset(state servers.ServerState) func(*world) {
	return func(w *world) {
		w.T.Helper()
		check(w.T, "reset the state of the server", servers.ResetState(w.T.Context(), prepared.Compute, w.server(), state).ExtractErr())
	}
}

func stopService(s openstackkit.Service) func(*world) {
	return func(w *world) {
		check(w.T, "stop "+string(s), kit.StopService(w.T.Context(), s))
	}
}

func startService(s openstackkit.Service) func(*world) {
	return func(w *world) {
		time.Sleep(2 * time.Minute) // simulates an outage of minutes, in which many attempts fail
		check(w.T, "start "+string(s), kit.StartService(w.T.Context(), s))
	}
}

// balancerIs sets the provisioning status of the load balancers of the project in the database:
// Octavia has no request for that.
func balancerIs(status string) func(*world) {
	return func(w *world) {
		w.T.Helper()
		statement := fmt.Sprintf("update load_balancer set provisioning_status='%s' where project_id='%s'", status, w.project)
		out, err := exec.CommandContext(w.T.Context(), "mariadb", "--no-defaults", "-uroot", "-S", filepath.Join(kit.Dir(), "sql"), "octavia", "-e", statement).CombinedOutput()
		check(w.T, "change the load balancer: "+string(out), err)
	}
}

// tooMany answers requests to neutron with the status 429.
func tooMany(req *http.Request) *http.Response {
	if !strings.Contains(req.URL.Path, "/v2.0/networks") {
		return nil
	}
	return &http.Response{
		StatusCode: http.StatusTooManyRequests, Request: req, ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Retry-After": {"1"}, "Content-Type": {"application/json"}}, Body: http.NoBody,
	}
}

func (w *world) createImage(name string) {
	w.T.Helper()
	admin, err := kit.Admin().Client(w.T.Context())
	check(w.T, "authenticate", err)
	client, err := openstack.NewImageV2(admin, gophercloud.EndpointOpts{Region: openstackkit.Region})
	check(w.T, "find glance", err)
	public := images.ImageVisibilityPublic
	i, err := images.Create(w.T.Context(), client, images.CreateOpts{Name: name, ContainerFormat: "bare", DiskFormat: "raw", Visibility: &public}).Extract()
	check(w.T, "create an image", err)
	check(w.T, "upload the image", imagedata.Upload(w.T.Context(), client, i.ID, strings.NewReader("an image")).ExtractErr())
	w.T.Cleanup(func() {
		check(w.T, "delete the image", images.Delete(context.WithoutCancel(w.T.Context()), client, i.ID).ExtractErr())
	})
}

func createFlavor(t *testing.T, name string, disk int) {
	t.Helper()
	f, err := flavors.Create(t.Context(), prepared.Compute, flavors.CreateOpts{Name: name, RAM: 64, VCPUs: 1, Disk: &disk}).Extract()
	check(t, "create a flavor", err)
	t.Cleanup(func() {
		check(t, "delete the flavor", flavors.Delete(context.WithoutCancel(t.Context()), prepared.Compute, f.ID).ExtractErr())
	})
}

// createNetwork creates a network with a subnet, which the provider does not own.
func (w *world) createNetwork(name string) {
	w.T.Helper()
	ctx := w.T.Context()
	n, err := networks.Create(ctx, w.network, networks.CreateOpts{Name: name}).Extract()
	check(w.T, "create a network", err)
	_, err = subnets.Create(ctx, w.network, subnets.CreateOpts{NetworkID: n.ID, CIDR: "10.7.0.0/24", IPVersion: gophercloud.IPv4}).Extract()
	check(w.T, "create a subnet", err)
	w.foreign = append(w.foreign, n.ID)
}

// An observation is a row of the page.
type observation struct{ it, condition, message, cause, next, recovers string }

// The provider reports what the real services refuse, kstatus explain names it as the first cause, and
// the provider recovers. The page has what was seen.
func TestFailures(t *testing.T) {
	var mu sync.Mutex
	seen := map[string]observation{}
	for _, alone := range []bool{false, true} {
		t.Run(map[bool]string{false: "of requests", true: "of services"}[alone], func(t *testing.T) {
			for _, f := range failures {
				if f.alone != alone {
					continue
				}
				t.Run(f.it, func(t *testing.T) {
					if !alone {
						t.Parallel()
					}
					o := f.observe(newWorld(t))
					mu.Lock()
					defer mu.Unlock()
					seen[f.it] = o
				})
			}
		})
	}
	comparePage(t, seen)
}

// observe lets the failure come, and ends it.
func (f *failed) observe(w *world) observation {
	w.T.Helper()
	var through http.RoundTripper
	var i *interceptor
	if f.through != nil {
		i = f.through()
		i.on.Store(true)
		through = i
	}
	var except []string
	if f.alone {
		except = []string{"W-15"} // a service that starts answers one request, and not the next one
	}
	w.RunProvider(w.Audited(except...), through)
	prepare := func() {
		if f.prepare != nil {
			f.prepare(w)
		}
	}
	if !f.ready {
		prepare()
	}
	w.applyShop(f.changes...)
	if f.ready {
		w.WaitForReady()
		prepare()
	}
	name := map[schema.GroupVersionResource]string{openstackshop.OSClusters: "shop", openstackshop.OSMachines: "web"}[f.on]
	obj := w.WaitFor(f.on, name, f.want...)
	typ, is, _ := strings.Cut(f.want[0], "=")
	c := managers.Condition(obj, typ)
	o := observation{it: f.it, condition: fmt.Sprintf("%s %s `%s`", typ, strings.Split(is, "/")[0], c["reason"]), message: managers.Message(obj, typ), recovers: f.recovers}
	if !strings.Contains(o.message, f.message) {
		w.T.Errorf("the message is %q, want %q in it", o.message, f.message)
	}
	o.cause, o.next = w.explain(f.on, name)
	if !strings.Contains(o.cause, f.cause) {
		w.T.Errorf("the first cause is %q, want %q in it", o.cause, f.cause)
	}
	if f.fix != nil {
		start := time.Now()
		f.fix(w)
		if i != nil {
			i.on.Store(false)
		}
		w.WaitForReady()
		w.T.Logf("ready %s after its end", time.Since(start).Round(time.Second))
	}
	w.end()
	return o
}

// built returns the folder with the command.
var built = sync.OnceValues(command.Build)

var (
	causeLine = regexp.MustCompile(`(?m)^ +Cause +(.*)$`)
	nextLine  = regexp.MustCompile(`(?m)^ +Next +(.*)$`)
)

// explain returns the first cause that kstatus explain prints, and the next command.
func (w *world) explain(r schema.GroupVersionResource, name string) (cause, next string) {
	w.T.Helper()
	folder, err := built()
	check(w.T, "build the command", err)
	cmd := exec.CommandContext(w.T.Context(), filepath.Join(folder, "kstatus"), "explain", r.GroupResource().String()+"/"+name, "-n", w.Namespace, "--kubeconfig", w.Shop.Cluster.Kubeconfig())
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	_ = cmd.Run() // its exit code is that of an object that is not ready
	first := func(line *regexp.Regexp) string {
		if m := line.FindStringSubmatch(out.String()); m != nil {
			return m[1]
		}
		return ""
	}
	if cause = first(causeLine); cause == "" {
		w.T.Errorf("kstatus explain names no cause:\n%s", out.String())
	}
	return cause, strings.ReplaceAll(first(nextLine), w.Namespace, "shop")
}

// variable is what differs from run to run: IDs, addresses, and names of namespaces.
var variable = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32}|127\.0\.0\.1:[0-9]+|test[a-z0-9-]+-[a-z0-9]{6}`)

// resourceName matches the name of a resource of a cluster in the cloud.
var resourceName = regexp.MustCompile(`k8s-[a-z0-9-]+`)

// comparePage compares the observations with the page, or writes them. Rows of failures that were not
// selected stay as they are.
func comparePage(t *testing.T, seen map[string]observation) {
	t.Helper()
	have, err := os.ReadFile(page)
	if err != nil && !*update {
		t.Fatal(err)
	}
	rows := map[string]string{} // by failure
	for line := range strings.Lines(string(have)) {
		if cells := strings.Split(line, " | "); strings.HasPrefix(line, "| ") {
			rows[strings.TrimPrefix(cells[0], "| ")] = line
		}
	}
	var b strings.Builder
	b.WriteString(pageHead)
	for _, f := range failures {
		if o, ok := seen[f.it]; ok {
			rows[f.it] = o.row()
		}
		b.WriteString(rows[f.it])
	}
	if *update {
		if err := os.WriteFile(page, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(have) != b.String() {
		t.Errorf("%s is not what was seen; run go test ./test/openstack/real -run TestFailures -args -update\n%s", page, difference(string(have), b.String()))
	}
}

// row returns the row of the page.
func (o observation) row() string {
	cell := func(text string) string {
		return strings.ReplaceAll(strings.Join(strings.Fields(variable.ReplaceAllString(resourceName.ReplaceAllString(text, "k8s-…"), "…")), " "), "|", "\\|")
	}
	next := cell(o.next)
	if next != "" {
		next = "`" + next + "`"
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s |\n", o.it, o.condition, cell(o.message), next, o.recovers)
}

// difference returns the lines that only one text has.
func difference(a, b string) string {
	old, now := strings.Split(a, "\n"), strings.Split(b, "\n")
	var lines []string
	for _, l := range old {
		if !slices.Contains(now, l) {
			lines = append(lines, "- "+l)
		}
	}
	for _, l := range now {
		if !slices.Contains(old, l) {
			lines = append(lines, "+ "+l)
		}
	}
	return strings.Join(lines, "\n")
}

const pageHead = `# Failures of OpenStack that were produced

The tests of ` + "`test/openstack/real`" + ` produce these failures on a real OpenStack (Zed). They wait until the
[example provider](../../examples/openstack/README.md) reports each failure. Then they end it, and
wait until the objects are ready again. All [classes of failures](openstack-failures.md) have a page
of their own.

` + "`make test-all STEPS=openstack`" + ` compares this page with what it sees. The next command is that of
` + "`kstatus explain`" + `.

| failure | condition | message | next command | recovers |
|---|---|---|---|---|
`

// A network with a foreign port cannot be deleted. The cluster reports that until the port is gone.
func TestDeletionWaitsForForeignPorts(t *testing.T) {
	w := newWorld(t)
	w.runProvider(nil)
	w.applyShop()
	w.WaitForReady()
	id, _ := managers.Field(w.Get(openstackshop.OSClusters, "shop"), "status", "network", "id").(string)
	p, err := ports.Create(t.Context(), w.network, ports.CreateOpts{NetworkID: id, Name: "foreign"}).Extract()
	check(t, "create a port", err)
	w.Remove(openstackshop.OSMachines, "web")
	w.WaitForDeletion(openstackshop.OSMachines, "web")
	w.Remove(openstackshop.OSClusters, "shop")
	w.WaitFor(openstackshop.OSClusters, "shop", "Deleting=True", "Ready=False/Deleting")
	obj := w.WaitUntil(openstackshop.OSClusters, "shop", "blocked by its network", func(obj *unstructured.Unstructured) bool {
		return strings.Contains(managers.Message(obj, "Deleting"), "network")
	})
	t.Logf("while a port is left: %s", managers.Message(obj, "Deleting"))
	check(t, "delete the port", ports.Delete(t.Context(), w.network, p.ID).ExtractErr())
	w.WaitForDeletion(openstackshop.OSClusters, "shop")
	w.checkEmpty()
}
