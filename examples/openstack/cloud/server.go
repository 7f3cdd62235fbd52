package cloud

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/keypairs"
	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/servers"
	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/tags"

	"kstatus.dev/openstack/classify"
)

// UserData is the bootstrap data of a machine. It is a secret.
type UserData []byte

// maxUserData is the limit of Nova, in base64.
const maxUserData = 65535

// Keys of the metadata of servers.
const (
	clusterKey = tagKey
	machineKey = "kstatus-machine"
)

// encode returns the data in base64, and compressed if it is too large otherwise. cloud-init recognizes
// compressed data.
func (d UserData) encode() ([]byte, error) {
	text := base64.StdEncoding.EncodeToString(d)
	if len(text) > maxUserData {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		if _, err := w.Write(d); err != nil {
			return nil, err
		}
		if err := w.Close(); err != nil {
			return nil, err
		}
		text = base64.StdEncoding.EncodeToString(packed.Bytes())
	}
	if len(text) > maxUserData {
		return nil, classify.Invalid(fmt.Sprintf("the bootstrap data has %d bytes when it is compressed and encoded, and a server can have %d", len(text), maxUserData))
	}
	return []byte(text), nil
}

// EnsureServer returns the server of a machine, and creates it if it does not exist. It returns servers
// in all states, also BUILD and ERROR: the caller classifies them.
func (c *Cloud) EnsureServer(ctx context.Context, o Owner, machine string, r Resolved, p []Port, data UserData) (*servers.Server, error) {
	s, err := c.FindServer(ctx, o, machine)
	if err != nil || s != nil {
		return s, err
	}
	name := o.ServerName(machine)
	encoded, err := data.encode()
	if err != nil {
		return nil, c.compute.Explain(err, "create the server %s", name)
	}
	opts := servers.CreateOpts{
		Name: name, ImageRef: r.Image, FlavorRef: r.Flavor, UserData: encoded, AvailabilityZone: r.Zone,
		Metadata: metadata(o, machine, r), Tags: serverTags(o, machine, r.Tags),
	}
	if r.ConfigDrive {
		opts.ConfigDrive = &r.ConfigDrive
	}
	var networks []servers.Network
	for _, port := range p {
		networks = append(networks, servers.Network{Port: port.ID})
	}
	opts.Networks = networks
	var hints servers.SchedulerHintOptsBuilder
	if r.ServerGroup != "" {
		hints = servers.SchedulerHintOpts{Group: r.ServerGroup}
	}
	created, err := servers.Create(ctx, c.compute.Client, keypairs.CreateOptsExt{CreateOptsBuilder: opts, KeyName: r.SSHKeyName}, hints).Extract()
	if err != nil {
		return nil, c.compute.Explain(err, "create the server %s", name)
	}
	// The response has the ID, and not the state.
	s, err = servers.Get(ctx, c.compute.Client, created.ID).Extract()
	if err != nil {
		return nil, c.compute.Explain(err, "read the server %s", name)
	}
	return s, nil
}

// metadata returns the metadata of a server.
func metadata(o Owner, machine string, r Resolved) map[string]string {
	m := map[string]string{}
	maps.Copy(m, r.Metadata)
	m[clusterKey] = shorten(o.Namespace+"/"+o.Name, maxName)
	m[machineKey] = shorten(machine, maxName)
	return m
}

// serverTags returns the tags of a server. Nova rejects slashes and commas.
func serverTags(o Owner, machine string, more []string) []string {
	var list []string
	for _, tag := range o.tags(append([]string{machineMark(machine)}, more...)...) {
		list = append(list, strings.NewReplacer("/", ".", ",", ".").Replace(tag))
	}
	return unique(list)
}

// FindServer returns the server of a machine by its name, and nil if it does not exist.
func (c *Cloud) FindServer(ctx context.Context, o Owner, machine string) (*servers.Server, error) {
	name := o.ServerName(machine)
	opts := servers.ListOpts{Name: "^" + regexp.QuoteMeta(name) + "$"}
	list, err := all(ctx, servers.List(c.compute.Client, opts), servers.ExtractServers)
	if err != nil {
		return nil, c.compute.Explain(err, "find the server %s", name)
	}
	want := metadata(o, machine, Resolved{})
	list = slices.DeleteFunc(list, func(s servers.Server) bool {
		return s.Name != name || s.Metadata[clusterKey] != want[clusterKey] || s.Metadata[machineKey] != want[machineKey] || s.Status == "DELETED"
	})
	return atMostOne("server", name, list)
}

// Server returns the server of a machine by its ID. A missing server is the failure of classify.Gone;
// compare the project before you believe it.
func (c *Cloud) Server(ctx context.Context, o Owner, machine, id string) (*servers.Server, error) {
	s, err := servers.Get(ctx, c.compute.Client, id).Extract()
	if classify.IsNotFound(err) || err == nil && s.Status == "DELETED" {
		return nil, classify.Gone("server", o.ServerName(machine))
	}
	if err != nil {
		return nil, c.compute.Explain(err, "read the server %s", o.ServerName(machine))
	}
	return s, nil
}

// EnsureServerTags adds the tags that a server does not have.
func (c *Cloud) EnsureServerTags(ctx context.Context, o Owner, machine string, s *servers.Server, more []string) error {
	var have []string
	if s.Tags != nil {
		have = *s.Tags
	}
	together := unique(append(slices.Clone(have), serverTags(o, machine, more)...))
	if len(together) == len(unique(have)) {
		return nil
	}
	_, err := tags.ReplaceAll(ctx, c.compute.Client, s.ID, tags.ReplaceAllOpts{Tags: together}).Extract()
	return c.compute.Explain(err, "set the tags of server %s", s.Name)
}
