package wiretest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/internal/sleep"
)

// User is who the server takes its clients for.
const User = "eve"

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	request := requestOf(r)
	s.mu.Lock()
	s.requests = append(s.requests, request)
	s.mu.Unlock()
	reply := s.reply(request)
	w.Header().Set("Content-Type", "application/json")
	if limit, err := time.ParseDuration(r.URL.Query().Get("timeout")); err == nil && limit < reply.Delay {
		reply.Delay, reply.Code, reply.Reason = limit, http.StatusGatewayTimeout, metav1.StatusReasonTimeout
	}
	if !sleep.For(r.Context(), reply.Delay) {
		return
	}
	s.mu.Lock()
	resource, served := s.resource(request)
	s.mu.Unlock()
	x := exchange{w: w, r: r, request: request, resource: resource, reply: reply}
	switch {
	case reply.Code != 0:
		if reply.RetryAfter > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(reply.RetryAfter))
		}
		x.fail(reply.Code, reply.Reason)
	case reply.Body != "":
		x.send(http.StatusOK, json.RawMessage(reply.Body))
	case request.Resource == "selfsubjectreviews":
		x.send(http.StatusCreated, map[string]any{
			"kind": "SelfSubjectReview", "apiVersion": "authentication.k8s.io/v1",
			"status": map[string]any{"userInfo": map[string]any{"username": User}},
		})
	case request.Resource == "selfsubjectaccessreviews":
		s.review(x)
	case request.Verb == "discover":
		s.discover(x)
	case !served:
		status := x.status(http.StatusNotFound, metav1.StatusReasonNotFound)
		status.Message, status.Details = "the server could not find the requested resource", nil
		x.send(http.StatusNotFound, status)
	case request.Verb == "watch":
		s.watch(x)
	case request.Verb == "create":
		s.change(x, http.StatusCreated, s.create)
	case request.Verb == "update":
		s.change(x, http.StatusOK, s.update)
	case request.Verb == "patch":
		s.change(x, http.StatusOK, s.patch)
	case request.Verb == "delete":
		s.change(x, http.StatusOK, s.remove)
	case request.Verb == "get":
		s.get(x)
	default:
		s.list(x)
	}
}

// An exchange is a request and how it is answered.
type exchange struct {
	w        http.ResponseWriter
	r        *http.Request
	request  Request
	resource Resource // what the request is about, if that is served
	reply    Reply
	body     map[string]any // of a request that changes an object
	manager  string         // the field manager of the change
}

// status returns an error as the API server words it.
func (x exchange) status(code int, reason metav1.StatusReason) *metav1.Status {
	return &metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusFailure, Code: int32(code), Reason: reason,
		Message: fmt.Sprintf("%s: %s", x.request, strings.ToLower(http.StatusText(code))),
		Details: &metav1.StatusDetails{Name: x.request.Name, Group: x.request.Group, Kind: x.request.Resource},
	}
}

// fail answers with an error.
func (x exchange) fail(code int, reason metav1.StatusReason) { x.send(code, x.status(code, reason)) }

// send writes a document, and ends it as the reply says.
func (x exchange) send(code int, document any) {
	data, err := json.Marshal(document)
	if err != nil {
		panic(err)
	}
	if x.reply.End == Cut || x.reply.End == Hang {
		data = data[:min(x.reply.Bytes, len(data))]
	}
	x.w.WriteHeader(code)
	x.w.Write(data)
	x.end(x.reply.End)
}

// end ends an answer that is not to be complete.
func (x exchange) end(how End) {
	switch how {
	case Cut:
		http.NewResponseController(x.w).Flush()
		panic(http.ErrAbortHandler)
	case Hang:
		http.NewResponseController(x.w).Flush()
		<-x.r.Context().Done()
	}
}

// get answers with one object.
func (s *Server) get(x exchange) {
	s.mu.Lock()
	u := s.objects[x.id()]
	s.mu.Unlock()
	if u == nil {
		x.fail(http.StatusNotFound, metav1.StatusReasonNotFound)
		return
	}
	x.send(http.StatusOK, x.visible(u))
}

// visible returns an object as a request asks for it.
func (x exchange) visible(u *unstructured.Unstructured) map[string]any {
	if !x.request.Metadata {
		return u.Object
	}
	return map[string]any{"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": u.Object["metadata"]}
}

// list answers with a page of objects.
func (s *Server) list(x exchange) {
	resource, request := x.resource, x.request
	s.mu.Lock()
	all, version, compacted := s.selected(resource, request), s.version, s.compacted
	s.mu.Unlock()
	from := 0
	if request.Continue != "" {
		// A token is the version of the first page and how many objects have been sent.
		at, sent, _ := strings.Cut(request.Continue, "/")
		version, _ = strconv.Atoi(at)
		from, _ = strconv.Atoi(sent)
		if version < compacted {
			x.fail(http.StatusGone, metav1.StatusReasonExpired)
			return
		}
	}
	meta := map[string]any{"resourceVersion": strconv.Itoa(version)}
	page := all[min(from, len(all)):]
	if request.Limit > 0 && len(page) > request.Limit {
		page = page[:request.Limit]
		meta["continue"] = fmt.Sprintf("%d/%d", version, from+len(page))
	}
	items := []any{}
	for _, u := range page {
		items = append(items, x.visible(u))
	}
	list := map[string]any{"kind": resource.Kind + "List", "apiVersion": strings.TrimPrefix(resource.Group+"/", "/") + resource.Version, "metadata": meta, "items": items}
	if request.Metadata {
		list["kind"], list["apiVersion"] = "PartialObjectMetadataList", "meta.k8s.io/v1"
	}
	x.send(http.StatusOK, list)
}
