package failure

import (
	"fmt"
	"net/http"
	"time"
)

// A Response is what a service with an HTTP API returned instead of a success.
type Response struct {
	Service string // such as compute; may be empty
	Method  string // such as POST; may be empty
	Code    int    // the HTTP status
	Header  http.Header
	Body    []byte
}

// statusRateLimited is the status of Swift's limiter, instead of 429.
const statusRateLimited = 498

// FromResponse classifies the response of a service by its HTTP status. The message has the text
// that the service gave as a reason, if the body has one.
//
//	429, 498                     RateLimited
//	408, 425, 5xx                ServiceUnavailable
//	401, 403                     Credentials
//	404, 410                     DependencyNotFound
//	409, 412, 423                Conflict
//	400, 415, 422                InvalidRequest
//	413, 414, 431                TooLarge; 413 with a Retry-After is RateLimited
//	405, 406, 501                Unsupported
//	others                       InternalError
func FromResponse(r Response) *Failure {
	f := classifyStatus(r)
	f.Service = Clean(r.Service)
	service, request := "the service", "the request"
	if f.Service != "" {
		service = "the " + f.Service + " service"
	}
	if method := Clean(r.Method); method != "" {
		request = "the " + method + " request"
	}
	f.Message = fmt.Sprintf("%s %s (%d)", service, fmt.Sprintf(sentences[f.Reason], request), r.Code)
	if why := Clean(Text(r.Body)); why != "" {
		f.Message += ": " + why
	}
	f.Message = Clean(f.Message)
	return &f
}

// sentences are what a message says of each reason. %.0s leaves the request out.
var sentences = map[string]string{
	string(RateLimited):        "has received too many requests%.0s",
	string(ServiceUnavailable): "is not available%.0s",
	reasonCredentials:          "does not accept the credentials%.0s",
	reasonForbidden:            "forbids %s",
	string(DependencyNotFound): "does not have what %s refers to",
	string(Conflict):           "reports a conflict for %s",
	reasonInvalid:              "rejects %s",
	reasonUnsupported:          "does not support %s",
	string(InternalError):      "returned an unexpected status for %s",
}

// classifyStatus returns everything but the message.
func classifyStatus(r Response) Failure {
	limited := r.Code == http.StatusTooManyRequests || r.Code == statusRateLimited
	wait := quick
	wait.After = after(r.Header, limited)
	switch code := r.Code; {
	case limited, code == http.StatusRequestEntityTooLarge && wait.After > 0:
		return Failure{Class: RateLimited, Reason: string(RateLimited), Grace: 5 * time.Minute, Retry: wait, Scope: ScopeTenant}
	case code == http.StatusUnauthorized:
		return Failure{Class: Credentials, Reason: reasonCredentials, Known: true, Retry: credentials, Until: UntilCredentials, Scope: ScopeTenant}
	case code == http.StatusForbidden:
		return Failure{Class: Credentials, Reason: reasonForbidden, Known: true, Retry: credentials, Until: UntilCredentials, Scope: ScopeTenant}
	case code == http.StatusNotFound, code == http.StatusGone:
		return Failure{Class: DependencyNotFound, Reason: string(DependencyNotFound), Known: true, Retry: recheck, Until: UntilDependency}
	case code == http.StatusConflict, code == http.StatusPreconditionFailed, code == http.StatusLocked:
		return Failure{Class: Conflict, Reason: string(Conflict), Known: true, Retry: slow, Until: UntilGeneration}
	case code == http.StatusBadRequest, code == http.StatusUnsupportedMediaType, code == http.StatusUnprocessableEntity:
		return Failure{Class: InvalidRequest, Reason: reasonInvalid, Known: true, Retry: slow, Until: UntilGeneration}
	case code == http.StatusRequestEntityTooLarge, code == http.StatusRequestURITooLong, code == http.StatusRequestHeaderFieldsTooLarge:
		return Failure{Class: TooLarge, Reason: reasonInvalid, Known: true, Retry: slow, Until: UntilGeneration}
	case code == http.StatusMethodNotAllowed, code == http.StatusNotAcceptable, code == http.StatusNotImplemented:
		return Failure{Class: Unsupported, Reason: reasonUnsupported, Known: true, Retry: slow, Until: UntilGeneration | UntilCredentials, Scope: ScopeEndpoint}
	case code == http.StatusRequestTimeout, code == http.StatusTooEarly, code >= 500 && code <= 599:
		return Failure{Class: ServiceUnavailable, Reason: string(ServiceUnavailable), Retry: wait, Scope: ScopeEndpoint}
	}
	return Failure{Class: InternalError, Reason: string(InternalError), Retry: wait}
}

// credentials is the retry of a failure that ends with other credentials. Their Secret may be
// correct and the cloud wrong, so the poll is faster than that of terminal failures.
var credentials = Retry{First: 5 * time.Minute, Last: 10 * time.Minute}
