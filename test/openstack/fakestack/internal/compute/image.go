package compute

import (
	"encoding/json"
	"net/http"
	"slices"

	"kstatus.dev/test/openstack/fakestack/internal/rest"
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

func (i *Image) Identify() *rest.Meta { return &rest.Meta{ID: i.ID, Project: i.Owner} }
func (i *Image) Tagged() *[]string    { return &i.Tags }

func (i *Image) isVisible(c *rest.Call) bool {
	return i.Visibility == "public" || i.Owner == c.Project.ID || c.User.Admin
}

func (sv *Service) routeImages() {
	sv.api.Handle("GET /image/{$}", func(c *rest.Call) (int, any, error) {
		return http.StatusMultipleChoices, map[string]any{"versions": []any{map[string]any{"id": "v2.15", "status": "CURRENT", "links": []any{rest.Link("self", c.Base+"/image/v2/")}}}}, nil
	})
	sv.api.Handle("GET /image/v2/images", sv.listImages)
	sv.api.Handle("POST /image/v2/images", sv.createImage)
	one := func(serve func(*rest.Call, *Image) (int, any, error)) rest.Handle {
		return func(c *rest.Call) (int, any, error) {
			i, ok := sv.images.Get(c.Path("id"))
			if !ok || !i.isVisible(c) {
				return 0, nil, rest.Fail(http.StatusNotFound, "", "No image found with ID %s", c.Path("id"))
			}
			return serve(c, i)
		}
	}
	sv.api.Handle("GET /image/v2/images/{id}", one(func(_ *rest.Call, i *Image) (int, any, error) { return http.StatusOK, i, nil }))
	sv.api.Handle("PUT /image/v2/images/{id}/file", one(func(c *rest.Call, i *Image) (int, any, error) {
		size := len(c.Body)
		i.Size, i.Status = &size, "active"
		return http.StatusNoContent, nil, nil
	}))
	sv.api.Handle("DELETE /image/v2/images/{id}", one(func(c *rest.Call, i *Image) (int, any, error) {
		sv.images.Remove(i.ID)
		return http.StatusNoContent, nil, nil
	}))
}

func (sv *Service) listImages(c *rest.Call) (int, any, error) {
	q := c.Request.URL.Query()
	wanted := q["tag"] // an image must have all of them
	q.Del("tag")
	found := []*Image{}
	for _, i := range slices.Backward(sv.images) { // the newest first
		ok, unknown := rest.Matches(rest.FieldsOf(i), q)
		lacks := slices.ContainsFunc(wanted, func(t string) bool { return !slices.Contains(i.Tags, t) })
		if i.isVisible(c) && ok && unknown == "" && !lacks {
			found = append(found, i)
		}
	}
	return http.StatusOK, map[string]any{"images": rest.Page(found, q), "first": "/v2/images", "schema": "/v2/schemas/images"}, nil
}

func (sv *Service) createImage(c *rest.Call) (int, any, error) {
	i := &Image{Tags: []string{}, Visibility: "shared"}
	if err := json.Unmarshal(c.Body, i); err != nil {
		return 0, nil, rest.Fail(http.StatusBadRequest, "", "The request body is not an object: %v", err)
	}
	if i.Visibility == "public" && !c.User.Admin {
		return 0, nil, rest.Fail(http.StatusForbidden, "", "You are not authorized to complete publicize_image action.")
	}
	i.ID, i.Owner, i.Status, i.Created, i.Updated = rest.NewID(), c.Project.ID, "queued", rest.Now(), rest.Now()
	i.Self = "/v2/images/" + i.ID
	i.File, i.Schema = i.Self+"/file", "/v2/schemas/image"
	sv.images = append(sv.images, i)
	return http.StatusCreated, i, nil
}
