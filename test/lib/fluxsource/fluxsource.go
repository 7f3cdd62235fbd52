// Package fluxsource replaces Flux's source-controller, which cannot be built from the module proxy. It
// serves archives, and returns the status that reports one of them on a source.
package fluxsource

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
)

// Module is the module with the definitions of sources, and Definitions the pattern of their files.
const (
	Module      = "github.com/fluxcd/source-controller@v1.9.5"
	Definitions = "config/crd/bases/*.yaml"
)

// A Server serves archives on loopback.
type Server struct {
	server   *httptest.Server
	mu       sync.Mutex // guards archives
	archives map[string][]byte
}

// NewServer starts a server.
func NewServer() *Server {
	s := &Server{archives: map[string][]byte{}}
	s.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if data, ok := s.archives[r.URL.Path]; ok {
			_, _ = w.Write(data)
			return
		}
		http.NotFound(w, r)
	}))
	return s
}

// Close ends the server.
func (s *Server) Close() { s.server.Close() }

// An Archive is a served archive.
type Archive struct {
	url, digest string
	size        int
}

// Publish serves an archive with these files, by their paths.
func (s *Server) Publish(files map[string]string) (Archive, error) {
	var packed bytes.Buffer
	zipped := gzip.NewWriter(&packed)
	archive := tar.NewWriter(zipped)
	for name, text := range files {
		if err := archive.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text))}); err != nil {
			return Archive{}, err
		}
		if _, err := archive.Write([]byte(text)); err != nil {
			return Archive{}, err
		}
	}
	if err := errors.Join(archive.Close(), zipped.Close()); err != nil {
		return Archive{}, err
	}
	digest := fmt.Sprintf("%x", sha256.Sum256(packed.Bytes()))
	path := "/" + digest + ".tar.gz"
	s.mu.Lock()
	defer s.mu.Unlock()
	s.archives[path] = packed.Bytes()
	return Archive{s.server.URL + path, digest, packed.Len()}, nil
}

// GitRevision is the revision of the archive as that of a GitRepository.
func (a Archive) GitRevision() string { return "main@sha1:" + a.digest[:40] }

// Status is a merge patch with the status of a source that has the archive.
func (a Archive) Status(revision string) string {
	return fmt.Sprintf(`{"status": {"observedGeneration": 1, "conditions": [{"type": "Ready", "status": "True", "reason": "Succeeded", "message": "stored",
		"observedGeneration": 1, "lastTransitionTime": "2026-01-01T00:00:00Z"}], "artifact": {"path": "shop.tar.gz", "url": %q, "revision": %q, "digest": "sha256:%s",
		"lastUpdateTime": "2026-01-01T00:00:00Z", "size": %d}}}`, a.url, revision, a.digest, a.size)
}
