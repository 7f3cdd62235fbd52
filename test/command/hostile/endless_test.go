package hostile

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// isOfObjects reports whether a request is for objects, and not for the kinds of the server.
func isOfObjects(r *http.Request) bool {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	return parts[0] == "api" && len(parts) > 2 || parts[0] == "apis" && len(parts) > 3
}

// partly answers with the beginning of a text.
func partly(text string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(text)) // the client may have closed the connection
		flush(w)
		<-r.Context().Done()
	}
}

const manyGroups = "1,000 groups"

// sendGroups is the answer of a server with very many API groups.
func sendGroups(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	name, version, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/apis/"), "/")
	if r.URL.Path != "/apis" {
		select { // together these take much longer than the deadline
		case <-r.Context().Done():
		case <-time.After(200 * time.Millisecond):
		}
		send(w, http.StatusOK, map[string]any{"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": name + "/" + version, "resources": []any{
			map[string]any{"name": "things", "singularName": "thing", "kind": "Thing", "namespaced": true, "verbs": []string{"get", "list", "watch"}}}})
		return
	}
	all := groups()
	for i := range 1000 {
		group := fmt.Sprintf("g%d.example.com", i)
		version := map[string]any{"groupVersion": group + "/v1", "version": "v1"}
		all = append(all, map[string]any{"name": group, "versions": []any{version}, "preferredVersion": version})
	}
	send(w, http.StatusOK, map[string]any{"kind": "APIGroupList", "apiVersion": "v1", "groups": all})
}

// isOfGroups reports whether a request is for the kinds of many groups.
func isOfGroups(r *http.Request) bool {
	return r.URL.Path == "/apis" || strings.HasPrefix(r.URL.Path, "/apis/g") && !isOfObjects(r)
}

// A deadlineCase is a server, and what it does.
type deadlineCase struct {
	it   string
	send func(http.ResponseWriter, *http.Request)
	to   func(*http.Request) bool

	maySucceed bool // what comes before the end suffices
}

func deadlineCases() (all []deadlineCase) {
	for it, send := range endlessAnswers() {
		all = append(all, deadlineCase{it: it, send: send})
	}
	isWatch := func(r *http.Request) bool { return r.URL.Query().Get("watch") == "true" }
	isList := func(r *http.Request) bool { return isOfObjects(r) && !isWatch(r) }
	all = append(all,
		deadlineCase{"a header without a body", partly(""), isOfObjects, false},
		deadlineCase{"a list that stops in its middle", partly(`{"kind": "List", "apiVersion": "v1", "metadata": {"resourceVersion": "100"}, "items": [` + readyPod + `, {"metadata": {"na`), isList, true},
		deadlineCase{"a watch that stops in the middle of a Pod", partly(`{"type": "ADDED", "object": ` + readyPod + "}\n" + `{"type": "ADDED", "object": {"kind": "Pod", "metadata": {"na`), isWatch, true})
	return append(all, deadlineCase{manyGroups, sendGroups, isOfGroups, false})
}

func endlessAnswers() map[string]func(http.ResponseWriter, *http.Request) {
	slowly := func(w http.ResponseWriter, r *http.Request, text string) {
		w.Header().Set("Content-Type", "application/json")
		for r.Context().Err() == nil {
			if _, err := w.Write([]byte(text)); err != nil {
				break
			}
			flush(w)
			select {
			case <-r.Context().Done():
			case <-time.After(50 * time.Millisecond):
			}
		}
		<-r.Context().Done()
	}
	return map[string]func(http.ResponseWriter, *http.Request){
		"no answer":             func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"an answer in bytes":    func(w http.ResponseWriter, r *http.Request) { slowly(w, r, " ") },
		"slow megabytes":        func(w http.ResponseWriter, r *http.Request) { slowly(w, r, strings.Repeat(" ", 1<<20)) },
		"429 with a long delay": busy(http.StatusTooManyRequests),
		"503 with a long delay": busy(http.StatusServiceUnavailable),
	}
}

func busy(code int) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "999999")
		fail(w, code, "TooManyRequests", "wait", nil)
	}
}
