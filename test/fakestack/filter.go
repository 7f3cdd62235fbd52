package fakestack

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// tagged is a resource with tags.
type tagged interface{ tags() *[]string }

// fieldsOf returns the fields of a resource as clients see them.
func fieldsOf(view any) map[string]any {
	data, err := json.Marshal(view)
	if err != nil {
		panic(err) // a resource that is no JSON
	}
	fields := map[string]any{}
	if err := json.Unmarshal(data, &fields); err != nil {
		panic(err)
	}
	return fields
}

// tagsMatch applies the filters tags, tags-any, not-tags and not-tags-any.
func tagsMatch(has []string, q url.Values) bool {
	count := func(key string) (found, of int) {
		if !q.Has(key) {
			return 0, 0
		}
		wanted := strings.Split(q.Get(key), ",")
		for _, tag := range wanted {
			if slices.Contains(has, tag) {
				found++
			}
		}
		return found, len(wanted)
	}
	all, ofAll := count("tags")
	some, ofSome := count("tags-any")
	not, ofNot := count("not-tags")
	none, _ := count("not-tags-any")
	return all == ofAll && (ofSome == 0 || some > 0) && (ofNot == 0 || not < ofNot) && none == 0
}

// controls are the parameters of lists that are no fields of the resources.
var controls = []string{"tags", "tags-any", "not-tags", "not-tags-any", "fields", "limit", "marker", "sort_key", "sort_dir", "page_reverse"}

// matches reports whether a resource has the fields that a list of neutron or octavia requests.
// unknown is a parameter that is no field.
func matches(fields map[string]any, q url.Values) (ok bool, unknown string) {
	for key, wanted := range q {
		if slices.Contains(controls, key) {
			continue
		}
		have, known := fields[key]
		if kind, isID := strings.CutSuffix(key, "_id"); isID && !known {
			// octavia: the ID of one of the resources that this one names
			key, known = "id", fields[kind+"s"] != nil
			have = fields[kind+"s"]
			wanted = []string{"id=" + wanted[0]}
		}
		if !known {
			return false, key
		}
		if !slices.ContainsFunc(wanted, func(w string) bool { return holds(have, w) }) {
			return false, ""
		}
	}
	return true, ""
}

// holds reports whether a field has a value. A value of an object's field is KEY=VALUE.
func holds(have any, wanted string) bool {
	switch have := have.(type) {
	case []any:
		return slices.ContainsFunc(have, func(item any) bool { return holds(item, wanted) })
	case map[string]any:
		key, value, _ := strings.Cut(wanted, "=")
		return have[key] != nil && holds(have[key], value)
	case bool:
		b, err := strconv.ParseBool(wanted)
		return err == nil && b == have
	case nil:
		return wanted == ""
	}
	return fmt.Sprint(have) == wanted
}

// page returns the resources after the marker, up to the limit.
func page[T resource](all []T, q url.Values) []T {
	if i := slices.IndexFunc(all, func(r T) bool { return r.self().ID == q.Get("marker") }); i >= 0 {
		all = all[i+1:]
	}
	if n, err := strconv.Atoi(q.Get("limit")); err == nil && n > 0 && n < len(all) {
		all = all[:n]
	}
	return all
}

// A kind serves the resources of one kind of neutron or octavia.
type kind[T resource] struct {
	path      string // of the list, such as /network/v2.0/ports
	one, many string // the names of the resource in bodies
	title     string // in errors, such as Port
	table     *table[T]
	create    func(*call) (T, error)
	update    func(*call, T) error   // after the change of its fields; nil means always possible
	change    func(*call, T) error   // before the change of its fields; nil means always possible
	remove    func(*call, T) error   // whether it can be removed, and what goes with it
	view      func(*Cloud, T) any    // what clients see; nil means the resource itself
	visible   func(*call, T) bool    // also to other projects; nil means only to its own
	missing   func(id string) error  // the error if it does not exist
	unknown   func(key string) error // the error for a parameter that is no field
	lister    func(*call, []any) any // the body of a list; nil means only the resources
}

func (k kind[T]) find(c *call) (T, error) {
	r, ok := k.table.get(c.path("id"))
	if !ok || !k.sees(c, r) {
		return r, k.missing(c.path("id"))
	}
	return r, nil
}

func (k kind[T]) sees(c *call, r T) bool {
	return c.user.admin || r.self().Project == c.project.ID || k.visible != nil && k.visible(c, r)
}

func (k kind[T]) show(c *call, r T) any {
	if k.view == nil {
		return r
	}
	return k.view(c.Cloud, r)
}

// list returns the resources that the query selects.
func (k kind[T]) list(c *call) ([]any, error) {
	q := c.r.URL.Query()
	views := []any{}
	var found []T
	for _, r := range *k.table {
		if !k.sees(c, r) {
			continue
		}
		ok, unknown := matches(fieldsOf(k.show(c, r)), q)
		if unknown != "" {
			return nil, k.unknown(unknown)
		}
		if t, has := any(r).(tagged); ok && (!has || tagsMatch(*t.tags(), q)) {
			found = append(found, r)
		}
	}
	for _, r := range page(found, q) {
		views = append(views, k.show(c, r))
	}
	return views, nil
}

// edit changes the fields of a resource that the request names. It keeps its identity.
func (k kind[T]) edit(c *call, r T) error {
	if k.change != nil {
		if err := k.change(c, r); err != nil {
			return err
		}
	}
	kept := *r.self()
	err := c.decode(k.one, r)
	*r.self() = kept
	if err == nil && k.update != nil {
		err = k.update(c, r)
	}
	return err
}

// route adds the routes of a kind.
func route[T resource](c *Cloud, k kind[T]) {
	body := func(c *call, r T) any { return map[string]any{k.one: k.show(c, r)} }
	c.mux.Handle("GET "+k.path, handle(func(c *call) (int, any, error) {
		views, err := k.list(c)
		if k.lister != nil {
			return http.StatusOK, k.lister(c, views), err
		}
		return http.StatusOK, map[string]any{k.many: views}, err
	}))
	c.mux.Handle("POST "+k.path, handle(func(c *call) (int, any, error) {
		if views, err := k.bulk(c); views != nil || err != nil {
			return http.StatusCreated, map[string]any{k.many: views}, err
		}
		r, err := k.create(c)
		if err != nil {
			return 0, nil, err
		}
		*k.table = append(*k.table, r)
		return http.StatusCreated, body(c, r), nil
	}))
	c.mux.Handle("GET "+k.path+"/{id}", handle(func(c *call) (int, any, error) {
		r, err := k.find(c)
		if err != nil {
			return 0, nil, err
		}
		return http.StatusOK, body(c, r), nil
	}))
	c.mux.Handle("PUT "+k.path+"/{id}", handle(func(c *call) (int, any, error) {
		r, err := k.find(c)
		if err == nil {
			err = k.edit(c, r)
		}
		if err != nil {
			return 0, nil, err
		}
		return http.StatusOK, body(c, r), nil
	}))
	c.mux.Handle("DELETE "+k.path+"/{id}", handle(func(c *call) (int, any, error) {
		r, err := k.find(c)
		if err == nil {
			err = k.remove(c, r)
		}
		return http.StatusNoContent, nil, err
	}))
}

// bulk creates all resources of a request for several, which neutron allows: all or none. It returns
// nil for a request for one resource.
func (k kind[T]) bulk(c *call) (views []any, err error) {
	var several map[string][]json.RawMessage
	if json.Unmarshal(c.body, &several) != nil || several[k.many] == nil {
		return nil, nil
	}
	before := len(*k.table)
	for _, one := range several[k.many] {
		c.body = fmt.Appendf(nil, `{%q: %s}`, k.one, one)
		r, err := k.create(c)
		if err != nil {
			*k.table = (*k.table)[:before]
			return nil, err
		}
		*k.table = append(*k.table, r)
		views = append(views, k.show(c, r))
	}
	return views, nil
}
