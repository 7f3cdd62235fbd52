package rest

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"
)

// A Call is one request while it is served. The lock of the API is held.
type Call struct {
	*Session // of the token; nil for requests without one
	Request  *http.Request
	Header   http.Header // of the answer
	Base     string      // of the URLs of all services
	Body     []byte
	Fault    Fault
	Minor    int // of nova's microversion 2.x
}

// A Handle serves a route. It returns the status and the body of the answer.
type Handle func(*Call) (int, any, error)

// ServeHTTP serves all services below the path of their name.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has gone
	}
	service, path, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	request := Request{Time: time.Now(), Service: service, Method: r.Method, Path: "/" + path, Query: r.URL.RawQuery, Body: string(body)}
	a.Lock()
	s := a.tokens[r.Header.Get("X-Auth-Token")]
	a.Unlock()
	if s != nil {
		request.Project = s.Project.ID
	}
	fault := a.log.fault(request)
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
		call := &Call{Session: s, Request: r, Header: answer.Header(), Base: "http://" + r.Host, Body: body, Fault: fault}
		a.perform(call, answer, service)
	}
	if !fault.Reset && !fault.Lose {
		request.Status = answer.Code
	}
	a.log.add(request)
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
func (a *API) perform(c *Call, answer *httptest.ResponseRecorder, service string) {
	a.Lock()
	defer a.Unlock()
	a.Settle()
	route, pattern := a.mux.Handler(c.Request)
	served, ok := route.(Handle)
	switch {
	case !ok && pattern != "": // the router's own redirection
		route.ServeHTTP(answer, c.Request)
	case !ok:
		writeError(answer, service, &apiError{http.StatusNotFound, "HTTPNotFound", "The resource could not be found."})
	case c.Session == nil && !isPublic(pattern):
		answer.Header().Set("Www-Authenticate", `Keystone uri="`+c.Base+`/identity/v3"`)
		writeError(answer, service, &apiError{http.StatusUnauthorized, "", "The request you have made requires authentication."})
	default:
		a.mux.ServeHTTP(nil, c.Request) // sets the values of the path
		answer.Header().Set("Content-Type", "application/json")
		answer.Header().Set("X-Openstack-Request-Id", "req-"+NewID())
		if prepare := a.prepare[service]; prepare != nil {
			if err := prepare(c); err != nil {
				writeError(answer, service, err)
				return
			}
		}
		status, body, err := served(c)
		if err != nil {
			writeError(answer, service, err)
			return
		}
		answer.WriteHeader(status)
		if body != nil {
			json.NewEncoder(answer).Encode(body)
		}
	}
}

// ServeHTTP does nothing: the router calls it to set the values of the path.
func (Handle) ServeHTTP(http.ResponseWriter, *http.Request) {}

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

// Decode reads the request's body, an object with one named member, into a resource.
func (c *Call) Decode(name string, into any) error {
	var envelope map[string]json.RawMessage
	if err := json.Unmarshal(c.Body, &envelope); err != nil {
		return Fail(http.StatusBadRequest, "HTTPBadRequest", "The request body is not an object: %v", err)
	}
	if err := json.Unmarshal(envelope[name], into); err != nil {
		return Fail(http.StatusBadRequest, "HTTPBadRequest", "Unable to find '%s' in request body", name)
	}
	return nil
}

// Path returns a value of the path, such as an ID.
func (c *Call) Path(name string) string { return c.Request.PathValue(name) }
