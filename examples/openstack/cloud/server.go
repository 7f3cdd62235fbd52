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
	"time"

	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/keypairs"
	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/servers"
	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/tags"

	"kstatus.dev/clusterapi/openstack/classify"
	"kstatus.dev/clusterapi/openstack/failure"
)

// UserData is the bootstrap data of a machine. It is a secret.
type UserData []byte

// maxUserData is the limit of Nova, in base64.
const maxUserData = 65535

// Keys of the metadata of servers.
const (
	clusterKey = tagKey
	machineKey = "kstatus-machine"
	uidKey     = "kstatus-machine-uid"
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
// in all states, also BUILD and ERROR: the caller classifies them. A server of another spec is a failure
// Conflict.
func (c *Cloud) EnsureServer(ctx context.Context, o Owner, machine string, r Resolved, p []Port, data UserData) (*servers.Server, error) {
	s, err := c.FindServer(ctx, o, machine)
	if err != nil {
		return nil, err
	}
	if s != nil {
		return r.accept(s)
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
	if o.Machine != "" {
		m[uidKey] = o.Machine
	}
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

// accept returns a server that the spec describes. The spec may have changed after a request whose
// response was lost.
func (r Resolved) accept(s *servers.Server) (*servers.Server, error) {
	for _, f := range []struct{ field, have, want string }{
		{"image", fmt.Sprint(s.Image["id"]), r.Image}, {"flavor", fmt.Sprint(s.Flavor["original_name"]), r.FlavorName},
	} {
		if f.have != f.want {
			return nil, conflict("server %s has the %s %s, and the spec has %s: delete the server, or restore the spec", s.Name, f.field, f.have, f.want)
		}
	}
	return s, nil
}

// conflict is the failure of a server that must not be used.
func conflict(format string, args ...any) *failure.Failure {
	return &failure.Failure{
		Class: failure.Conflict, Reason: string(failure.Conflict), Known: true, Message: failure.Clean(fmt.Sprintf(format, args...)),
		Retry: failure.Retry{First: time.Minute, Last: 10 * time.Minute},
	}
}

// FindServer returns the server of a machine by its name, and nil if it does not exist. The server of
// an earlier machine of the same name is a failure Conflict.
func (c *Cloud) FindServer(ctx context.Context, o Owner, machine string) (*servers.Server, error) {
	own, earlier, err := c.findServer(ctx, o, machine)
	if own == nil && earlier != nil {
		return nil, conflict("server %s (%s) belongs to an earlier machine of the same name: delete the server", earlier.Name, earlier.ID)
	}
	return own, err
}

// findServer returns the server of a machine, and that of an earlier machine of the same name.
func (c *Cloud) findServer(ctx context.Context, o Owner, machine string) (own, earlier *servers.Server, err error) {
	name := o.ServerName(machine)
	opts := servers.ListOpts{Name: "^" + regexp.QuoteMeta(name) + "$"}
	list, err := all(ctx, servers.List(c.compute.Client, opts), servers.ExtractServers)
	if err != nil {
		return nil, nil, c.compute.Explain(err, "find the server %s", name)
	}
	var mine []servers.Server
	for _, s := range list {
		switch marked, other := o.marks(machine, &s); {
		case s.Name != name || s.Status == "DELETED" || !marked:
		case other:
			earlier = &s
		default:
			mine = append(mine, s)
		}
	}
	own, err = atMostOne("server", name, mine)
	return own, earlier, err
}

// marks reports whether a server has the metadata of a machine, and whether that is an earlier machine of
// the same name.
func (o Owner) marks(machine string, s *servers.Server) (marked, earlier bool) {
	want, uid := metadata(o, machine, Resolved{}), s.Metadata[uidKey]
	return s.Metadata[clusterKey] == want[clusterKey] && s.Metadata[machineKey] == want[machineKey],
		uid != "" && o.Machine != "" && uid != o.Machine
}

// Server returns the server of a machine by its ID. A missing server is the failure of classify.Gone;
// compare the project before you believe it. The server of another owner is a failure Conflict.
func (c *Cloud) Server(ctx context.Context, o Owner, machine, id string) (*servers.Server, error) {
	s, err := servers.Get(ctx, c.compute.Client, id).Extract()
	if classify.IsNotFound(err) || err == nil && s.Status == "DELETED" {
		return nil, classify.Gone("server", o.ServerName(machine))
	}
	if err != nil {
		return nil, c.compute.Explain(err, "read the server %s", o.ServerName(machine))
	}
	if marked, earlier := o.marks(machine, s); !marked || earlier {
		return nil, conflict("server %s (%s) does not have the metadata of machine %s/%s: correct spec.providerID, or restore the metadata %s and %s",
			s.Name, id, o.Namespace, machine, clusterKey, machineKey)
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
