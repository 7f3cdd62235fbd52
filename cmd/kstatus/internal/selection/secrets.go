package selection

import (
	"net/http"
	"regexp"
	"strings"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/rest"
)

// metadataOfSecrets is a RESTClientGetter whose clients list only the metadata of Secrets. It
// changes the transport, since cli-runtime's hooks for requests do not know the resource.
type metadataOfSecrets struct {
	genericclioptions.RESTClientGetter
}

// ToRESTConfig returns the configuration for a client.
func (m metadataOfSecrets) ToRESTConfig() (*rest.Config, error) {
	config, err := m.RESTClientGetter.ToRESTConfig()
	if err != nil {
		return nil, err
	}
	server, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return nil, err
	}
	config = rest.CopyConfig(config)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return metadataTransport{next, strings.TrimSuffix(server.Path, "/")}
	})
	return config, nil
}

// A metadataTransport requests the metadata of Secrets instead of Secrets.
type metadataTransport struct {
	next http.RoundTripper
	base string // of the paths of the server
}

// secretsPath matches the paths of Secrets of the core group. Other groups may have a kind
// Secret with a status.
var secretsPath = regexp.MustCompile(`^/api/v1(/namespaces/[^/]+)?/secrets$`)

// RoundTrip sends a request.
func (t metadataTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if path, below := strings.CutPrefix(r.URL.Path, t.base); below && secretsPath.MatchString(path) {
		r = r.Clone(r.Context())
		r.Header.Set("Accept", "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1")
	}
	return t.next.RoundTrip(r)
}
