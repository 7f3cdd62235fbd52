package controller

import (
	"context"
	"fmt"
	"time"

	"kstatus.dev/clusterapi/openstack/classify"
	"kstatus.dev/clusterapi/openstack/failure"
	"kstatus.dev/examples/openstack/api/v1beta1"
	"kstatus.dev/examples/openstack/cloud"
)

// maxReplacements is how many load balancers in succession are replaced.
const maxReplacements = 3

// ensureLoadBalancer finds or creates the load balancer. With a published endpoint it creates none:
// either a user has set that endpoint, or it is the address of the one that is missing.
func (p *clusterPass) ensureLoadBalancer(ctx context.Context) (reason, message string, err error) {
	api, published := p.obj.Spec.APIServer, p.obj.Spec.ControlPlaneEndpoint
	if published.Complete() {
		_, err := p.cloud.FindLoadBalancer(ctx, p.owner)
		existed := p.obj.Annotations[endpointAnnotation] == fromLoadBalancer || p.obj.Status.LoadBalancer != nil
		if f := failure.As(err); f != nil && f.Class == failure.DependencyNotFound && !existed {
			return Found, "the endpoint is that of the spec", nil
		}
		if err != nil {
			return "", "", err
		}
	}
	spec := cloud.LoadBalancerSpec{Network: p.network, Address: api.FixedIP, Port: int(api.PortNumber())}
	if managed := api.ManagedLoadBalancer; managed != nil {
		spec.Provider, spec.AllowedCIDRs = managed.Provider, managed.AllowedCIDRs
	}
	if api.FloatingIPEnabled() && !p.obj.Spec.DisableExternalNetwork {
		if p.external == nil {
			return "", "", classify.NoFloatingIP("the cloud has no external network, and spec.apiServer.enableFloatingIP is true")
		}
		spec.FloatingIP = p.floatingIPSpec()
	}
	replaceable := !p.provisioned && !published.Complete()
	if replaceable {
		spec.Replace = p.status.ReplacedLoadBalancers
	}
	b, err := p.cloud.EnsureLoadBalancer(ctx, p.owner, spec)
	if f := failure.As(err); f != nil && replaceable {
		return "", "", p.replace(b, *f)
	}
	if err != nil {
		return "", "", err
	}
	p.source, p.status.ReplacedLoadBalancers = fromLoadBalancer, nil
	p.status.LoadBalancer = &v1beta1.LoadBalancerStatus{ID: b.ID, Name: b.Name, InternalIP: b.InternalIP, IP: b.IP}
	if p.endpoint.Host = b.IP; p.endpoint.Host == "" {
		p.endpoint.Host = b.InternalIP
	}
	if published.Complete() && isAddress(published.Host) && published.Host != b.IP && published.Host != b.InternalIP {
		return "", "", classify.Invalid(fmt.Sprintf("the endpoint of the spec is %s, and load balancer %s has the address %s", published.Host, b.Name, p.endpoint.Host))
	}
	if b.Degraded != "" {
		return Found, b.Degraded, nil
	}
	return Found, "load balancer " + b.Name, nil
}

// replace decides whether a load balancer that is ERROR is replaced, and adds that to its failure.
// This pass only records the load balancer in the status, and a later one deletes it. So a restart
// does not forget any replacement.
func (p *clusterPass) replace(b cloud.LoadBalancer, f failure.Failure) *failure.Failure {
	n := len(p.status.ReplacedLoadBalancers)
	switch {
	case f.Class != classify.LoadBalancerError:
		if n > 0 && isPending(&f) {
			f.Message += fmt.Sprintf(" (replacement %d of %d, after an ERROR)", n, maxReplacements)
		}
	case !b.Created:
		f.Message += ", and the provider did not create it: repair or delete it"
	case n >= maxReplacements:
		f.Message += fmt.Sprintf(" after %d replacements: ask the operator of the cloud for the cause, then delete it to get another one", n)
	default:
		p.status.ReplacedLoadBalancers = append(p.status.ReplacedLoadBalancers, b.ID)
		f.Message += fmt.Sprintf(": the provider deletes it and creates another one (replacement %d of %d)", n+1, maxReplacements)
		wait := 15 * time.Second << (2 * n) // 15 s, 1 min, 4 min
		f.Retry = failure.Retry{First: wait, Last: wait}
	}
	return &f
}
