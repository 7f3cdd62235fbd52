package classify

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/gophercloud/gophercloud/v2"

	"kstatus.dev/failure"
)

// RequestID returns the ID of the request that failed, or nothing. It belongs into logs and events,
// where an administrator of the cloud needs it. Messages do not have it, because it always changes.
func RequestID(err error) string {
	if r, ok := responseOf(err); ok {
		return r.ResponseHeader.Get("X-Openstack-Request-Id")
	}
	return ""
}

// IsNotFound reports whether a service returned 404 or gophercloud found nothing with a name. It
// also finds errors that are pointers, which gophercloud.ResponseCodeIs does not.
func IsNotFound(err error) bool {
	if r, ok := responseOf(err); ok {
		return r.Actual == http.StatusNotFound
	}
	return false
}

func responseOf(err error) (gophercloud.ErrUnexpectedResponseCode, bool) {
	return gophercloud.ErrUnexpectedResponseCode{}, false
}

func response(r gophercloud.ErrUnexpectedResponseCode, err error) *failure.Failure {
	f := failure.FromResponse(failure.Response{Service: service(r.URL), Method: r.Method, Code: r.Actual, Header: r.ResponseHeader, Body: r.Body})
	f.Err = err
	return f
}

func service(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	if strings.Contains(u.Path, "/lbaas/") {
		return loadBalancer
	}
	return ""
}
