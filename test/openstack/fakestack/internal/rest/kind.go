package rest

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// A Kind serves the resources of one kind of neutron or octavia.
type Kind[T Resource] struct {
	Path      string // of the list, such as /network/v2.0/ports
	One, Many string // the names of the resource in bodies
	Title     string // in errors, such as Port
	Table     *Table[T]
	Create    func(*Call) (T, error)
	Update    func(*Call, T) error   // after the change of its fields; nil means always possible
	Change    func(*Call, T) error   // before the change of its fields; nil means always possible
	Remove    func(*Call, T) error   // whether it can be removed, and what goes with it
	View      func(T) any            // what clients see; nil means the resource itself
	Visible   func(*Call, T) bool    // also to other projects; nil means only to its own
	Missing   func(id string) error  // the error if it does not exist
	Unknown   func(key string) error // the error for a parameter that is no field
	Lister    func(*Call, []any) any // the body of a list; nil means only the resources
}

func (k Kind[T]) find(c *Call) (T, error) {
	r, ok := k.Table.Get(c.Path("id"))
	if !ok || !k.Sees(c, r) {
		return r, k.Missing(c.Path("id"))
	}
	return r, nil
}

// Sees reports whether a call may read a resource.
func (k Kind[T]) Sees(c *Call, r T) bool {
	return c.User.Admin || r.Identify().Project == c.Project.ID || k.Visible != nil && k.Visible(c, r)
}

func (k Kind[T]) show(r T) any {
	if k.View == nil {
		return r
	}
	return k.View(r)
}

// list returns the resources that the query selects.
func (k Kind[T]) list(c *Call) ([]any, error) {
	q := c.Request.URL.Query()
	views := []any{}
	var found []T
	for _, r := range *k.Table {
		if !k.Sees(c, r) {
			continue
		}
		ok, unknown := Matches(FieldsOf(k.show(r)), q)
		if unknown != "" {
			return nil, k.Unknown(unknown)
		}
		if t, has := any(r).(Tagged); ok && (!has || TagsMatch(*t.Tagged(), q)) {
			found = append(found, r)
		}
	}
	for _, r := range Page(found, q) {
		views = append(views, k.show(r))
	}
	return views, nil
}

// edit changes the fields of a resource that the request names. It keeps its identity.
func (k Kind[T]) edit(c *Call, r T) error {
	if k.Change != nil {
		if err := k.Change(c, r); err != nil {
			return err
		}
	}
	kept := *r.Identify()
	err := c.Decode(k.One, r)
	*r.Identify() = kept
	if err == nil && k.Update != nil {
		err = k.Update(c, r)
	}
	return err
}

// Route adds the routes of a kind.
func Route[T Resource](a *API, k Kind[T]) {
	body := func(r T) any { return map[string]any{k.One: k.show(r)} }
	a.Handle("GET "+k.Path, func(c *Call) (int, any, error) {
		views, err := k.list(c)
		if k.Lister != nil {
			return http.StatusOK, k.Lister(c, views), err
		}
		return http.StatusOK, map[string]any{k.Many: views}, err
	})
	a.Handle("POST "+k.Path, func(c *Call) (int, any, error) {
		if views, err := k.bulk(c); views != nil || err != nil {
			return http.StatusCreated, map[string]any{k.Many: views}, err
		}
		r, err := k.Create(c)
		if err != nil {
			return 0, nil, err
		}
		*k.Table = append(*k.Table, r)
		return http.StatusCreated, body(r), nil
	})
	a.Handle("GET "+k.Path+"/{id}", func(c *Call) (int, any, error) {
		r, err := k.find(c)
		if err != nil {
			return 0, nil, err
		}
		return http.StatusOK, body(r), nil
	})
	a.Handle("PUT "+k.Path+"/{id}", func(c *Call) (int, any, error) {
		r, err := k.find(c)
		if err == nil {
			err = k.edit(c, r)
		}
		if err != nil {
			return 0, nil, err
		}
		return http.StatusOK, body(r), nil
	})
	a.Handle("DELETE "+k.Path+"/{id}", func(c *Call) (int, any, error) {
		r, err := k.find(c)
		if err == nil {
			err = k.Remove(c, r)
		}
		return http.StatusNoContent, nil, err
	})
}

// bulk creates all resources of a request for several, which neutron allows: all or none. It returns
// nil for a request for one resource.
func (k Kind[T]) bulk(c *Call) (views []any, err error) {
	var several map[string][]json.RawMessage
	if json.Unmarshal(c.Body, &several) != nil || several[k.Many] == nil {
		return nil, nil
	}
	before := len(*k.Table)
	for _, one := range several[k.Many] {
		c.Body = fmt.Appendf(nil, `{%q: %s}`, k.One, one)
		r, err := k.Create(c)
		if err != nil {
			*k.Table = (*k.Table)[:before]
			return nil, err
		}
		*k.Table = append(*k.Table, r)
		views = append(views, k.show(r))
	}
	return views, nil
}
