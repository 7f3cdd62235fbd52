package classify

import (
	"errors"
	"strings"
	"time"

	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/loadbalancers"
	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/pools"

	"kstatus.dev/clusterapi/openstack/failure"
)

// LoadBalancer classifies the provisioning status of a load balancer. It returns nil for one that
// is ACTIVE. Use [Degraded] for its operating status.
func LoadBalancer(lb *loadbalancers.LoadBalancer) *failure.Failure {
	if lb == nil {
		return failure.Internal(errors.New("the load-balancer service returned no load balancer"))
	}
	if s := strings.ToUpper(lb.ProvisioningStatus); s == "" || s == "PENDING_CREATE" {
		f := failure.InProgress("load balancer "+lb.Name, "PENDING_CREATE")
		f.Service = loadBalancer
		return f
	}
	return provisioning("load balancer", lb.Name, lb.ProvisioningStatus)
}

// Member classifies the provisioning status of a member of a load balancer. A load balancer lists a
// member before it sends traffic to it, and changes as long as the member is PENDING_CREATE.
func Member(m *pools.Member) *failure.Failure {
	if m == nil {
		return failure.Internal(errors.New("the load-balancer service returned no member"))
	}
	return provisioning("member", m.Name, m.ProvisioningStatus)
}

// provisioning classifies the provisioning status of a load balancer or of a part of one.
func provisioning(kind, name, status string) *failure.Failure {
	what := kind + " " + name
	switch strings.ToUpper(status) {
	case "ACTIVE":
		return nil
	case "ERROR":
		return message(&failure.Failure{
			Class: LoadBalancerError, Reason: string(LoadBalancerError), Known: true,
			Retry: refill, Service: loadBalancer,
		}, "%s is ERROR", what)
	case "DELETED":
		f := NotFound(kind, name)
		f.Service = loadBalancer
		return f
	}
	return message(waitingForLoadBalancer(), "%s is %s", what, status)
}

// waitingForLoadBalancer is the failure of a request for a load balancer that is changing.
func waitingForLoadBalancer() *failure.Failure {
	return &failure.Failure{
		Class: failure.Conflict, Reason: "WaitingForLoadBalancer", Keep: true, Grace: 30 * time.Minute,
		Retry: pending, Service: loadBalancer,
	}
}

// Degraded returns what is wrong with a load balancer that exists, and nothing otherwise. That is
// no failure: members of a load balancer come and go, and a cluster must not become unready for
// that. Report it in a message.
func Degraded(lb *loadbalancers.LoadBalancer) string {
	if lb == nil {
		return ""
	}
	switch status := strings.ToUpper(lb.OperatingStatus); status {
	case "DEGRADED", "OFFLINE", "ERROR":
		return failure.Clean("load balancer " + lb.Name + " is " + status)
	}
	return ""
}
