package cloud

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// Client is a client of a cloud. It has no cache.
type Client struct {
	// URL is the URL of the cloud, without /v1.
	URL string
	// HTTP sends the requests; nil means http.DefaultClient.
	HTTP *http.Client

	token string
}

// WithToken returns a client of the same cloud that sends a token.
func (c *Client) WithToken(token string) *Client {
	with := *c
	with.token = token
	return &with
}

// requestTimeout is the timeout of a request.
const requestTimeout = 10 * time.Second

// Error is an error response of the cloud.
type Error struct {
	Status  int    // the HTTP status code
	Message string // the message of the cloud
}

func (e *Error) Error() string {
	if e.Message == "" {
		return http.StatusText(e.Status)
	}
	return e.Message
}

// IsNotFound reports whether the error means that something does not exist.
func IsNotFound(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Status == http.StatusNotFound
}

// IsInvalid reports whether the cloud will never accept the request, so that
// retries are useless.
func IsInvalid(err error) bool {
	var e *Error
	return errors.As(err, &e) && (e.Status == http.StatusBadRequest || e.Status == http.StatusUnprocessableEntity)
}

// Zones returns the zones of the cloud.
func (c *Client) Zones(ctx context.Context) (zones []string, err error) {
	return zones, c.do(ctx, http.MethodGet, "zones", nil, &zones)
}

// EnsureServer creates the server with a token, or updates the tags of an
// existing one.
func (c *Client) EnsureServer(ctx context.Context, token string, want ServerRequest) (s Server, err error) {
	return s, c.do(ctx, http.MethodPut, "servers/"+token, want, &s)
}

// Server returns the server with a token.
func (c *Client) Server(ctx context.Context, token string) (s Server, err error) {
	return s, c.do(ctx, http.MethodGet, "servers/"+token, nil, &s)
}

// DeleteServer starts the deletion of the server with a token. Once it is
// deleted, errors satisfy IsNotFound.
func (c *Client) DeleteServer(ctx context.Context, token string) error {
	return c.do(ctx, http.MethodDelete, "servers/"+token, nil, nil)
}

// EnsureLoadBalancer creates the load balancer with a token, or updates an
// existing one.
func (c *Client) EnsureLoadBalancer(ctx context.Context, token string, want LoadBalancerRequest) (b LoadBalancer, err error) {
	return b, c.do(ctx, http.MethodPut, "loadbalancers/"+token, want, &b)
}

// LoadBalancer returns the load balancer with a token.
func (c *Client) LoadBalancer(ctx context.Context, token string) (b LoadBalancer, err error) {
	return b, c.do(ctx, http.MethodGet, "loadbalancers/"+token, nil, &b)
}

// DeleteLoadBalancer starts the deletion of a load balancer. Once it is
// deleted, errors satisfy IsNotFound.
func (c *Client) DeleteLoadBalancer(ctx context.Context, token string) error {
	return c.do(ctx, http.MethodDelete, "loadbalancers/"+token, nil, nil)
}

// do sends a request. Its errors contain the request, but no address or port.
// They become messages of conditions, which must not change with each attempt.
func (c *Client) do(ctx context.Context, method, path string, body, answer any) error {
	var payload io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return err
		}
		payload = bytes.NewReader(data)
	}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(c.URL, "/")+"/v1/"+path, payload)
	if err != nil {
		return err
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	resp, err := cmp.Or(c.HTTP, http.DefaultClient).Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return fmt.Errorf("%s %s: %w", method, path, context.Cause(ctx))
		}
		return fmt.Errorf("%s %s: the cloud cannot be reached", method, path)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return fmt.Errorf("%s %s: the answer ended early", method, path)
	}
	if resp.StatusCode >= http.StatusBadRequest {
		told := problem{}
		_ = json.Unmarshal(data, &told) // a body that is not JSON is not shown
		return fmt.Errorf("%s %s: %w", method, path, &Error{Status: resp.StatusCode, Message: told.Message})
	}
	if answer == nil {
		return nil
	}
	if err := json.Unmarshal(data, answer); err != nil {
		return fmt.Errorf("%s %s: the answer is no JSON of the expected shape", method, path)
	}
	return nil
}
