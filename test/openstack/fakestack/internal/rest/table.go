package rest

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"slices"
	"time"
)

// Meta is what every resource has.
type Meta struct {
	ID      string `json:"id"`
	Project string `json:"project_id"`
	Tenant  string `json:"tenant_id"`
}

// Identify returns the identity.
func (m *Meta) Identify() *Meta { return m }

// Labels are what most resources also have. Names are not unique.
type Labels struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Tags        []string `json:"tags"`
}

// Tagged returns the tags, to read and to change.
func (l *Labels) Tagged() *[]string { return &l.Tags }

// Now returns the time as the services write it.
func Now() string { return time.Now().UTC().Format("2006-01-02T15:04:05Z") }

// A Resource is what a table has.
type Resource interface{ Identify() *Meta }

// A Table has the resources of one kind, in the order in which they were created.
type Table[T Resource] []T

// Get returns the resource with an ID.
func (t Table[T]) Get(id string) (found T, ok bool) {
	for _, r := range t {
		if r.Identify().ID == id {
			return r, true
		}
	}
	return found, false
}

// Remove removes the resource with an ID.
func (t *Table[T]) Remove(id string) {
	*t = slices.DeleteFunc(*t, func(r T) bool { return r.Identify().ID == id })
}

// Where returns the resources that a function selects.
func (t Table[T]) Where(selected func(T) bool) []T {
	var found []T
	for _, r := range t {
		if selected(r) {
			found = append(found, r)
		}
	}
	return found
}

// Count returns how many resources of a project there are.
func (t Table[T]) Count(project string) int {
	return len(t.Where(func(r T) bool { return r.Identify().Project == project }))
}

// NewMeta returns the identity of a new resource.
func NewMeta(project string) Meta { return Meta{NewID(), project, project} }

// NewID returns a random UUID.
func NewID() string {
	h := NewHex()
	return fmt.Sprintf("%s-%s-4%s-8%s-%s", h[:8], h[8:12], h[13:16], h[17:20], h[20:])
}

// NewHex returns 32 hexadecimal digits: keystone's form of IDs.
func NewHex() string {
	b := make([]byte, 16)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// List adds the names and IDs of the resources of a project to those of all kinds.
func List[T Resource](all map[string][]string, kind, project string, t Table[T], name func(T) string) {
	for _, r := range t {
		if r.Identify().Project == project {
			all[kind] = append(all[kind], name(r)+" "+r.Identify().ID)
		}
	}
}
