package cloud

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// ServeHTTP serves these requests below /v1:
//
//	GET    /zones
//	PUT    /servers/{token}         creates a server, or changes its tags
//	GET    /servers/{token}
//	DELETE /servers/{token}         202 during the deletion, then 404
//	…      /loadbalancers/{token}   likewise
//
// If the cloud has a token, requests need the header "Authorization: Bearer <token>".
func (c *Cloud) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	path, found := strings.CutPrefix(req.URL.Path, "/v1/")
	kind, token, _ := strings.Cut(path, "/")
	c.mu.Lock()
	if c.calls == nil {
		c.calls, c.resources = map[string]int{}, map[string]*cloudResource{}
	}
	c.calls[req.Method+" "+kind]++
	delay, fails := c.delay, c.failures > 0
	if fails {
		c.failures--
	}
	status := c.failsWith
	c.mu.Unlock()
	select {
	case <-time.After(delay):
	case <-req.Context().Done():
		return
	}
	if fails {
		answer(w, status, problem{"the cloud is not well"})
		return
	}
	switch {
	case c.Token != "" && req.Header.Get("Authorization") != "Bearer "+c.Token:
		answer(w, http.StatusUnauthorized, problem{"the token is not valid"})
	case found && kind == "zones" && req.Method == http.MethodGet:
		answer(w, http.StatusOK, zones)
	case found && (kind == "servers" || kind == "loadbalancers") && token != "":
		c.serveResource(w, req, kind, token)
	default:
		answer(w, http.StatusNotFound, problem{"there is no " + req.URL.Path})
	}
}

// problem is the body of an error response.
type problem struct {
	Message string `json:"message"`
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// An error here means that the client has closed the connection.
	_ = json.NewEncoder(w).Encode(body)
}

func (c *Cloud) serveResource(w http.ResponseWriter, req *http.Request, kind, token string) {
	var wanted ServerRequest
	if req.Method == http.MethodPut {
		if err := json.NewDecoder(http.MaxBytesReader(w, req.Body, 1<<20)).Decode(&wanted); err != nil {
			answer(w, http.StatusBadRequest, problem{err.Error()})
			return
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.resources[kind+"/"+token]
	exists := t != nil && c.state(t) != deletedState
	switch {
	case req.Method == http.MethodPut && !exists:
		status, made, fault := c.create(kind, token, wanted)
		if fault != "" {
			answer(w, status, problem{fault})
			return
		}
		t = made
	case !exists:
		answer(w, http.StatusNotFound, problem{fmt.Sprintf("no %s %s", kind, token)})
		return
	case req.Method == http.MethodPut && !t.deleted.IsZero():
		answer(w, http.StatusConflict, problem{fmt.Sprintf("%s %s is being deleted", kind, token)})
		return
	case req.Method == http.MethodPut:
		t.tags = wanted.Tags
	case req.Method == http.MethodDelete && t.deleted.IsZero():
		t.deleted = time.Now()
		c.changes = append(c.changes, "delete "+kind+" "+token)
	}
	status := http.StatusOK
	if req.Method == http.MethodDelete {
		status = http.StatusAccepted
	}
	if kind == "servers" {
		answer(w, status, c.server(t))
		return
	}
	answer(w, status, c.loadBalancer(t))
}

// create creates a resource, or returns the fault of the request. The caller holds
// the lock.
func (c *Cloud) create(kind, token string, wanted ServerRequest) (status int, made *cloudResource, fault string) {
	if kind == "servers" && !slices.Contains(sizes[:], wanted.Size) {
		return http.StatusUnprocessableEntity, nil, fmt.Sprintf("there are no servers of size %q", wanted.Size)
	}
	if wanted.Zone == "" {
		wanted.Zone = zones[c.created%len(zones)]
	}
	if !slices.Contains(zones[:], wanted.Zone) {
		return http.StatusUnprocessableEntity, nil, fmt.Sprintf("there is no zone %q", wanted.Zone)
	}
	c.created++
	c.changes = append(c.changes, "create "+kind+" "+token)
	made = &cloudResource{
		kind: kind, token: token, number: c.FirstNumber + c.created, size: wanted.Size, zone: wanted.Zone,
		tags: wanted.Tags, created: time.Now(),
	}
	c.resources[kind+"/"+token] = made
	return 0, made, ""
}
