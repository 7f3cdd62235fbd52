package status

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Service is Current when it exists. One of type LoadBalancer is Current when
// it has an IP address or a host name; spec.externalIPs do not count. Endpoints
// matter only if the caller looks them up: then a Service with a selector waits
// for the first ready endpoint.
//
// It fails while its load balancer cannot serve one of its ports; the failure
// is recoverable. A Service without an address for two minutes and without a
// controller's finalizer may have no controller; the message says so.
func service(o *Fields) Result {
	kind := o.Text("spec.type", "ClusterIP")
	var r Result
	if kind == "LoadBalancer" {
		if r = o.loadBalancerResult(); r.Status != CurrentStatus {
			return r
		}
	}
	switch ready, read := o.readyEndpoints(); {
	case read && ready == 0:
		return InProgress("WaitingForEndpoints", "it has no ready endpoint yet")
	case kind == "LoadBalancer":
		return r
	case read || kind == "ExternalName":
		return currentWithMessage("a Service of type " + kind + " is ready once it exists")
	}
	return currentWithMessage("a Service of type " + kind + " is ready once it exists; its endpoints do not count")
}

// loadBalancerResult judges whether a Service of type LoadBalancer has an address.
func (f *Fields) loadBalancerResult() Result {
	if c := f.Condition("LoadBalancerPortsError"); c.Is(conditionTrue) {
		return FailedRecoverable("AddressFailed", "%s", c.Text()).by(c)
	}
	address, more, refused := f.addresses()
	switch {
	case refused != "":
		return FailedRecoverable("AddressFailed", "%s", refused)
	case address == "":
		return f.withoutAddress()
	}
	return addressResult(address, more)
}

// addressResult returns a result for a Service or an Ingress with addresses.
func addressResult(address string, more int) Result {
	if more > 0 {
		return currentWithMessage("reached at " + address + " and " + strconv.Itoa(more) + " more")
	}
	return currentWithMessage("reached at " + address)
}

// addresses reads status.loadBalancer.ingress: the first address in
// alphabetical order, the number of other addresses, and the first port that
// cannot be served.
func (f *Fields) addresses() (address string, more int, refused string) {
	ports := false
	for item := range f.Each("status.loadBalancer.ingress") {
		at := item.Text("ip", "")
		if at == "" {
			at = item.Text("hostname", "")
		}
		switch {
		case at == "":
		case address == "":
			address = at
		default:
			address = min(address, at)
			more++
		}
		ports = ports || item.Has("ports")
	}
	if ports {
		refused = f.portError()
	}
	return address, more, refused
}

// portError returns the port in status.loadBalancer.ingress that cannot be
// served.
func (f *Fields) portError() (refused string) {
	for item := range f.Each("status.loadBalancer.ingress") {
		for port := range item.Each("ports") {
			problem := port.Text("error", "")
			if problem == "" {
				continue
			}
			text := fmt.Sprintf("port %d/%s: %s", port.Int("port", 0), port.Text("protocol", "TCP"), problem)
			if refused == "" || text < refused {
				refused = text
			}
		}
	}
	return refused
}

// loadBalancerTimeout is the time after which the message says that the load
// balancer may have no controller.
const loadBalancerTimeout = 2 * time.Minute

// withoutAddress returns a result for a Service without an address.
func (f *Fields) withoutAddress() Result {
	r := InProgress("WaitingForAddress", "it has no address yet")
	if class := f.Text("spec.loadBalancerClass", ""); class != "" {
		r.Message = "waiting for an address from load balancer class " + class
	}
	if ips := f.Texts("spec.externalIPs"); len(ips) > 0 {
		r.Message += "; its external IPs are " + strings.Join(ips, ", ")
	}
	if f.Len("metadata.finalizers") > 0 {
		return r
	}
	if left := loadBalancerTimeout - f.Age(); left > 0 {
		r.Recheck = left
		return r
	}
	r.Message += "; no controller has acted on it"
	return r
}
