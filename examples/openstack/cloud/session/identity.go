package session

import (
	"bytes"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack/config/clouds"
	"gopkg.in/yaml.v2"

	"kstatus.dev/clusterapi/openstack/classify"
)

// Identity is the content of a Secret, and a cloud in it.
type Identity struct {
	Secret string // the name of the Secret, for messages
	Clouds []byte // the key clouds.yaml; nil if the Secret or the key does not exist
	CACert []byte // the key cacert; empty means the certificates of the system
	Cloud  string
	Region string // replaces the region in clouds.yaml
}

// login is what an Identity says.
type login struct {
	auth         gophercloud.AuthOptions
	tls          *tls.Config
	region       string
	availability gophercloud.Availability
	sum          [sha256.Size]byte // of the credentials: equal logins can use the same token
}

// parse reads the Identity. No error has a value of the Secret. The files and the environment of this
// process are not read, although clouds.yaml may name files: users must not see them.
func (id Identity) parse() (login, error) {
	where := "key clouds.yaml of Secret " + id.Secret
	if len(bytes.TrimSpace(id.Clouds)) == 0 {
		return login{}, classify.CredentialsMissing(where + " does not exist or is empty")
	}
	file := clouds.Clouds{}
	if err := yaml.Unmarshal(id.Clouds, &file); err != nil {
		return login{}, classify.CredentialsInvalid(where + " is not a valid clouds.yaml") // the error has values
	}
	entry, exists := file.Clouds[id.Cloud]
	switch {
	case !exists:
		names := slices.Sorted(maps.Keys(file.Clouds))
		return login{}, classify.CredentialsMissing(fmt.Sprintf("%s has no cloud %s; it has: %s", where, id.Cloud, strings.Join(names, ", ")))
	case entry.AuthInfo == nil || entry.AuthInfo.AuthURL == "":
		return login{}, classify.CredentialsMissing(fmt.Sprintf("cloud %s in %s has no auth_url", id.Cloud, where))
	}
	entry.Cloud, entry.Profile = "", ""
	entry.CACertFile, entry.ClientCertFile, entry.ClientKeyFile = "", "", ""
	text, err := yaml.Marshal(clouds.Clouds{Clouds: map[string]clouds.Cloud{id.Cloud: entry}})
	if err != nil {
		return login{}, classify.CredentialsInvalid(where + " is not a valid clouds.yaml")
	}
	auth, endpoint, _, err := clouds.Parse(clouds.WithCloudsYAML(bytes.NewReader(text)), clouds.WithCloudName(id.Cloud),
		clouds.WithRegion(id.Region), clouds.WithEndpointType(""))
	if err != nil {
		return login{}, classify.CredentialsInvalid(fmt.Sprintf("cloud %s in %s is not valid", id.Cloud, where))
	}
	auth.AllowReauth = auth.TokenID == ""
	config := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: entry.Verify != nil && !*entry.Verify}
	if len(id.CACert) != 0 {
		if config.RootCAs, err = x509.SystemCertPool(); err != nil {
			config.RootCAs = x509.NewCertPool()
		}
		if !config.RootCAs.AppendCertsFromPEM(id.CACert) {
			return login{}, classify.CredentialsInvalid("key cacert of Secret " + id.Secret + " has no certificate in PEM format")
		}
	}
	return login{auth: auth, tls: config, region: endpoint.Region, availability: endpoint.Availability, sum: sha256.Sum256(append(text, id.CACert...))}, nil
}

// tenant returns who makes the requests of a login, without secrets. The requests of a tenant have one
// limit.
func (l login) tenant() string {
	a := l.auth
	return strings.Join([]string{
		a.IdentityEndpoint, a.UserID, a.Username, a.DomainID, a.DomainName, a.TenantID, a.TenantName,
		a.ApplicationCredentialID, a.ApplicationCredentialName,
	}, "\x00")
}
