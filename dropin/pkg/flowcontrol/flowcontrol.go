// Package flowcontrol reports whether an API server limits requests by API Priority and Fairness.
package flowcontrol

import (
	"context"
	"fmt"
	"net/http"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/transport"
)

// path is that of the request. Its answer is short, and each answer has the headers.
const path = "/livez/ping"

// IsEnabled reports whether the API server has API Priority and Fairness. It sends one HEAD
// request and looks for the header with the flow schema.
func IsEnabled(ctx context.Context, config *rest.Config) (bool, error) {
	settings, err := config.TransportConfig()
	if err != nil {
		return false, fmt.Errorf("building transport config: %w", err)
	}
	tripper, err := transport.New(settings)
	if err != nil {
		return false, fmt.Errorf("building round tripper: %w", err)
	}
	req, err := request(ctx, config)
	if err != nil {
		return false, err
	}
	resp, err := tripper.RoundTrip(req)
	if err != nil {
		return false, fmt.Errorf("making %s request: %w", path, err)
	}
	if resp.Body != nil {
		if err := resp.Body.Close(); err != nil {
			return false, fmt.Errorf("closing response body: %w", err)
		}
	}
	return resp.Header.Get(flowcontrolv1.ResponseHeaderMatchedFlowSchemaUID) != "", nil
}

func request(ctx context.Context, config *rest.Config) (*http.Request, error) {
	host := config.Host
	if host == "" {
		host = "localhost"
	}
	tls := config.CAFile != "" || len(config.CAData) > 0 || config.CertFile != "" || len(config.CertData) > 0 || config.Insecure
	server, _, err := rest.DefaultServerURL(host, config.APIPath, schema.GroupVersion{}, tls)
	if err != nil {
		return nil, fmt.Errorf("building server URL: %w", err)
	}
	server.Path = path
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, server.String(), nil)
	if err != nil {
		return nil, fmt.Errorf("building request: %w", err)
	}
	if config.UserAgent != "" {
		req.Header.Set("User-Agent", config.UserAgent)
	}
	return req, nil
}
