package session_test

import (
	"strings"
	"testing"

	"kstatus.dev/clusterapi/openstack/failure"
	"kstatus.dev/examples/openstack/cloud/session"
)

func TestIdentitiesThatCannotBeUsed(t *testing.T) {
	const secret = "hunter2"
	for name, test := range map[string]struct {
		id      session.Identity
		reason  string
		message string // a part of it
	}{
		"no file":         {session.Identity{}, "CredentialsMissing", "key clouds.yaml of Secret creds does not exist"},
		"an empty file":   {session.Identity{Clouds: []byte(" \n")}, "CredentialsMissing", "is empty"},
		"another cloud":   {session.Identity{Clouds: []byte("clouds: {b: {}, a: {auth: {password: hunter2}}}")}, "CredentialsMissing", "has no cloud mine; it has: a, b"},
		"no YAML":         {session.Identity{Clouds: []byte("hunter2: [")}, "CredentialsInvalid", "is not a valid clouds.yaml"},
		"a wrong type":    {session.Identity{Clouds: []byte("clouds: hunter2")}, "CredentialsInvalid", "is not a valid clouds.yaml"},
		"no auth":         {session.Identity{Clouds: []byte("clouds: {mine: {}}")}, "CredentialsMissing", "no auth_url"},
		"no auth_url":     {session.Identity{Clouds: []byte("clouds: {mine: {auth: {password: hunter2}}}")}, "CredentialsMissing", "no auth_url"},
		"another scope":   {session.Identity{Clouds: []byte("clouds: {mine: {auth: {auth_url: 'http://127.0.0.1:1', system_scope: hunter2}}}")}, "CredentialsInvalid", "is not valid"},
		"no certificate":  {session.Identity{Clouds: []byte("clouds: {mine: {auth: {auth_url: 'http://127.0.0.1:1'}}}"), CACert: []byte(secret)}, "CredentialsInvalid", "key cacert of Secret creds"},
		"no service":      {session.Identity{Clouds: []byte("clouds: {mine: {auth: {auth_url: 'http://127.0.0.1:1', username: u, password: hunter2, user_domain_name: d, project_id: p}}}")}, "EndpointUnreachable", "127.0.0.1"},
		"no user at all":  {session.Identity{Clouds: []byte("clouds: {mine: {auth: {auth_url: 'http://127.0.0.1:1'}}}")}, "CredentialsInvalid", ""},
		"an unusable URL": {session.Identity{Clouds: []byte("clouds: {mine: {auth: {auth_url: '://hunter2', username: u, password: p}}}")}, "CredentialsInvalid", "auth_url"},
	} {
		t.Run(name, func(t *testing.T) {
			test.id.Secret, test.id.Cloud = "creds", "mine"
			_, err := session.NewDirectory(session.Options{}).Open(t.Context(), test.id)
			f := failure.As(err)
			if f == nil || f.Reason != test.reason || !strings.Contains(f.Message, test.message) {
				t.Fatalf("failure %+v, want %s with %q", f, test.reason, test.message)
			}
			if strings.Contains(f.Message, secret) || strings.Contains(err.Error(), secret) {
				t.Errorf("the message has a value of the Secret: %s", f.Message)
			}
		})
	}
}

// A user of a cluster must not make the provider read files or the environment of its Pod.
func TestFilesAndEnvironmentAreNotUsed(t *testing.T) {
	s := start(t)
	t.Setenv("OS_CLOUD", "other")
	t.Setenv("OS_REGION_NAME", "elsewhere")
	t.Setenv("OS_INTERFACE", "admin")
	t.Setenv("OS_CLIENT_CONFIG_FILE", "/dev/null/nothing")
	id := s.identity("right")
	id.Clouds = []byte(strings.Replace(string(id.Clouds), "{auth:", "{cacert: /dev/null/a, cert: /dev/null/b, key: /dev/null/c, profile: vexxhost, auth:", 1))
	if _, err := session.NewDirectory(session.Options{}).Open(t.Context(), id); err != nil {
		t.Error(err)
	}
}

func TestRegion(t *testing.T) {
	s := start(t)
	id := s.identity("right")
	id.Region = "Mars"
	_, err := session.NewDirectory(session.Options{}).Open(t.Context(), id)
	f := failure.As(err)
	if f == nil || f.Reason != "UnsupportedCloud" || !strings.Contains(f.Message, "Mars") {
		t.Errorf("failure %+v, want UnsupportedCloud with the region", f)
	}
}
