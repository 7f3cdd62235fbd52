package image

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
)

// The registry answers according to the name under which containerd requests an image.
func TestRegistry(t *testing.T) {
	program := filepath.Join(t.TempDir(), "app")
	if err := os.WriteFile(program, []byte("program"), 0o755); err != nil {
		t.Fatal(err)
	}
	r, err := Serve(program)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Add(Host+"/web:1.8", Host+"/team/web:2"); err != nil {
		t.Fatal(err)
	}
	if err := r.Add("docker.io/web:1.8"); err == nil {
		t.Error("an image of another registry is accepted")
	}
	for _, c := range []struct {
		path, host, password string
		want                 int
	}{
		{"app/manifests/1", Host, "", http.StatusOK},
		{"foreign/manifests/1", Host, "", http.StatusOK},
		{"web/manifests/1.8", Host, "", http.StatusOK},
		{"team/web/manifests/2", Host, "", http.StatusOK},
		{"web/manifests/1.9", Host, "", http.StatusNotFound},
		{"web/manifests/1.8", Private, "", http.StatusUnauthorized},
		{"web/manifests/1.8", Private, "wrong", http.StatusUnauthorized},
		{"web/manifests/1.8", Private, Password, http.StatusOK},
		{"web/manifests/1.8", Broken, "", http.StatusInternalServerError},
		{"web/manifests/1.8", Limited, "", http.StatusTooManyRequests},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodHead, "http://"+r.Address()+"/v2/"+c.path+"?ns="+c.host, nil)
		if err != nil {
			t.Fatal(err)
		}
		if c.password != "" {
			req.SetBasicAuth(User, c.password)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != c.want {
			t.Errorf("%s of %s with password %q: %s, want %d", c.path, c.host, c.password, resp.Status, c.want)
		}
	}
}
