package calls

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack/identity/v3/applicationcredentials"
	"github.com/gophercloud/gophercloud/v2/openstack/image/v2/images"
)

const unauthorized = "401 error: The request you have made requires authentication."

// login authenticates, with options that differ from those of the run.
func login(change func(*gophercloud.AuthOptions)) func(context.Context, *Run) (string, error) {
	return func(ctx context.Context, r *Run) (string, error) {
		o := r.Auth
		change(&o)
		_, err := Login(ctx, o, r.transport)
		return "a token", err
	}
}

var identityCalls = []Call{
	{"a password", login(func(*gophercloud.AuthOptions) {}), "a token"},
	{"a wrong password", login(func(o *gophercloud.AuthOptions) { o.Password += "x" }), unauthorized},
	{"an unknown project", login(func(o *gophercloud.AuthOptions) { o.TenantName = "nowhere" }), unauthorized},
	{"a project of others", login(func(o *gophercloud.AuthOptions) { o.TenantName = "admin" }), unauthorized},
	{"an invalid token", func(ctx context.Context, r *Run) (string, error) {
		client := *r.Compute
		client.ProviderClient = &gophercloud.ProviderClient{TokenID: "x", HTTPClient: http.Client{Transport: r.transport}}
		_, err := client.Get(ctx, client.ServiceURL("flavors"), nil, nil)
		return "an answer", err
	}, unauthorized},
	{"an application credential", func(ctx context.Context, r *Run) (string, error) {
		made, err := applicationcredentials.Create(ctx, r.Identity, r.User, applicationcredentials.CreateOpts{Name: "robot"}).Extract()
		if err != nil {
			return "", err
		}
		_, err = Login(ctx, gophercloud.AuthOptions{IdentityEndpoint: r.Auth.IdentityEndpoint, ApplicationCredentialID: made.ID, ApplicationCredentialSecret: made.Secret}, r.transport)
		if err != nil {
			return "", err
		}
		_, err = Login(ctx, gophercloud.AuthOptions{IdentityEndpoint: r.Auth.IdentityEndpoint, ApplicationCredentialID: made.ID, ApplicationCredentialSecret: "x"}, r.transport)
		return made.Name, err
	}, unauthorized},
	{"an image by name and tag", findImages(images.ListOpts{Name: ImageName, Tags: []string{"kubernetes"}}), "active public ubuntu [kubernetes]"},
	{"an image without the tag", findImages(images.ListOpts{Name: ImageName, Tags: []string{"kubernetes", "other"}}), ""},
	{"an image", func(ctx context.Context, r *Run) (string, error) {
		i, err := images.Get(ctx, r.Image, r.Admin.Image).Extract()
		if err != nil {
			return "", err
		}
		return fmt.Sprint(i.Status, " ", i.DiskFormat, " ", i.MinDiskGigabytes), nil
	}, "active raw 0"},
	{"an unknown image", func(ctx context.Context, r *Run) (string, error) {
		_, err := images.Get(ctx, r.Image, unknown).Extract()
		return "", err
	}, `404 {"message": "No image found with ID ID<br /><br />\n\n\n", "code": "404 Not Found", "title": "Not Found"}`},
}

func findImages(o images.ListOpts) func(context.Context, *Run) (string, error) {
	return func(ctx context.Context, r *Run) (string, error) {
		pages, err := images.List(r.Image, o).AllPages(ctx)
		if err != nil {
			return "", err
		}
		found, err := images.ExtractImages(pages)
		all := map[string]bool{}
		for _, i := range found {
			all[fmt.Sprint(i.Status, " ", i.Visibility, " ", i.Name, " ", i.Tags)] = true
		}
		return join(slices.Sorted(maps.Keys(all))), err
	}
}
