package fakestack

import (
	"encoding/json"
	"net/http"
	"slices"
)

// An Image is an image of glance.
type Image struct {
	ID         string   `json:"id"`
	Name       string   `json:"name"`
	Owner      string   `json:"owner"`
	Tags       []string `json:"tags"`
	Status     string   `json:"status"`
	Visibility string   `json:"visibility"`
	Container  string   `json:"container_format"`
	Disk       string   `json:"disk_format"`
	MinDisk    int      `json:"min_disk"`
	MinRAM     int      `json:"min_ram"`
	Size       *int     `json:"size"`
	Protected  bool     `json:"protected"`
	Created    string   `json:"created_at"`
	Updated    string   `json:"updated_at"`
	Self       string   `json:"self"`
	File       string   `json:"file"`
	Schema     string   `json:"schema"`
}

func (i *Image) self() *meta     { return &meta{ID: i.ID, Project: i.Owner} }
func (i *Image) tags() *[]string { return &i.Tags }

func (i *Image) isVisible(c *call) bool {
	return i.Visibility == "public" || i.Owner == c.project.ID || c.user.admin
}

func (c *Cloud) routeImages() {
	c.mux.Handle("GET /image/{$}", handle(func(c *call) (int, any, error) {
		return http.StatusMultipleChoices, map[string]any{"versions": []any{map[string]any{"id": "v2.15", "status": "CURRENT", "links": []any{link("self", c.base+"/image/v2/")}}}}, nil
	}))
	c.mux.Handle("GET /image/v2/images", handle(listImages))
	c.mux.Handle("POST /image/v2/images", handle(createImage))
	one := func(serve func(*call, *Image) (int, any, error)) handle {
		return func(c *call) (int, any, error) {
			i, ok := c.images.get(c.path("id"))
			if !ok || !i.isVisible(c) {
				return 0, nil, fail(http.StatusNotFound, "", "No image found with ID %s", c.path("id"))
			}
			return serve(c, i)
		}
	}
	c.mux.Handle("GET /image/v2/images/{id}", one(func(_ *call, i *Image) (int, any, error) { return http.StatusOK, i, nil }))
	c.mux.Handle("PUT /image/v2/images/{id}/file", one(func(c *call, i *Image) (int, any, error) {
		size := len(c.body)
		i.Size, i.Status = &size, "active"
		return http.StatusNoContent, nil, nil
	}))
	c.mux.Handle("DELETE /image/v2/images/{id}", one(func(c *call, i *Image) (int, any, error) {
		c.images.remove(i.ID)
		return http.StatusNoContent, nil, nil
	}))
}

func listImages(c *call) (int, any, error) {
	q := c.r.URL.Query()
	wanted := q["tag"] // an image must have all of them
	q.Del("tag")
	found := []*Image{}
	for _, i := range slices.Backward(c.images) { // the newest first
		ok, unknown := matches(fieldsOf(i), q)
		lacks := slices.ContainsFunc(wanted, func(t string) bool { return !slices.Contains(i.Tags, t) })
		if i.isVisible(c) && ok && unknown == "" && !lacks {
			found = append(found, i)
		}
	}
	return http.StatusOK, map[string]any{"images": page(found, q), "first": "/v2/images", "schema": "/v2/schemas/images"}, nil
}

func createImage(c *call) (int, any, error) {
	i := &Image{Tags: []string{}, Visibility: "shared"}
	if err := json.Unmarshal(c.body, i); err != nil {
		return 0, nil, fail(http.StatusBadRequest, "", "The request body is not an object: %v", err)
	}
	if i.Visibility == "public" && !c.user.admin {
		return 0, nil, fail(http.StatusForbidden, "", "You are not authorized to complete publicize_image action.")
	}
	i.ID, i.Owner, i.Status, i.Created, i.Updated = newID(), c.project.ID, "queued", now(), now()
	i.Self = "/v2/images/" + i.ID
	i.File, i.Schema = i.Self+"/file", "/v2/schemas/image"
	c.images = append(c.images, i)
	return http.StatusCreated, i, nil
}
