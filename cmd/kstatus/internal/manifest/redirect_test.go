package manifest

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A server that is read with -f cannot choose another server.
func TestRedirects(t *testing.T) {
	const object = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
	other := 0
	internal := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { other++ }))
	defer internal.Close()
	requests := 0
	var public *httptest.Server
	public = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		switch r.URL.Path {
		case "/object":
			_, _ = w.Write([]byte(object))
		case "/other-port":
			http.Redirect(w, r, internal.URL+"/secret", http.StatusFound)
		case "/other-host":
			http.Redirect(w, r, strings.Replace(public.URL, "127.0.0.1", "localhost", 1)+"/object", http.StatusTemporaryRedirect)
		case "/other-scheme":
			http.Redirect(w, r, strings.Replace(public.URL, "http:", "https:", 1)+"/object", http.StatusMovedPermanently)
		case "/chain":
			http.Redirect(w, r, "/other-port", http.StatusSeeOther)
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusPermanentRedirect)
		default:
			http.Redirect(w, r, "/object", http.StatusFound)
		}
	}))
	defer public.Close()
	for _, row := range []struct {
		it, path, refused string
		requests          int
	}{
		{"follows a redirect on the same server", "/moved", "", 2},
		{"follows no redirect to another port", "/other-port", "redirect to another server", 1},
		{"follows no redirect to another host", "/other-host", "redirect to another server", 1},
		{"follows no redirect to another scheme", "/other-scheme", "redirect to another server", 1},
		{"follows no redirect to another server after one to the same", "/chain", "redirect to another server", 2},
		{"ends a loop", "/loop", "redirects more than 10 times", 10},
	} {
		t.Run(row.it, func(t *testing.T) {
			requests, other = 0, 0
			in := NewReader(t.Context(), nil).ReadOne(public.URL+row.path, false)[0]
			switch {
			case other > 0:
				t.Errorf("the other server gets %d requests", other)
			case requests != row.requests:
				t.Errorf("the server gets %d requests, want %d", requests, row.requests)
			case row.refused == "" && (in.Err != nil || string(in.Text) != object):
				t.Errorf("have %q and the error %v", in.Text, in.Err)
			case row.refused != "" && (in.Err == nil || !strings.Contains(in.Err.Error(), row.refused)):
				t.Errorf("the error is %v", in.Err)
			}
		})
	}
}
