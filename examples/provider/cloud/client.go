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

// Client talks to a cloud. Its answers are as fresh as the cloud's.
type Client struct {
	// URL is where the cloud is, without /v1.
	URL string
	// HTTP makes the requests; nil means http.DefaultClient.
	HTTP *http.Client
}

// patience is how long one request may take.
const patience = 10 * time.Second

// Error is an answer of the cloud that is none.
type Error struct {
	Status  int    // of HTTP
	Message string // what the cloud says
}

func (e *Error) Error() string {
	if e.Message == "" {
		return http.StatusText(e.Status)
	}
	return e.Message
}

// IsNotFound says whether the cloud has told that something does not exist.
func IsNotFound(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Status == http.StatusNotFound
}

// IsInvalid says whether the cloud will never do what it was asked for, however often.
func IsInvalid(err error) bool {
	var e *Error
	return errors.As(err, &e) && (e.Status == http.StatusBadRequest || e.Status == http.StatusUnprocessableEntity)
}

// Zones are where servers can be.
func (c *Client) Zones(ctx context.Context) (zones []string, err error) {
	return zones, c.do(ctx, http.MethodGet, "zones", nil, &zones)
}

// EnsureServer creates the server of a token, or updates the tags of the one there is.
func (c *Client) EnsureServer(ctx context.Context, token string, want ServerRequest) (s Server, err error) {
	return s, c.do(ctx, http.MethodPut, "servers/"+token, want, &s)
}

// Server is the server of a token.
func (c *Client) Server(ctx context.Context, token string) (s Server, err error) {
	return s, c.do(ctx, http.MethodGet, "servers/"+token, nil, &s)
}

// DeleteServer begins to delete the server of a token. When it is gone, IsNotFound holds.
func (c *Client) DeleteServer(ctx context.Context, token string) error {
	return c.do(ctx, http.MethodDelete, "servers/"+token, nil, nil)
}

// EnsureLoadBalancer creates the load balancer of a token, or updates the one there is.
func (c *Client) EnsureLoadBalancer(ctx context.Context, token string, want LoadBalancerRequest) (b LoadBalancer, err error) {
	return b, c.do(ctx, http.MethodPut, "loadbalancers/"+token, want, &b)
}

// LoadBalancer is the load balancer of a token.
func (c *Client) LoadBalancer(ctx context.Context, token string) (b LoadBalancer, err error) {
	return b, c.do(ctx, http.MethodGet, "loadbalancers/"+token, nil, &b)
}

// DeleteLoadBalancer begins to delete a load balancer. When it is gone, IsNotFound holds.
func (c *Client) DeleteLoadBalancer(ctx context.Context, token string) error {
	return c.do(ctx, http.MethodDelete, "loadbalancers/"+token, nil, nil)
}

// do makes one request. Errors name what was asked for and not where: they end up in
// conditions, where an address or a number of a port would be news at each try.
func (c *Client) do(ctx context.Context, method, path string, body, answer any) error {
	var payload io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return err
		}
		payload = bytes.NewReader(data)
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(c.URL, "/")+"/v1/"+path, payload)
	if err != nil {
		return err
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
		_ = json.Unmarshal(data, &told) // what is no JSON says nothing that should be shown
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
