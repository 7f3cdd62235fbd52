package guard

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Transport returns a RoundTripper for requests to the API server at a URL. It
// rejects:
//
//   - requests to another host, and paths that are not below the path of the
//     URL.
//   - paths other than those of objects, discovery, OpenAPI documents and the
//     version.
//   - subresources other than log, scale and status, so that no request
//     reaches a node, a Service or a Pod through the API server.
//   - paths with empty or invalid segments, escaped or not.
//
// It returns an error instead of a redirect, so that no credentials go to
// another host. Reading a response that is larger than any valid one returns an
// error, and so does reading many that are too large together.
func Transport(server *url.URL, next http.RoundTripper) http.RoundTripper {
	return &transport{server: *server, next: next}
}

type transport struct {
	server url.URL
	next   http.RoundTripper
	budget budget
}

// WrappedRoundTripper lets client-go close the wrapped transport.
func (t *transport) WrappedRoundTripper() http.RoundTripper { return t.next }

// RoundTrip sends a request.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := t.check(r.URL); err != nil {
		if r.Body != nil {
			_ = r.Body.Close() // as a RoundTripper must; it was not read
		}
		return nil, fmt.Errorf("request to %q rejected: %w", r.URL.Redacted(), err)
	}
	response, err := t.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	switch response.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		_ = response.Body.Close() // it is not read
		return nil, fmt.Errorf("the server redirects to %q, but kstatus does not follow redirects", response.Header.Get("Location"))
	}
	response.Body = t.budget.limit(r, response)
	return response, nil
}

// check returns an error for a URL that must not be requested.
func (t *transport) check(u *url.URL) error {
	if !strings.EqualFold(u.Host, t.server.Host) || !strings.EqualFold(u.Scheme, t.server.Scheme) || u.Opaque != "" {
		return fmt.Errorf("it is not at %s://%s", t.server.Scheme, t.server.Host)
	}
	path, below := strings.CutPrefix(u.EscapedPath(), strings.TrimSuffix(t.server.EscapedPath(), "/")+"/")
	if !below {
		return fmt.Errorf("it is not below %q", t.server.Path)
	}
	return CheckPath(path)
}

// CheckPath returns an error for an escaped path, relative to the server's
// path, that must not be requested.
func CheckPath(path string) error {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		name, err := url.PathUnescape(part)
		if err != nil {
			return err
		}
		if problem := problemOf(name); problem != "" {
			return fmt.Errorf("its segment %d is not a valid name: %s", i+1, problem)
		}
		parts[i] = name
	}
	switch parts[0] {
	case "openapi":
		return nil
	case "version":
		if len(parts) == 1 {
			return nil
		}
	case "api":
		return checkResource(parts[min(2, len(parts)):])
	case "apis":
		return checkResource(parts[min(3, len(parts)):])
	}
	return fmt.Errorf("kstatus does not need /%s", parts[0])
}

// subresources are the permitted subresources.
var subresources = map[string]bool{"log": true, "scale": true, "status": true}

// checkResource checks the path after the group and version: empty for
// discovery, or a resource, a name and a subresource, with an optional
// namespace.
func checkResource(parts []string) error {
	if len(parts) > 2 && parts[0] == "namespaces" && !(len(parts) == 3 && subresources[parts[2]]) {
		parts = parts[2:]
	}
	switch {
	case len(parts) > 0 && (parts[0] == "proxy" || parts[0] == "watch"):
		return fmt.Errorf("kstatus does not need /%s", parts[0])
	case len(parts) == 3 && !subresources[parts[2]] || len(parts) > 3:
		return fmt.Errorf("kstatus does not need the subresource %s", strings.Join(parts[2:], "/"))
	}
	return nil
}
