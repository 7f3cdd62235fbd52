package writes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"kstatus.dev/author/audit"
	"kstatus.dev/internal/decoded"
)

// brief tells a write in one line.
func brief(w audit.Write) string {
	meta := decoded.Map(w.Object, "metadata")
	text := fmt.Sprintf("%s %v/%v %v %v@%v", w.Type, w.Object["apiVersion"], w.Object["kind"], meta["namespace"], meta["name"], meta["resourceVersion"])
	if r := w.Request; r != nil {
		text += fmt.Sprintf(" %s %s %s %s %s %d", r.ID, r.Verb, r.Subresource, r.User, r.Agent, r.Code)
	}
	return text
}

const (
	lampBody = `{"apiVersion":"example.com/v1","kind":"Lamp","metadata":{"namespace":"shop","name":"a","uid":"u","resourceVersion":"7"},"status":{"n":1}}`
	goneBody = `{"apiVersion":"example.com/v1","kind":"Lamp","metadata":{"namespace":"shop","name":"a","uid":"u","resourceVersion":"7","deletionTimestamp":"2026-01-01T00:00:00Z"}}`
	conflict = `{"apiVersion":"v1","kind":"Status","code":409}`
	success  = `{"apiVersion":"v1","kind":"Status","status":"Success","details":{"name":"a","uid":"u"}}`
	lampPath = "/apis/example.com/v1/namespaces/shop/lamps"
)

// TestRecorder sends requests through a recorder to a server that answers as an
// API server does.
func TestRecorder(t *testing.T) {
	rows := []struct {
		it, method, path, media, body string
		code                          int
		answer                        string
		want                          string
	}{
		{it: "reports an update", method: "PUT", path: lampPath + "/a", code: 200, answer: lampBody, want: "MODIFIED example.com/v1/Lamp shop a@7 id update   agent/1 200"},
		{it: "reports a status update", method: "PUT", path: lampPath + "/a/status", code: 200, answer: lampBody, want: "MODIFIED example.com/v1/Lamp shop a@7 id update status  agent/1 200"},
		{it: "reports an update below a path", method: "PUT", path: "/k8s/clusters/c-1" + lampPath + "/a", code: 200, answer: lampBody, want: "MODIFIED example.com/v1/Lamp shop a@7 id update   agent/1 200"},
		{it: "reports a creation", method: "POST", path: lampPath, media: "application/json", body: `{"metadata":{"name":"a"}}`, code: 201, answer: lampBody, want: "ADDED example.com/v1/Lamp shop a@7 id create   agent/1 201"},
		{it: "reports a rejected creation", method: "POST", path: lampPath, media: "application/json", body: `{"metadata":{"name":"a"}}`, code: 409, answer: conflict, want: "MODIFIED example.com/v1/lamps shop a@<nil> id create   agent/1 409"},
		{it: "reports a patch", method: "PATCH", path: lampPath + "/a", media: "application/merge-patch+json", code: 200, answer: lampBody, want: "MODIFIED example.com/v1/Lamp shop a@7 id patch   agent/1 200"},
		{it: "reports an apply", method: "PATCH", path: lampPath + "/a", media: "application/apply-patch+yaml", code: 200, answer: lampBody, want: "MODIFIED example.com/v1/Lamp shop a@7 id apply   agent/1 200"},
		{it: "reports a conflict", method: "PUT", path: lampPath + "/a/status", code: 409, answer: conflict, want: "MODIFIED example.com/v1/lamps shop a@<nil> id update status  agent/1 409"},
		{it: "reports an error page of a load balancer", method: "PUT", path: lampPath + "/a", code: 503, answer: "<html>", want: "MODIFIED example.com/v1/lamps shop a@<nil> id update   agent/1 503"},
		{it: "reports a deletion", method: "DELETE", path: lampPath + "/a", code: 200, answer: success, want: "DELETED example.com/v1/lamps shop a@<nil> id delete   agent/1 200"},
		{it: "reports a deletion with finalizers", method: "DELETE", path: lampPath + "/a", code: 200, answer: lampBody, want: "MODIFIED example.com/v1/Lamp shop a@7 id delete   agent/1 200"},
		{it: "reports the removal of the last finalizer", method: "PUT", path: lampPath + "/a", code: 200, answer: goneBody, want: "DELETED example.com/v1/Lamp shop a@7 id update   agent/1 200"},
		{it: "reports a namespace", method: "PUT", path: "/api/v1/namespaces/shop/status", code: 422, answer: conflict, want: "MODIFIED v1/namespaces <nil> shop@<nil> id update status  agent/1 422"},
		{it: "omits reads", method: "GET", path: lampPath + "/a", code: 200, answer: lampBody},
		{it: "omits dry runs", method: "PUT", path: lampPath + "/a?dryRun=All", code: 200, answer: lampBody},
		{it: "omits Secrets", method: "PUT", path: "/api/v1/namespaces/shop/secrets/a", code: 200, answer: strings.Replace(lampBody, "Lamp", "Secret", 1)},
		{it: "omits ConfigMaps", method: "PUT", path: "/api/v1/namespaces/shop/configmaps/a", code: 200, answer: lampBody},
		{it: "omits tokens", method: "POST", path: "/api/v1/namespaces/shop/serviceaccounts/a/token", code: 201, answer: lampBody},
		{it: "omits commands in Pods", method: "POST", path: "/api/v1/namespaces/shop/pods/a/exec", code: 200, answer: lampBody},
		{it: "omits reviews", method: "POST", path: "/apis/authentication.k8s.io/v1/tokenreviews", code: 201, answer: lampBody},
		{it: "omits leases", method: "PUT", path: "/apis/coordination.k8s.io/v1/namespaces/shop/leases/a", code: 200, answer: lampBody},
		{it: "omits the deletion of a collection", method: "DELETE", path: lampPath, code: 200, answer: success},
		{it: "omits requests outside of the API", method: "POST", path: "/healthz", code: 200, answer: lampBody},
		{it: "omits an object that is too large", method: "PUT", path: lampPath + "/a", code: 200, answer: `{"x":"` + strings.Repeat("x", maxBody) + `"}`},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if accept := r.Header.Get("Accept"); row.want != "" && accept != "application/json" {
					t.Errorf("the client accepts %q", accept)
				}
				w.Header().Set("Audit-Id", "id")
				w.Header().Set("Content-Type", "application/json")
				if strings.HasPrefix(row.answer, "<") {
					w.Header().Set("Content-Type", "text/html")
				}
				w.WriteHeader(row.code)
				_, _ = io.WriteString(w, row.answer) // the client reads all of it
			}))
			var reported []string
			recorder := &Recorder{OnWrite: func(w audit.Write) { reported = append(reported, brief(w)) }}
			req, err := http.NewRequest(row.method, server.URL+row.path, bytes.NewReader([]byte(row.body)))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Accept", "application/vnd.kubernetes.protobuf,application/json")
			req.Header.Set("Content-Type", row.media)
			req.Header.Set("User-Agent", "agent/1")
			resp, err := recorder.Wrap(http.DefaultTransport).RoundTrip(req)
			if err != nil {
				t.Fatalf("%v", err)
			}
			body, err := io.ReadAll(resp.Body)
			if err != nil || string(body) != row.answer {
				t.Errorf("the client reads %d bytes and %v, want the answer", len(body), err)
			}
			_ = resp.Body.Close() // it has been read
			server.Close()
			if want := slices.DeleteFunc([]string{row.want}, func(s string) bool { return s == "" }); !slices.Equal(reported, want) {
				t.Errorf("it tells %q, want %q", reported, want)
			}
		})
	}
}

func logged(level, verb, resource string, code int, answer string) string {
	e := map[string]any{"kind": "Event", "apiVersion": "audit.k8s.io/v1", "level": level, "auditID": "id", "stage": "ResponseComplete",
		"requestURI": "/x?force=true", "verb": verb, "user": map[string]any{"username": "u"}, "impersonatedUser": map[string]any{"username": "other"},
		"userAgent": "agent/1", "objectRef": map[string]any{"resource": resource, "namespace": "shop", "name": "a", "apiGroup": "example.com", "apiVersion": "v1", "subresource": "status"},
		"responseStatus": map[string]any{"code": code}, "stageTimestamp": "2026-01-01T00:00:00.000001Z"}
	if answer != "" {
		e["responseObject"] = json.RawMessage(answer)
	}
	text, _ := json.Marshal(e) // maps, strings and numbers only
	return string(text)
}

func TestAuditLog(t *testing.T) {
	full := logged("RequestResponse", "patch", "lamps", 200, lampBody)
	const reported = "MODIFIED example.com/v1/Lamp shop a@7 id apply status other agent/1 200"
	for _, row := range []struct {
		it, text string
		kinds    []string
		want     []string
	}{
		{it: "reports responses", text: full, want: []string{reported}},
		{it: "reads lists, over several lines", text: "{\"kind\":\"EventList\",\n\"items\":[" + full + ",\n" + full + "]}\n" + full, want: []string{reported, reported, reported}},
		{it: "reports rejected requests of every level", text: full + logged("Metadata", "update", "lamps", 409, ""), want: []string{reported, "MODIFIED example.com/v1/Lamp shop a@<nil> id update status other agent/1 409"}},
		{it: "omits events without the response object, and counts them", text: logged("Metadata", "update", "lamps", 200, ""),
			want: []string{"requests without a response object were skipped: 1; the audit policy needs the level RequestResponse"}},
		{it: "omits reads", text: logged("RequestResponse", "get", "lamps", 200, lampBody)},
		{it: "omits unfinished requests", text: strings.Replace(full, "ResponseComplete", "RequestReceived", 1)},
		{it: "omits other kinds", text: full, kinds: []string{"doors", "lamps.other.com"}},
		{it: "reports the requested kinds", text: full, kinds: []string{"*.example.com"}, want: []string{reported}},
		{it: "omits Secrets", text: strings.ReplaceAll(logged("RequestResponse", "update", "secrets", 200, lampBody), `"apiGroup":"example.com",`, "")},
	} {
		t.Run(row.it, func(t *testing.T) {
			var have []string
			r := Reader{Kinds: row.kinds, OnNote: func(note string) { have = append(have, note) }}
			if err := r.Read(strings.NewReader(row.text), func(w audit.Write) { have = append(have, brief(w)) }); err != nil {
				t.Errorf("%v", err)
			}
			if !slices.Equal(have, row.want) {
				t.Errorf("have %q, want %q", have, row.want)
			}
		})
	}
}
