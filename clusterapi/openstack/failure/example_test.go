package failure_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"syscall"
	"time"

	"kstatus.dev/clusterapi/openstack/failure"
)

// APIError is the error type of the client of an imaginary cloud.
type APIError struct {
	Status int
	Header http.Header
	Body   []byte
}

func (e *APIError) Error() string { return fmt.Sprintf("unexpected status %d", e.Status) }

// classify turns the errors of the client into failures.
func classify(err error) *failure.Failure {
	var api *APIError
	if errors.As(err, &api) {
		f := failure.FromResponse(failure.Response{Service: "compute", Code: api.Status, Header: api.Header, Body: api.Body})
		if code(api.Body) == "resource_limit_exceeded" {
			f.Class, f.Reason = failure.QuotaExceeded, "QuotaExceeded"
			f.Retry = failure.Retry{First: time.Minute, Last: 10 * time.Minute}
		}
		f.Err = err
		return f
	}
	if f := failure.FromNetwork(err); f != nil {
		return f
	}
	return failure.Internal(err)
}

// code reads the code of the imaginary cloud.
func code(body []byte) string {
	var document struct {
		Error struct {
			Code string `json:"code"`
		} `json:"error"`
	}
	if json.Unmarshal(body, &document) != nil {
		return ""
	}
	return document.Error.Code
}

func ExampleFromResponse() {
	f := classify(&APIError{Status: 403, Body: []byte(`{"error":{"code":"resource_limit_exceeded","message":"10 of 10 servers exist"}}`)})
	fmt.Println(f.Reason, "-", f.Message)
	f = classify(&APIError{Status: 429, Header: http.Header{"Retry-After": {"90"}}})
	fmt.Println(f.Reason, "-", f.Message, "-", f.Retry.After)
	// Output:
	// QuotaExceeded - the compute service forbids the request (403): 10 of 10 servers exist
	// RateLimited - the compute service has received too many requests (429) - 1m30s
}

func ExampleFromNetwork() {
	err := &url.Error{Op: "Get", URL: "https://compute.example.com/servers?name=a", Err: syscall.ECONNREFUSED}
	f := failure.FromNetwork(fmt.Errorf("read the server a: %w", err))
	fmt.Println(f.Reason)
	fmt.Println(f.Message)
	fmt.Println(failure.FromNetwork(errors.New("no error of a network")) == nil)
	// Output:
	// EndpointUnreachable
	// read the server a: compute.example.com: the connection is refused
	// true
}

func ExampleInternal() {
	f := failure.Internal(errors.New("unexpected end of JSON input"))
	fmt.Println(f.Reason, f.Known)
	// Output: InternalError false
}

func ExampleInProgress() {
	f := failure.InProgress("server a", "BUILD")
	fmt.Println(f.Reason, "-", f.Message)
	// Output: Provisioning - server a is BUILD
}

func ExampleFailure_Overdue() {
	f := failure.InProgress("server a", "BUILD")
	fmt.Println(f.Overdue(5*time.Minute, 30*time.Minute).Reason)
	late := f.Overdue(31*time.Minute, 30*time.Minute)
	fmt.Println(late.Reason, "-", late.Message)
	// Output:
	// Provisioning
	// ProvisioningTimeout - server a is BUILD for more than 30m
}

func ExampleRemaining() {
	f := failure.Remaining([]string{"router b", "network a"}, nil)
	fmt.Println(f.Reason, "-", f.Message)
	// Output: Deleting - still exists: network a, router b
}

func ExampleAs() {
	f := failure.InProgress("load balancer a", "PENDING_CREATE")
	err := errors.Join(errors.New("another error"), fmt.Errorf("create the listener: %w", f))
	fmt.Println(failure.As(err).Message)
	// Output: create the listener: load balancer a is PENDING_CREATE
}

func ExampleWorst() {
	building := failure.InProgress("server a", "BUILD")
	forbidden := failure.FromResponse(failure.Response{Service: "image", Code: 403})
	fmt.Println(failure.Worst(building, nil, forbidden).Reason)
	// Output: Forbidden
}

func ExampleFailure_Within() {
	inner := syscall.ECONNRESET
	outer := fmt.Errorf("create the port a: %w", inner)
	fmt.Println(failure.FromNetwork(inner).Within(outer, inner).Message)
	// Output: create the port a: the endpoint: the connection was closed
}

func ExampleFailure_Terminal() {
	fmt.Println(failure.FromResponse(failure.Response{Code: 400}).Terminal())
	fmt.Println(failure.FromResponse(failure.Response{Code: 503}).Terminal())
	// Output:
	// true
	// false
}

func ExampleRetry_Delay() {
	r := failure.Retry{First: 5 * time.Second, Last: 5 * time.Minute}
	for attempt := range 8 {
		fmt.Print(r.Delay(attempt, 0.5), " ")
	}
	r.After = time.Minute
	fmt.Println(r.Delay(0, 0), r.Delay(0, 1))
	// Output: 5s 10s 20s 40s 1m20s 2m40s 5m0s 5m0s 1m0s 1m12s
}

func ExampleUntil_String() {
	fmt.Println(failure.FromResponse(failure.Response{Code: 501}).Until)
	// Output: generation or credentials
}

func ExampleScope_String() {
	fmt.Println(failure.FromResponse(failure.Response{Code: 503}).Scope)
	// Output: endpoint
}

func ExampleText() {
	fmt.Println(failure.Text([]byte(`{"badRequest": {"code": 400, "message": "Invalid key_name provided."}}`)))
	// Output: Invalid key_name provided.
}

func ExampleClean() {
	fmt.Println(failure.Clean("GET https://example.com/ports?name=a: 500\n(Request-ID: req-0f0e7c5e-5d3e-4c5b-8f4e-1d2c3b4a5f6e)"))
	// Output: GET https://example.com/ports: 500
}
