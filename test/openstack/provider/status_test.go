package provider

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
)

// A disguise shows servers in another status than they have. It stands between the provider and the
// cloud.
type disguise struct {
	cloud http.Handler

	mu            sync.Mutex // guards what follows
	status, fault string     // of all servers; an empty status changes nothing
}

// setStatus shows all servers in a status, with a fault as JSON. Empty means their own.
func (w *fixture) setStatus(status, fault string) {
	w.disguise.mu.Lock()
	defer w.disguise.mu.Unlock()
	w.disguise.status, w.disguise.fault = status, fault
}

func (d *disguise) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	status, fault := d.status, d.fault
	d.mu.Unlock()
	if status == "" || r.Method != http.MethodGet || !strings.HasPrefix(r.URL.Path, "/compute/v2.1/servers/") {
		d.cloud.ServeHTTP(w, r)
		return
	}
	answer := httptest.NewRecorder()
	d.cloud.ServeHTTP(answer, r)
	var body struct {
		Server  map[string]any   `json:"server,omitempty"`
		Servers []map[string]any `json:"servers,omitempty"`
	}
	data := answer.Body.Bytes()
	if json.Unmarshal(data, &body) == nil && (body.Server != nil || body.Servers != nil) {
		for _, s := range append(body.Servers, body.Server) {
			if s == nil {
				continue
			}
			s["status"] = status
			if fault != "" {
				s["fault"] = json.RawMessage(fault)
			}
		}
		data, _ = json.Marshal(body)
	}
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.Code)
	_, _ = w.Write(data)
}
