package classify_test

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/servers"
	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/loadbalancers"
	"github.com/gophercloud/gophercloud/v2/openstack/loadbalancer/v2/pools"

	"kstatus.dev/clusterapi/openstack/classify"
)

func ExampleError() {
	// What gophercloud returns for a network beyond the quota.
	err := error(gophercloud.ErrUnexpectedResponseCode{
		Method: "POST", URL: "https://network.example.com/v2.0/networks", Actual: 409,
		Body: []byte(`{"NeutronError": {"type": "OverQuota", "message": "Quota exceeded for resources: ['network'].", "detail": ""}}`),
	})
	f := classify.Error(fmt.Errorf("create the network a: %w", err))
	fmt.Println(f.Reason)
	fmt.Println(f.Message)
	fmt.Println(f.Retry.Delay(0, 0.5), f.Retry.Delay(9, 0.5))
	// Output:
	// QuotaExceeded
	// create the network a: the network service has no quota left (409): Quota exceeded for resources: ['network'].
	// 1m0s 10m0s
}

func ExampleServer() {
	s := &servers.Server{Name: "a", Status: "ERROR", Fault: servers.Fault{Code: 500, Message: "No valid host was found. "}}
	f := classify.Server(s, false)
	fmt.Println(f.Reason, "-", f.Message)
	f = classify.Server(s, true)
	fmt.Println(f.Reason, "-", f.Message)
	// Output:
	// InsufficientCapacity - server a is ERROR (500): No valid host was found.
	// InstanceStateError - server a is ERROR (500): No valid host was found.
}

func ExampleServer_deadline() {
	s := &servers.Server{Name: "a", Status: "BUILD"}
	created := 45 * time.Minute // since its creation
	f := classify.Server(s, false).Overdue(created, 30*time.Minute)
	fmt.Println(f.Reason, "-", f.Message)
	// Output: ProvisioningTimeout - server a is BUILD for more than 30m
}

func ExampleLoadBalancer() {
	f := classify.LoadBalancer(&loadbalancers.LoadBalancer{Name: "a", ProvisioningStatus: "PENDING_UPDATE"})
	fmt.Println(f.Reason, f.Keep, "-", f.Message)
	// Output: WaitingForLoadBalancer true - load balancer a is PENDING_UPDATE
}

func ExampleMember() {
	f := classify.Member(&pools.Member{Name: "a", ProvisioningStatus: "PENDING_CREATE"})
	fmt.Println(f.Reason, "-", f.Message)
	// Output: WaitingForLoadBalancer - member a is PENDING_CREATE
}

func ExampleDegraded() {
	lb := &loadbalancers.LoadBalancer{Name: "a", ProvisioningStatus: "ACTIVE", OperatingStatus: "DEGRADED"}
	fmt.Println(classify.LoadBalancer(lb) == nil, classify.Degraded(lb))
	// Output: true load balancer a is DEGRADED
}

func ExampleIsNotFound() {
	err := error(gophercloud.ErrUnexpectedResponseCode{
		Method: "DELETE", URL: "https://network.example.com/v2.0/ports/a", Actual: 404,
		Body: []byte(`{"NeutronError": {"type": "PortNotFound", "message": "Port a could not be found."}}`),
	})
	fmt.Println(classify.IsNotFound(fmt.Errorf("delete the port a: %w", err)))
	fmt.Println(classify.IsNotFound(errors.New("another error")))
	// Output:
	// true
	// false
}

func ExampleRequestID() {
	err := gophercloud.ErrUnexpectedResponseCode{ResponseHeader: http.Header{"X-Openstack-Request-Id": {"req-1"}}}
	fmt.Println(classify.RequestID(err))
	// Output: req-1
}

func ExampleNotFound() {
	fmt.Println(classify.NotFound("image", "ubuntu").Message)
	// Output: image ubuntu does not exist
}

func ExampleAmbiguous() {
	fmt.Println(classify.Ambiguous("image", "ubuntu", 2).Message)
	// Output: 2 matches for image ubuntu: use an ID, or a filter that matches one
}

func ExampleGone() {
	f := classify.Gone("server", "a")
	fmt.Println(f.Reason, f.Terminal())
	// Output: InstanceDeleted true
}

func ExampleCredentialsMissing() {
	f := classify.CredentialsMissing("Secret default/cloud has no key clouds.yaml")
	fmt.Println(f.Reason, "until", f.Until)
	// Output: CredentialsMissing until credentials
}

func ExampleCredentialsInvalid() {
	f := classify.CredentialsInvalid("clouds.yaml of Secret default/cloud has no cloud named a")
	fmt.Println(f.Reason, "until", f.Until)
	// Output: CredentialsInvalid until credentials
}

func ExampleInvalid() {
	f := classify.Invalid("spec.managedSubnets[0].cidr: 10.6.0.0/99 is not a CIDR")
	fmt.Println(f.Reason, "until", f.Until)
	// Output: InvalidConfiguration until generation
}

func ExampleUnsupported() {
	f := classify.Unsupported("the network service does not have the extension router")
	fmt.Println(f.Reason)
	// Output: UnsupportedCloud
}

func ExampleNoFloatingIP() {
	f := classify.NoFloatingIP("no external network exists")
	fmt.Println(f.Reason, "-", f.Message)
	// Output: FloatingIPUnavailable - no external network exists
}
