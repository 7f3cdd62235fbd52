package classify

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gophercloud/gophercloud/v2"

	"kstatus.dev/clusterapi/openstack/failure"
)

// RequestID returns the ID of the request that failed, or nothing. It belongs into logs and events,
// where an administrator of the cloud needs it. Messages do not have it, because it always changes.
func RequestID(err error) string {
	var header http.Header
	var value gophercloud.ErrUnexpectedResponseCode
	var pointer *gophercloud.ErrUnexpectedResponseCode
	switch {
	case errors.As(err, &value):
		header = value.ResponseHeader
	case errors.As(err, &pointer) && pointer != nil:
		header = pointer.ResponseHeader
	}
	return header.Get("X-Openstack-Request-Id")
}

// IsNotFound reports whether an error only says that a thing does not exist: a 404 of the service,
// or no match of a name. For a deletion, that is a success. It is false for the 404 of a service
// without the API, and for joined errors unless all of them are not found.
func IsNotFound(err error) bool {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			if !IsNotFound(e) {
				return false
			}
		}
		return len(joined.Unwrap()) > 0
	}
	if f := known(err); f != nil {
		return f.Class == failure.DependencyNotFound
	}
	inner := errors.Unwrap(err)
	return inner != nil && IsNotFound(inner)
}

// answer is a response, and what the rules need to know about it.
type answer struct {
	service string
	method  string
	path    []string // of the URL
	code    int
	text    string // for people
	neutron string // the type of an error of Neutron
	fault   bool   // Nova itself has answered, and not the routing in front of it
}

// response classifies a response. The rules of OpenStack come first, then its HTTP status.
func response(r gophercloud.ErrUnexpectedResponseCode, err error) *failure.Failure {
	a := read(r)
	f := failure.FromResponse(failure.Response{
		Service: a.service, Method: a.method, Code: a.code, Header: r.ResponseHeader, Body: []byte(a.text),
	})
	for _, rule := range rules {
		if rule.applies(a) {
			f = rule.apply(a, f.Retry)
			break
		}
	}
	f.Err = err
	return f
}

func read(r gophercloud.ErrUnexpectedResponseCode) answer {
	a := answer{method: r.Method, code: r.Actual}
	if u, err := url.Parse(r.URL); err == nil {
		a.path = segments(u)
	}
	a.service = service(a.path)
	a.text = withoutValues(failure.Text(r.Body))
	var body map[string]json.RawMessage
	if json.Unmarshal(r.Body, &body) != nil {
		return a
	}
	var neutron struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(body["NeutronError"], &neutron) == nil {
		a.neutron = neutron.Type
	}
	_, a.fault = body["itemNotFound"]
	return a
}

// segments returns the parts of the path of a URL.
func segments(u *url.URL) []string { return strings.Split(strings.Trim(u.Path, "/"), "/") }

// has reports whether the path of the request has a collection, such as ports.
func (a answer) has(collection string) bool {
	return slices.Contains(a.path, collection)
}

// A rule is more exact than an HTTP status.
type rule struct {
	applies func(answer) bool
	says    string          // what the service does with the request; %s is the request
	failure failure.Failure // without message, service and cause
}

// rules are in order: the first that applies decides.
var rules = []rule{
	{wrongCredentials, "does not accept the credentials%.0s", *withCredentials("CredentialsInvalid")},
	{overQuota, "has no quota left%.0s", failure.Failure{Class: failure.QuotaExceeded, Reason: "QuotaExceeded", Known: true, Retry: refill, Scope: failure.ScopeTenant}},
	{notDeleted, "cannot delete this yet%.0s", failure.Failure{Class: failure.Deleting, Reason: "Deleting", Known: true, Retry: removal}},
	{immutable, "is still changing the load balancer%.0s", *waitingForLoadBalancer()},
	{noFloatingIP, "has no floating IP for %s", *NoFloatingIP("")},
	{noAddress, "has no address for %s", failure.Failure{Class: failure.Conflict, Reason: "Conflict", Known: true, Retry: refill}},
	{noSuchAPI, "does not support %s", *Unsupported("")},
	{tooLarge, "rejects %s", failure.Failure{Class: failure.TooLarge, Reason: "InvalidConfiguration", Known: true, Retry: slow, Until: failure.UntilGeneration}},
	{noDisk, "rejects %s", failure.Failure{Class: failure.InvalidRequest, Reason: "InvalidConfiguration", Known: true, Retry: slow, Until: failure.UntilGeneration}},
	{severalMatch, "reports several matches for %s", *Ambiguous("", "", 0)},
}

// apply returns the failure of a rule for a response.
func (r rule) apply(a answer, header failure.Retry) *failure.Failure {
	f := r.failure
	f.Service = a.service
	f.Retry.After = header.After
	says := fmt.Sprintf(r.says, "the "+a.method+" request")
	return message(&f, "%s %s (%d): %s", strings.Join(strings.Fields("the "+a.service+" service"), " "), says, a.code, a.text)
}

// wrongCredentials: keystone answers 401, and 404 for an application credential that was deleted.
func wrongCredentials(a answer) bool {
	return a.service == identity && a.has("tokens") && (a.code == 400 || a.code == 401 || a.code == 404)
}

// overQuota: only Neutron has a type for it.
func overQuota(a answer) bool { return a.neutron == "OverQuota" || quotaWording(a) }

// notDeleted: the thing is in use or changing. The spec of a user has no part in it.
func notDeleted(a answer) bool {
	return a.method == http.MethodDelete && (a.code == 409 || a.code == 400)
}

// immutable: Octavia accepts changes only while a load balancer is ACTIVE.
func immutable(a answer) bool {
	return a.service == loadBalancer && a.code == 409 && immutableWording(a.text)
}

// noFloatingIP: the pool of an external network is empty, or the network does not exist.
func noFloatingIP(a answer) bool {
	switch a.neutron {
	case "ExternalIpAddressExhausted", "ExternalGatewayForFloatingIPNotFound":
		return true
	case "IpAddressGenerationFailure":
		return !a.has("ports")
	case "NetworkNotFound":
		return a.has("floatingips")
	}
	return false
}

// noAddress: a subnet of the user has no free address. Deleting other ports frees some.
func noAddress(a answer) bool { return a.neutron == "IpAddressGenerationFailure" }

// noSuchAPI: the path is unknown to the service. Neutron does so without an extension, and Nova
// without a version of the API.
func noSuchAPI(a answer) bool {
	return a.code == 404 && (a.neutron == "HTTPNotFound" || a.service == compute && !a.fault)
}

// tooLarge: Nova limits the length of metadata and of user data.
func tooLarge(a answer) bool { return a.service == compute && tooLargeWording(a) }

// noDisk: a server would have neither a volume nor a disk of its flavor. Nova forbids that, although
// the credentials are valid.
func noDisk(a answer) bool { return a.service == compute && a.code == 403 && noDiskWording(a.text) }

// severalMatch: a server was requested without a network, and the project has several.
func severalMatch(a answer) bool {
	return a.service == compute && a.code == 409 && severalMatchWording(a.text)
}

// service returns the name of a service from the path of a request. Catalogs have any host and any
// prefix, but each collection belongs to one service. A version is less exact: Octavia has the v2.0
// of Neutron.
func service(path []string) string {
	for _, segment := range path {
		if s := collections[segment]; s != "" {
			return s
		}
		if strings.HasPrefix(segment, "os-") {
			return compute
		}
	}
	for _, segment := range path {
		if s := versions[segment]; s != "" {
			return s
		}
	}
	return ""
}

var versions = map[string]string{"v2.0": network, "v2.1": compute}

var collections = map[string]string{
	"auth": identity, "users": identity, "projects": identity, "domains": identity,
	"servers": compute, "flavors": compute,
	"images": image,
	"lbaas":  loadBalancer, "octavia": loadBalancer,
	"networks": network, "subnets": network, "ports": network, "routers": network, "floatingips": network,
	"security-groups": network, "security-group-rules": network, "trunks": network,
	"volumes": volume, "snapshots": volume, "attachments": volume,
}
