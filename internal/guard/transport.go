package guard

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Transport returns a RoundTripper for the requests to an API server at a URL. It refuses
//
//   - requests to another host, and paths that are not below that of the URL;
//   - paths other than those of objects, discovery, OpenAPI documents and the version;
//   - subresources other than log, scale and status, so that nothing is sent to a node, a
//     Service or a Pod through the API server;
//   - paths with segments that are empty, or are no names, in plain or escaped.
//
// It returns an error in place of a redirect, so that no credentials go to another host, and
// an answer fails once it is larger than any that a server needs to give.
func Transport(server *url.URL, next http.RoundTripper) http.RoundTripper {
	return &transport{server: *server, next: next}
}

type transport struct {
	server url.URL
	next   http.RoundTripper
}

// WrappedRoundTripper lets client-go close the transport that is wrapped.
func (t *transport) WrappedRoundTripper() http.RoundTripper { return t.next }

// RoundTrip makes a request.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := t.check(r.URL); err != nil {
		if r.Body != nil {
			_ = r.Body.Close() // as a RoundTripper must; nothing has been read
		}
		return nil, fmt.Errorf("refuse to request %q: %w", r.URL.Redacted(), err)
	}
	answer, err := t.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	switch answer.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		_ = answer.Body.Close() // nobody reads it
		return nil, fmt.Errorf("the server redirects to %q, and redirects are not followed", answer.Header.Get("Location"))
	}
	answer.Body = limit(r, answer)
	return answer, nil
}

// check returns why a URL is not requested.
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

// CheckPath returns why an escaped path, relative to that of a server, is not requested.
func CheckPath(path string) error {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		name, err := url.PathUnescape(part)
		if err != nil {
			return err
		}
		if problem := problemOf(name); problem != "" {
			return fmt.Errorf("its segment %d is no name: %s", i+1, problem)
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
	return fmt.Errorf("kstatus needs nothing of /%s", parts[0])
}

// subresources are those that may be requested.
var subresources = map[string]bool{"log": true, "scale": true, "status": true}

// checkResource checks what follows the group and version in a path: nothing in discovery,
// otherwise a resource, a name and a subresource, perhaps in a namespace.
func checkResource(parts []string) error {
	if len(parts) > 2 && parts[0] == "namespaces" && !(len(parts) == 3 && subresources[parts[2]]) {
		parts = parts[2:]
	}
	switch {
	case len(parts) > 0 && (parts[0] == "proxy" || parts[0] == "watch"):
		return fmt.Errorf("kstatus needs nothing of /%s", parts[0])
	case len(parts) == 3 && !subresources[parts[2]] || len(parts) > 3:
		return fmt.Errorf("kstatus does not need the subresource %s", strings.Join(parts[2:], "/"))
	}
	return nil
}
