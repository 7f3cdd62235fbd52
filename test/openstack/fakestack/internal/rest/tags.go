package rest

import (
	"net/http"
	"slices"
)

// RouteTags adds the routes of the tags of a resource.
func RouteTags(a *API, path string, find func(*Call) (*[]string, error), missing func(tag string) error) {
	path += "/{id}/tags"
	a.Handle("GET "+path, func(c *Call) (int, any, error) {
		tags, err := find(c)
		if err != nil {
			return 0, nil, err
		}
		return http.StatusOK, map[string]any{"tags": *tags}, nil
	})
	a.Handle("PUT "+path, func(c *Call) (int, any, error) {
		tags, err := find(c)
		if err == nil {
			err = c.Decode("tags", tags)
		}
		if err != nil {
			return 0, nil, err
		}
		return http.StatusOK, map[string]any{"tags": *tags}, nil
	})
	a.Handle("DELETE "+path, func(c *Call) (int, any, error) {
		tags, err := find(c)
		if err == nil {
			*tags = []string{}
		}
		return http.StatusNoContent, nil, err
	})
	one := func(c *Call) (*[]string, int, error) {
		tags, err := find(c)
		if err != nil {
			return nil, 0, err
		}
		return tags, slices.Index(*tags, c.Path("tag")), nil
	}
	path += "/{tag}"
	a.Handle("GET "+path, func(c *Call) (int, any, error) {
		_, i, err := one(c)
		if err == nil && i < 0 {
			err = missing(c.Path("tag"))
		}
		return http.StatusNoContent, nil, err
	})
	a.Handle("PUT "+path, func(c *Call) (int, any, error) {
		tags, i, err := one(c)
		if err == nil && i < 0 {
			*tags = append(*tags, c.Path("tag"))
		}
		return http.StatusCreated, nil, err
	})
	a.Handle("DELETE "+path, func(c *Call) (int, any, error) {
		tags, i, err := one(c)
		if err == nil && i < 0 {
			err = missing(c.Path("tag"))
		}
		if err == nil {
			*tags = slices.Delete(*tags, i, i+1)
		}
		return http.StatusNoContent, nil, err
	})
}
