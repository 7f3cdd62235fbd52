package fakestack

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"
)

// A call is one request while it is served. The lock of the cloud is held.
type call struct {
	*Cloud
	*session // of the token; nil for requests without one
	r        *http.Request
	base     string // of the URLs of all services
	body     []byte
	fault    Fault
	minor    int // of nova's microversion 2.x
}

// An apiError is an error that a service answers. The service decides its form.
type apiError struct {
	status  int
	kind    string // of neutron
	message string
}

func (e *apiError) Error() string { return e.message }

func fail(status int, kind, format string, arguments ...any) error {
	return &apiError{status, kind, fmt.Sprintf(format, arguments...)}
}

// handle is what serves a route. It returns the status and the body of the answer.
type handle func(*call) (int, any, error)

// ServeHTTP serves all services below the path of their name.
func (c *Cloud) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has gone
	}
	service, path, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	request := Request{Time: time.Now(), Service: service, Method: r.Method, Path: "/" + path, Query: r.URL.RawQuery, Body: string(body)}
	c.mu.Lock()
	s := c.tokens[r.Header.Get("X-Auth-Token")]
	c.mu.Unlock()
	if s != nil {
		request.Project = s.project.ID
	}
	fault := c.log.fault(request)
	select {
	case <-time.After(fault.Delay):
	case <-r.Context().Done():
	}
	answer := httptest.NewRecorder()
	switch {
	case fault.Reset:
	case fault.Status != 0:
		for name, values := range fault.Header {
			answer.Header()[name] = values
		}
		if fault.Body != "" {
			answer.WriteHeader(fault.Status)
			io.WriteString(answer, fault.Body)
		} else {
			writeError(answer, service, &apiError{fault.Status, http.StatusText(fault.Status), http.StatusText(fault.Status)})
		}
	default:
		call := &call{Cloud: c, session: s, r: r, base: "http://" + r.Host, body: body, fault: fault}
		call.perform(answer, service)
	}
	if !fault.Reset && !fault.Lose {
		request.Status = answer.Code
	}
	c.log.add(request)
	if request.Status == 0 {
		reset(w)
		return
	}
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.Code)
	w.Write(answer.Body.Bytes())
}

// perform authenticates a call and serves its route.
func (c *call) perform(answer *httptest.ResponseRecorder, service string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.settle()
	route, pattern := c.mux.Handler(c.r)
	served, ok := route.(handle)
	switch {
	case !ok && pattern != "": // the router's own redirection
		route.ServeHTTP(answer, c.r)
	case !ok:
		writeError(answer, service, &apiError{http.StatusNotFound, "HTTPNotFound", "The resource could not be found."})
	case c.session == nil && !isPublic(pattern):
		answer.Header().Set("Www-Authenticate", `Keystone uri="`+c.base+`/identity/v3"`)
		writeError(answer, service, &apiError{http.StatusUnauthorized, "", "The request you have made requires authentication."})
	default:
		c.mux.ServeHTTP(nil, c.r) // sets the values of the path
		answer.Header().Set("Content-Type", "application/json")
		answer.Header().Set("X-Openstack-Request-Id", "req-"+newID())
		if err := c.microversion(service, answer.Header()); err != nil {
			writeError(answer, service, err)
			return
		}
		status, body, err := served(c)
		if err != nil {
			writeError(answer, service, err)
			return
		}
		c.header(answer.Header(), body)
		answer.WriteHeader(status)
		if body != nil {
			json.NewEncoder(answer).Encode(body)
		}
	}
}

// ServeHTTP does nothing: the router calls it to set the values of the path.
func (handle) ServeHTTP(http.ResponseWriter, *http.Request) {}

// header moves the ID of a new token to its header.
func (c *call) header(h http.Header, body any) {
	if t, ok := body.(tokenAnswer); ok {
		h.Set("X-Subject-Token", t.id)
	}
}

// isPublic reports whether a route needs no token: that for tokens and those for versions.
func isPublic(pattern string) bool {
	return pattern == "POST /identity/v3/auth/tokens" || strings.HasSuffix(pattern, "/{$}")
}

// reset closes a connection so that the client sees a reset.
func reset(w http.ResponseWriter) {
	hijacker, ok := w.(http.Hijacker)
	if !ok {
		panic(http.ErrAbortHandler)
	}
	conn, _, err := hijacker.Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		tcp.SetLinger(0)
	}
	conn.Close()
}

// faultNames are nova's names of errors.
var faultNames = map[int]string{
	http.StatusBadRequest: "badRequest", http.StatusUnauthorized: "error", http.StatusForbidden: "forbidden",
	http.StatusNotFound: "itemNotFound", http.StatusConflict: "conflictingRequest",
}

// writeError writes an error in the form of a service.
func writeError(w *httptest.ResponseRecorder, service string, err error) {
	var e *apiError
	if !errors.As(err, &e) {
		e = &apiError{http.StatusBadRequest, "HTTPBadRequest", err.Error()}
	}
	title := http.StatusText(e.status)
	coded := map[string]any{"code": e.status, "message": e.message}
	var body any
	switch {
	case service == ImageAPI:
		w.Header().Set("Content-Type", "application/json; charset=UTF-8")
		w.WriteHeader(e.status)
		fmt.Fprintf(w, `{"message": "%s<br /><br />\n\n\n", "code": "%d %s", "title": "%s"}`, e.message, e.status, title, title)
		return
	case service == Identity, e.status == http.StatusUnauthorized:
		coded["title"] = title
		body = map[string]any{"error": coded}
	case service == NetworkAPI:
		body = map[string]any{"NeutronError": map[string]any{"type": e.kind, "message": e.message, "detail": ""}}
	case service == LoadBalancing:
		body = map[string]any{"faultcode": "Client", "faultstring": e.message, "debuginfo": nil}
	default:
		name := faultNames[e.status]
		if name == "" {
			name = "computeFault"
		}
		body = map[string]any{name: coded}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(e.status)
	json.NewEncoder(w).Encode(body)
}

// decode reads the request's body, an object with one named member, into a resource.
func (c *call) decode(name string, into any) error {
	var envelope map[string]json.RawMessage
	if err := json.Unmarshal(c.body, &envelope); err != nil {
		return fail(http.StatusBadRequest, "HTTPBadRequest", "The request body is not an object: %v", err)
	}
	if err := json.Unmarshal(envelope[name], into); err != nil {
		return fail(http.StatusBadRequest, "HTTPBadRequest", "Unable to find '%s' in request body", name)
	}
	return nil
}

func (c *call) path(name string) string { return c.r.PathValue(name) }
