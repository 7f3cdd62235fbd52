// Package calls has requests to OpenStack, each with the answer that it must get. The tests of
// package fakestack make them to the fake, and those of test/openstack/real to the real services.
// So the fake is proven to answer as the real services do.
package calls

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack"

	"kstatus.dev/test/lib/poll"
)

// A Call is one request, or several of the same kind.
type Call struct {
	Name string
	// Do makes the request, and describes what of the answer matters. IDs may be in it.
	Do func(context.Context, *Run) (string, error)
	// Want is that description, with ID in place of each ID, or the error: the status, and the
	// message in the service's form.
	Want string
}

// All returns all calls, in the order in which they must be made. Together they remove what they create.
func All() []Call {
	var all []Call
	for _, part := range [][]Call{identityCalls, networkCalls, routerCalls, computeCalls, balancerCalls, quotaCalls, endCalls} {
		all = append(all, part...)
	}
	return all
}

// A Run makes the calls in one project of one OpenStack.
type Run struct {
	Compute, Network, Image, Balancer *gophercloud.ServiceClient // of a member of the project
	Identity                          *gophercloud.ServiceClient
	Admin                             *Prepared
	Project                           string // its ID
	User                              string // the ID of the member
	Auth                              gophercloud.AuthOptions

	transport http.RoundTripper // of all requests
	ids       map[string]string // of what earlier calls have created, by any name
}

// Start returns a run that authenticates with the options. The transport of its requests may be nil.
func Start(ctx context.Context, o gophercloud.AuthOptions, region string, p *Prepared, transport http.RoundTripper) (*Run, error) {
	client, err := Login(ctx, o, transport)
	if err != nil {
		return nil, err
	}
	r := &Run{Admin: p, Auth: o, transport: transport, ids: map[string]string{}}
	at := gophercloud.EndpointOpts{Region: region}
	for _, s := range []struct {
		client **gophercloud.ServiceClient
		open   func(*gophercloud.ProviderClient, gophercloud.EndpointOpts) (*gophercloud.ServiceClient, error)
	}{
		{&r.Compute, openstack.NewComputeV2}, {&r.Network, openstack.NewNetworkV2}, {&r.Image, openstack.NewImageV2},
		{&r.Balancer, openstack.NewLoadBalancerV2}, {&r.Identity, openstack.NewIdentityV3},
	} {
		if *s.client, err = s.open(client, at); err != nil {
			return nil, err
		}
	}
	r.Compute.Microversion = "2.90"
	return r, r.readToken(client)
}

// Login returns a client that has a token. Its transport may be nil.
func Login(ctx context.Context, o gophercloud.AuthOptions, transport http.RoundTripper) (*gophercloud.ProviderClient, error) {
	client, err := openstack.NewClient(o.IdentityEndpoint)
	if err != nil {
		return nil, err
	}
	client.HTTPClient.Transport = transport
	return client, openstack.Authenticate(ctx, client, o)
}

// readToken reads the IDs of the project and of the user from the token.
func (r *Run) readToken(client *gophercloud.ProviderClient) error {
	result, ok := client.GetAuthResult().(interface {
		ExtractInto(any) error
	})
	if !ok {
		return errors.New("the client has no token of keystone v3")
	}
	var token struct {
		Project, User struct{ ID string }
	}
	err := result.ExtractInto(&token)
	r.Project, r.User = token.Project.ID, token.User.ID
	return err
}

// Test makes all calls and compares their answers.
func (r *Run) Test(t *testing.T) {
	for _, c := range All() { // without subtests, which a bubble cannot have
		have, err := c.Do(t.Context(), r)
		if err != nil {
			have = describe(err)
		}
		if have = anonymous(have); have != c.Want {
			t.Errorf("%s: have %s\nwant %s", c.Name, have, c.Want)
		}
	}
}

var ids = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{32}\b`)

func anonymous(text string) string { return ids.ReplaceAllString(text, "ID") }

// describe returns the status and the message of an error of a service.
func describe(err error) string {
	var e gophercloud.ErrUnexpectedResponseCode
	if !errors.As(err, &e) {
		return "error: " + err.Error()
	}
	var body map[string]json.RawMessage
	if json.Unmarshal(e.Body, &body) != nil {
		return fmt.Sprintf("%d %q", e.Actual, e.Body)
	}
	if text, ok := body["faultstring"]; ok {
		return fmt.Sprintf("%d %s", e.Actual, text)
	}
	for name, value := range body {
		var m struct{ Type, Message string }
		if json.Unmarshal(value, &m) == nil {
			return fmt.Sprintf("%d %s%s: %s", e.Actual, strings.TrimSuffix(name, "NeutronError"), m.Type, m.Message)
		}
	}
	return fmt.Sprintf("%d %s", e.Actual, e.Body)
}

// until calls get until it returns a wanted state, or one that lasts: that of an error, or gone.
func until(ctx context.Context, wanted string, get func() (string, error)) (string, error) {
	ctx, stop := context.WithTimeout(ctx, poll.Patience)
	defer stop()
	state, err := "", error(nil)
	_ = poll.Until(ctx, func() error { // the caller compares the state
		if state, err = get(); gophercloud.ResponseCodeIs(err, http.StatusNotFound) {
			state, err = "gone", nil
		}
		if lasts := state == wanted || state == "gone" || state == "ERROR" && wanted != "gone"; err != nil || lasts {
			return nil
		}
		return fmt.Errorf("it is %s", state)
	})
	return state, err
}

// one returns the only resource of a list.
func one[T any](found []T, err error) (T, error) {
	if err == nil && len(found) == 1 {
		return found[0], nil
	}
	var none T
	return none, errors.Join(err, fmt.Errorf("want one resource, have %d", len(found)))
}

// unknown is an ID that nothing has.
const unknown = "00000000-0000-0000-0000-000000000000"
