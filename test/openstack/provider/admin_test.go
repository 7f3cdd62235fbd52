package provider

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// An admin sends requests to the cloud as its administrator.
type admin struct {
	url, token string
}

// login returns an administrator, in the project admin.
func (w *fixture) login() *admin {
	w.T.Helper()
	const body = `{"auth": {"identity": {"methods": ["password"], "password": {"user": {"name": "admin", "password": "admin", "domain": {"id": "default"}}}},
		"scope": {"project": {"name": "admin", "domain": {"id": "default"}}}}}`
	resp, err := http.Post(w.url+"/identity/v3/auth/tokens", "application/json", strings.NewReader(body))
	if err != nil {
		w.T.Fatal(err)
	}
	resp.Body.Close()
	return &admin{w.url, resp.Header.Get("X-Subject-Token")}
}

// send sends a request, and returns the first object in the answer.
func (a *admin) send(method, path, body string) (answer map[string]any, err error) {
	req, err := http.NewRequest(method, a.url+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("X-Auth-Token", a.token)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode >= 300 {
		return nil, fmt.Errorf("%s %s: %s %s (%w)", method, path, resp.Status, data, err)
	}
	if len(data) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(data, &answer); err != nil {
		return nil, err
	}
	for _, value := range answer {
		if object, ok := value.(map[string]any); ok && len(answer) == 1 {
			return object, nil
		}
	}
	return answer, nil
}

// create creates something, and returns its ID.
func (w *fixture) create(path, body string) (id string) {
	w.T.Helper()
	answer, err := w.login().send(http.MethodPost, path, body)
	if err != nil {
		w.T.Fatal(err)
	}
	id, _ = answer["id"].(string)
	return id
}

// destroy deletes something behind the back of the provider.
func (w *fixture) destroy(path string) {
	w.T.Helper()
	if _, err := w.login().send(http.MethodDelete, path, ""); err != nil {
		w.T.Fatal(err)
	}
}

// furnish creates what a cloud has before its users come.
func (w *fixture) furnish() {
	w.T.Helper()
	public := w.create("/network/v2.0/networks", `{"network": {"name": "public", "router:external": true}}`)
	w.create("/network/v2.0/subnets", fmt.Sprintf(`{"subnet": {"name": "public", "network_id": %q, "ip_version": 4, "cidr": "203.0.113.0/24"}}`, public))
	w.create("/compute/v2.1/flavors", `{"flavor": {"name": "small", "vcpus": 1, "ram": 512, "disk": 1}}`)
	w.createImage("debian")
}

func (w *fixture) createImage(name string) {
	w.T.Helper()
	id := w.create("/image/v2/images", fmt.Sprintf(`{"name": %q, "visibility": "public", "disk_format": "qcow2", "container_format": "bare"}`, name))
	if _, err := w.login().send(http.MethodPut, "/image/v2/images/"+id+"/file", "image"); err != nil {
		w.T.Fatal(err)
	}
}
