package rest

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
)

// An apiError is an error that a service answers. The service decides its form.
type apiError struct {
	status  int
	kind    string // of neutron
	message string
}

func (e *apiError) Error() string { return e.message }

// Fail returns an error with a status. Only neutron answers its kind.
func Fail(status int, kind, format string, arguments ...any) error {
	return &apiError{status, kind, fmt.Sprintf(format, arguments...)}
}

// NotFound returns an error of a service that does not name kinds of errors.
func NotFound(format string, arguments ...any) error {
	return Fail(http.StatusNotFound, "", format, arguments...)
}

// Bad returns an error for a request that is not valid.
func Bad(format string, arguments ...any) error {
	return Fail(http.StatusBadRequest, "", format, arguments...)
}

// faultNames are nova's names of errors.
var faultNames = map[int]string{
	http.StatusBadRequest: "badRequest", http.StatusUnauthorized: "error", http.StatusForbidden: "forbidden",
	http.StatusNotFound: "itemNotFound", http.StatusConflict: "conflictingRequest",
}

// writeError writes an error in the form of a service.
func writeError(w *httptest.ResponseRecorder, service string, err error) {
	var e *apiError
	if !errors.As(err, &e) {
		e = &apiError{http.StatusBadRequest, "HTTPBadRequest", err.Error()}
	}
	title := http.StatusText(e.status)
	coded := map[string]any{"code": e.status, "message": e.message}
	var body any
	switch {
	case service == ImageAPI:
		w.Header().Set("Content-Type", "application/json; charset=UTF-8")
		w.WriteHeader(e.status)
		fmt.Fprintf(w, `{"message": "%s<br /><br />\n\n\n", "code": "%d %s", "title": "%s"}`, e.message, e.status, title, title)
		return
	case service == Identity, e.status == http.StatusUnauthorized:
		coded["title"] = title
		body = map[string]any{"error": coded}
	case service == NetworkAPI:
		body = map[string]any{"NeutronError": map[string]any{"type": e.kind, "message": e.message, "detail": ""}}
	case service == LoadBalancing:
		body = map[string]any{"faultcode": "Client", "faultstring": e.message, "debuginfo": nil}
	default:
		name := faultNames[e.status]
		if name == "" {
			name = "computeFault"
		}
		body = map[string]any{name: coded}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(e.status)
	json.NewEncoder(w).Encode(body)
}
