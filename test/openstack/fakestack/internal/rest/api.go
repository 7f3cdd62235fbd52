// Package rest has what all services of the fake share. It serves requests, applies faults, and holds
// accounts. It also has the tables, routes, tags, filters and quotas of resources.
package rest

import (
	"net/http"
	"slices"
	"sync"
	"time"
)

// Region is the only region.
const Region = "RegionOne"

// An API serves the requests to all services. Its lock is held while one is performed.
type API struct {
	mux     *http.ServeMux
	prepare map[string]func(*Call) error // by service
	log     requests

	sync.Mutex // guards what follows, and the resources of all services
	users      []*User
	projects   []*Project
	tokens     map[string]*Session
	later      []transition
}

// New returns an API without routes. It has the user admin and its project admin. The password is
// admin.
func New() *API {
	a := &API{mux: http.NewServeMux(), prepare: map[string]func(*Call) error{}, tokens: map[string]*Session{}}
	a.AddAccount("admin", "admin", "admin")
	a.users[0].Admin = true
	return a
}

// Handle adds a route. The pattern is one of net/http.
func (a *API) Handle(pattern string, serve Handle) { a.mux.Handle(pattern, serve) }

// Prepare lets a function precede each request to a service.
func (a *API) Prepare(service string, f func(*Call) error) { a.prepare[service] = f }

// Link returns a link in the form that all services use.
func Link(rel, url string) any { return map[string]any{"rel": rel, "href": url} }

// A transition is a change that happens later, such as a server that becomes ACTIVE.
type transition struct {
	at     time.Time
	change func()
}

// After lets a change happen after a time. Requests see it from then on.
func (a *API) After(d time.Duration, change func()) {
	a.later = append(a.later, transition{time.Now().Add(d), change})
}

// Settle makes the changes that are due.
func (a *API) Settle() {
	for now := time.Now(); ; {
		i := slices.IndexFunc(a.later, func(t transition) bool { return !t.at.After(now) })
		if i < 0 {
			return
		}
		change := a.later[i].change
		a.later = slices.Delete(a.later, i, i+1)
		change()
	}
}
