package cloud

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"kstatus.dev/clusterapi/openstack/failure"
)

func TestNamesFitTheServices(t *testing.T) {
	hostname := regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
	long := strings.Repeat("a", 300)
	for name, test := range map[string]struct {
		owner   Owner
		machine string
	}{
		"it is short":             {Owner{Namespace: "default", Name: "prod"}, "prod-md-0-x"},
		"the machine is long":     {Owner{Namespace: "default", Name: "prod"}, long},
		"the cluster is long":     {Owner{Namespace: "default", Name: long}, "m"},
		"the machine has dots":    {Owner{Namespace: "default", Name: "prod.example"}, "m.0"},
		"it is cut after a dot":   {Owner{Namespace: "default", Name: strings.Repeat("b.", 30)}, "m"},
		"it is cut after a dash":  {Owner{Namespace: "default", Name: strings.Repeat("b-", 30)}, "m"},
		"the namespace is a half": {Owner{Namespace: strings.Repeat("n", 63), Name: "x"}, "m"},
	} {
		t.Run(name, func(t *testing.T) {
			if s := test.owner.ServerName(test.machine); len(s) > 63 || !hostname.MatchString(s) {
				t.Errorf("ServerName is %s with %d bytes, want a hostname", s, len(s))
			}
			if s := test.owner.name(test.machine, "0"); len(s) > 255 || !strings.HasPrefix(s, "k8s-") {
				t.Errorf("name is %s with %d bytes, want at most 255 and the prefix k8s-", s, len(s))
			}
			for _, tag := range append(test.owner.tags(), machineMark(test.machine)) {
				if len(tag) > 60 || strings.Contains(tag, ",") {
					t.Errorf("tag %s has %d bytes, want at most 60 and no comma", tag, len(tag))
				}
			}
			for _, tag := range serverTags(test.owner, test.machine, []string{"a/b"}) {
				if len(tag) > 60 || strings.ContainsAny(tag, ",/") {
					t.Errorf("tag of a server %s has %d bytes, want at most 60, no comma and no slash", tag, len(tag))
				}
			}
			for key, value := range metadata(test.owner, test.machine, Resolved{}) {
				if len(value) > 255 {
					t.Errorf("metadata %s has %d bytes, want at most 255", key, len(value))
				}
			}
		})
	}
}

func TestLongNamesStayDifferent(t *testing.T) {
	long := strings.Repeat("a", 100)
	o := Owner{Namespace: "default", Name: "prod"}
	if a, b := o.ServerName(long+"1"), o.ServerName(long+"2"); a == b {
		t.Errorf("two machines have the server name %s", a)
	}
	a, b := Owner{Namespace: "default", Name: long + "1"}, Owner{Namespace: "default", Name: long + "2"}
	if a.Tag() == b.Tag() {
		t.Errorf("two clusters have the tag %s", a.Tag())
	}
	c, d := Owner{Namespace: "a-b", Name: "c"}, Owner{Namespace: "a", Name: "b-c"}
	if c.Tag() == d.Tag() {
		t.Errorf("two clusters with the name %s have the tag %s", c.name(), c.Tag())
	}
}

func TestUserData(t *testing.T) {
	random := make([]byte, 100_000)
	source := rand.NewChaCha8([32]byte{})
	source.Read(random)
	for name, test := range map[string]struct {
		data       []byte
		compressed bool
		fails      bool
	}{
		"small":                      {data: []byte("#cloud-config\n")},
		"base64 is data, too":        {data: []byte("AAAA")},
		"at the limit":               {data: []byte(strings.Repeat("a", 65535/4*3))},
		"large and compressible":     {data: []byte(strings.Repeat("a", 65536)), compressed: true},
		"large and not compressible": {data: random, fails: true},
		"nothing":                    {},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := UserData(test.data).encode()
			if test.fails {
				if f := failure.As(err); f == nil || f.Reason != "InvalidConfiguration" {
					t.Errorf("error %v, want InvalidConfiguration", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			data, err := base64.StdEncoding.DecodeString(string(text))
			if err != nil {
				t.Fatal(err)
			}
			if test.compressed {
				r, err := gzip.NewReader(bytes.NewReader(data))
				if err != nil {
					t.Fatal(err)
				}
				if data, err = io.ReadAll(r); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(data, test.data) {
				t.Errorf("the data has %d bytes, want the %d of before", len(data), len(test.data))
			}
		})
	}
}

func TestRulesOfSecurityGroups(t *testing.T) {
	has := func(t *testing.T, spec SecurityGroupsSpec, group int, text string) bool {
		t.Helper()
		for _, r := range spec.rules("cp", "worker")[group] {
			parts := []string{string(r.Direction), string(r.EtherType), string(r.Protocol), r.RemoteGroupID + r.RemoteIPPrefix}
			if r.PortRangeMin <= 6443 && r.PortRangeMax >= 6443 {
				parts = append(parts, "6443")
			}
			if r.PortRangeMin <= 2379 && r.PortRangeMax >= 2380 {
				parts = append(parts, "etcd")
			}
			if strings.Join(parts, " ") == text {
				return true
			}
		}
		return false
	}
	for _, test := range []struct {
		spec  SecurityGroupsSpec
		group int
		rule  string
		want  bool
	}{
		{SecurityGroupsSpec{APIPort: 6443}, 0, "ingress IPv4 tcp 0.0.0.0/0 6443", true},
		{SecurityGroupsSpec{APIPort: 6443}, 1, "ingress IPv4 tcp 0.0.0.0/0 6443", false},
		{SecurityGroupsSpec{APIPort: 6443}, 0, "ingress IPv4 tcp cp etcd", true},
		{SecurityGroupsSpec{APIPort: 6443}, 0, "ingress IPv4 tcp worker etcd", false},
		{SecurityGroupsSpec{APIPort: 6443}, 0, "ingress IPv4  worker", false},
		{SecurityGroupsSpec{APIPort: 6443, AllowAllInClusterTraffic: true}, 0, "ingress IPv4  worker", true},
		{SecurityGroupsSpec{APIPort: 6443, AllowAllInClusterTraffic: true}, 1, "ingress IPv4  cp", true},
		{SecurityGroupsSpec{APIPort: 6443, IPv6: true}, 0, "ingress IPv6 tcp ::/0 6443", true},
		{SecurityGroupsSpec{APIPort: 6443, IPv6: true}, 0, "ingress IPv6 ipip worker", false},
		{SecurityGroupsSpec{APIPort: 6443, IPv6: true}, 0, "ingress IPv6 ipv6-icmp worker", true},
		{SecurityGroupsSpec{APIPort: 6443}, 1, "egress IPv4  ", true},
		{SecurityGroupsSpec{APIPort: 6443}, 1, "egress IPv6  ", true},
	} {
		if have := has(t, test.spec, test.group, test.rule); have != test.want {
			t.Errorf("%+v: group %d has the rule %q: %v, want %v", test.spec, test.group, test.rule, have, test.want)
		}
	}
}
