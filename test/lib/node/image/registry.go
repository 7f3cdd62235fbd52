package image

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// The names of the registry in image references. The Nodes connect to its address instead. All names
// lead to the same images.
const (
	Host    = "registry.example.com"
	Private = "private.example.com" // requires User and Password
	Broken  = "broken.example.com"  // answers every request with status 500
	Limited = "docker.io"           // answers every request with status 429
)

// Hosts are all names of the registry.
var Hosts = []string{Host, Private, Broken, Limited}

// User and Password are the credentials of Private.
const User, Password = "puller", "secret"

// Pause is the image of the sandboxes of Pods. App serves HTTP. Foreign is for another processor.
const Pause, App, Foreign = Host + "/pause:1", Host + "/app:1", Host + "/foreign:1"

// Registry is a running registry.
type Registry struct {
	listener net.Listener
	server   *http.Server
	app      v1.Image
}

// Serve starts a registry on loopback, with images of the program in a file.
func Serve(program string) (*Registry, error) {
	layer, err := newLayer(program)
	if err != nil {
		return nil, err
	}
	r := &Registry{}
	if r.app, err = newImage(layer, "serve"); err != nil {
		return nil, err
	}
	pause, err := newImage(layer, "wait")
	if err != nil {
		return nil, err
	}
	if r.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, err
	}
	quiet := log.New(io.Discard, "", 0)
	r.server = &http.Server{Handler: guard(registry.New(registry.Logger(quiet))), ErrorLog: quiet}
	go r.server.Serve(r.listener) // until Close
	if err := r.push(Pause, pause); err != nil {
		return nil, err
	}
	return r, r.Add(App, Foreign)
}

// Address returns the host and the port of the registry.
func (r *Registry) Address() string { return r.listener.Addr().String() }

// Close stops the registry.
func (r *Registry) Close() error { return r.server.Close() }

// Add adds images with the program under other references, such as Host/web:1.8. By default, they
// serve HTTP.
func (r *Registry) Add(references ...string) error {
	for _, reference := range references {
		if err := r.push(reference, r.app); err != nil {
			return err
		}
	}
	return nil
}

func (r *Registry) push(reference string, image v1.Image) error {
	path, ok := strings.CutPrefix(reference, Host+"/")
	if !ok {
		return fmt.Errorf("image %s: want a reference that begins with %s/", reference, Host)
	}
	to, err := name.ParseReference(r.Address()+"/"+path, name.Insecure)
	if err != nil {
		return err
	}
	if reference == Foreign {
		return remote.WriteIndex(to, foreign())
	}
	if err := remote.Write(to, image); err != nil {
		return fmt.Errorf("image %s: %w", reference, err)
	}
	return nil
}

// guard answers the requests that never reach the images. containerd adds the name of the registry to
// its requests.
func guard(images http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		switch host := r.URL.Query().Get("ns"); {
		case host == Private && (user != User || password != Password):
			w.Header().Set("WWW-Authenticate", `Basic realm="test registry"`)
			refuse(w, http.StatusUnauthorized, "UNAUTHORIZED", "authentication required")
		case host == Broken:
			refuse(w, http.StatusInternalServerError, "UNKNOWN", "the storage is not available")
		case host == Limited:
			refuse(w, http.StatusTooManyRequests, "TOOMANYREQUESTS", "You have reached your unauthenticated pull rate limit.")
		default:
			images.ServeHTTP(w, r)
		}
	})
}

// refuse answers with an error in the format of the OCI distribution specification.
func refuse(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"errors":[{"code":%q,"message":%q}]}`, code, message)
}
