package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// EtcdURL returns the URL of etcd's API, as JSON below /v3. Its readers bypass the API server,
// also during an outage of it.
func (c *Cluster) EtcdURL() string { return c.layout.url("http", "etcd", "") }

// Compact makes etcd forget all but the latest version of every object, as the API server does
// every few minutes. A watch that resumes from an earlier version then gets 410 Gone, at the
// latest after a restart of the API server. Until then the API server may serve the versions in
// between from its cache.
func (c *Cluster) Compact(ctx context.Context) error {
	var now struct {
		Header struct {
			Revision string `json:"revision"`
		} `json:"header"`
	}
	if err := c.etcd(ctx, "/v3/maintenance/status", map[string]any{}, &now); err != nil {
		return err
	}
	return c.etcd(ctx, "/v3/kv/compaction", map[string]any{"revision": now.Header.Revision, "physical": true}, &struct{}{})
}

// etcd sends a request to etcd.
func (c *Cluster) etcd(ctx context.Context, path string, question, answer any) error {
	body, err := json.Marshal(question)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.EtcdURL()+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Errorf("etcd: %s: %w", path, err)
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("etcd: %s answers %s: %s", path, resp.Status, text)
	}
	return json.Unmarshal(text, answer)
}
