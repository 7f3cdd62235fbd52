package real

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"kstatus.dev/test/openstack/openstackkit"
)

// A meter sends requests to the cloud, and records when each was sent to which service.
type meter struct {
	next  http.RoundTripper
	hosts map[string]string // the services by their hosts

	mu     sync.Mutex // guards the fields below
	calls  map[string][]time.Time
	writes []string
}

// newMeter returns a meter for the services that the user of a fixture finds.
func newMeter(t *testing.T, f *fixture, next http.RoundTripper) *meter {
	t.Helper()
	client, err := f.Client(t.Context())
	check(t, "authenticate", err)
	image, err := openstack.NewImageV2(client, gophercloud.EndpointOpts{Region: openstackkit.Region})
	check(t, "find glance", err)
	m := &meter{next: next, hosts: map[string]string{}, calls: map[string][]time.Time{}}
	for service, address := range map[string]string{
		"identity": f.AuthURL, "image": image.Endpoint,
		"compute": f.compute.Endpoint, "network": f.network.Endpoint, "load-balancer": f.balancer.Endpoint,
	} {
		u, err := url.Parse(address)
		check(t, "read the address of the service "+service, err)
		m.hosts[u.Host] = service
	}
	return m
}

func (m *meter) RoundTrip(req *http.Request) (*http.Response, error) {
	service := m.hosts[req.URL.Host]
	m.mu.Lock()
	m.calls[service] = append(m.calls[service], time.Now())
	if req.Method != http.MethodGet && service != "identity" {
		m.writes = append(m.writes, req.Method+" "+req.URL.String())
	}
	m.mu.Unlock()
	return m.next.RoundTrip(req)
}

// since returns the calls from a time on, by service, and all of them under the name "all".
func (m *meter) since(start time.Time) map[string][]time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	found := map[string][]time.Time{}
	for service, calls := range m.calls {
		for _, at := range calls {
			if !at.Before(start) {
				found[service] = append(found[service], at)
				found["all"] = append(found["all"], at)
			}
		}
	}
	slices.SortFunc(found["all"], time.Time.Compare)
	return found
}

// written returns the writes so far.
func (m *meter) written() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.writes)
}

// busiest returns the highest number of calls in any period of a length.
func busiest(calls []time.Time, length time.Duration) (most int) {
	first := 0
	for i, at := range calls {
		for at.Sub(calls[first]) >= length {
			first++
		}
		most = max(most, i-first+1)
	}
	return most
}

func TestBusiest(t *testing.T) {
	var calls []time.Time
	for _, ms := range []int{0, 400, 900, 1000, 1100, 5000} {
		calls = append(calls, time.UnixMilli(int64(ms)))
	}
	for length, want := range map[time.Duration]int{time.Millisecond: 1, time.Second: 4, time.Minute: 6} {
		if have := busiest(calls, length); have != want {
			t.Errorf("in %s: %d calls, want %d", length, have, want)
		}
	}
	if have := busiest(nil, time.Second); have != 0 {
		t.Errorf("without calls: %d", have)
	}
}

// rates formats the calls of a phase as a table.
func rates(calls map[string][]time.Time, phase time.Duration) string {
	var b strings.Builder
	for _, service := range slices.Sorted(maps.Keys(calls)) {
		list := calls[service]
		fmt.Fprintf(&b, "\n  %-13s %5d calls, %6.1f a minute, at most %3d a second and %4d a minute", service, len(list),
			float64(len(list))/phase.Minutes(), busiest(list, time.Second), busiest(list, time.Minute))
	}
	return b.String()
}

// memory is what the process of the test holds, with the provider in it.
type memory struct {
	heap       float64 // after a collection, in MiB
	goroutines int
}

func measure() memory {
	runtime.GC()
	runtime.GC() // what the first one has finalized
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return memory{float64(m.HeapAlloc) / (1 << 20), runtime.NumGoroutine()}
}

func (m memory) String() string {
	return fmt.Sprintf("%.1f MiB, %d goroutines", m.heap, m.goroutines)
}

// passes returns how often the controllers of the provider have reconciled, with each result.
func passes(t *testing.T) map[string]int {
	t.Helper()
	families, err := metrics.Registry.Gather()
	check(t, "read the metrics", err)
	all := map[string]int{}
	for _, family := range families {
		if family.GetName() != "controller_runtime_reconcile_total" {
			continue
		}
		for _, m := range family.GetMetric() {
			labels := map[string]string{}
			for _, l := range m.GetLabel() {
				labels[l.GetName()] = l.GetValue()
			}
			if strings.HasPrefix(labels["controller"], "openstack") {
				all[labels["controller"]+" "+labels["result"]] += int(m.GetCounter().GetValue())
			}
		}
	}
	return all
}
