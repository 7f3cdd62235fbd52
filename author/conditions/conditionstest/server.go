package conditionstest

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"kstatus.dev/author/conditions"
)

// A Server is a [conditions.Writer] that stores one object, with the resource versions and merge
// patches of an API server. It has no schema, and no server-side apply. Test on a real API server
// as well. A Server may be used by several goroutines.
type Server struct {
	// BeforeNextWrite, if set, is called once before the next write. It can
	// simulate a write by another client.
	BeforeNextWrite func()
	// FailNextWrite, if set, is the error of the next write.
	FailNextWrite error

	mu      sync.Mutex
	stored  map[string]any
	version int
	writes  int
	reads   int
	patches []conditions.Patch
}

// NewServer returns a Server that stores a copy of the object. The error is
// that of the conversion of the object to JSON.
func NewServer(obj conditions.Object) (*Server, error) {
	s := &Server{}
	if err := s.replace(obj); err != nil {
		return nil, err
	}
	return s, nil
}

// WriteCount returns the number of requests to write the status, including rejected ones.
func (s *Server) WriteCount() int { return locked(s, func() int { return s.writes }) }

// ReadCount returns the number of requests to read the object.
func (s *Server) ReadCount() int { return locked(s, func() int { return s.reads }) }

// Patches returns the requests to write the status, including rejected ones.
func (s *Server) Patches() []conditions.Patch {
	return locked(s, func() []conditions.Patch { return append([]conditions.Patch(nil), s.patches...) })
}

func locked[T any](s *Server, get func() T) T {
	s.mu.Lock()
	defer s.mu.Unlock()
	return get()
}

// Update changes the stored object, as another client would. The resource version increases.
func (s *Server) Update(how func(content map[string]any)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	how(s.stored)
	s.touch()
}

// Delete deletes the object. Later requests return an error that apierrors.IsNotFound recognizes.
func (s *Server) Delete() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stored = nil
}

// ReadCached copies the stored object into an object, as a cache would. It does not count as a
// request.
func (s *Server) ReadCached(into conditions.Object) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.decode(into)
}

// Get reads the stored object.
func (s *Server) Get(_ context.Context, into conditions.Object) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads++
	return s.decode(into)
}

// PatchStatus applies a merge patch to the status. A patch for another resource version is a
// conflict.
func (s *Server) PatchStatus(_ context.Context, into conditions.Object, patch conditions.Patch) error {
	s.mu.Lock()
	before := s.BeforeNextWrite
	s.BeforeNextWrite = nil
	s.mu.Unlock()
	if before != nil {
		before()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writes++
	s.patches = append(s.patches, patch)
	if err := s.FailNextWrite; err != nil {
		s.FailNextWrite = nil
		return err
	}
	if s.stored == nil {
		return gone(into)
	}
	if patch.Type != types.MergePatchType {
		return fmt.Errorf("patch of type %s: this server supports merge patches only", patch.Type)
	}
	var body struct {
		Metadata struct {
			ResourceVersion string `json:"resourceVersion"`
		} `json:"metadata"`
		Status map[string]any `json:"status"`
	}
	if err := utiljson.Unmarshal(patch.Data, &body); err != nil {
		return err
	}
	if v := body.Metadata.ResourceVersion; v != "" && v != strconv.Itoa(s.version) {
		return apierrors.NewConflict(servers, into.GetName(), fmt.Errorf("version is %d, not %s", s.version, v))
	}
	merged := merged(s.stored["status"], body.Status)
	if reflect.DeepEqual(merged, s.stored["status"]) {
		return s.decode(into) // like the API server: no new version
	}
	s.stored["status"] = merged
	s.touch()
	return s.decode(into)
}

var servers = schema.GroupResource{Resource: "objects"}

func gone(obj conditions.Object) error { return apierrors.NewNotFound(servers, obj.GetName()) }

func (s *Server) replace(obj conditions.Object) error {
	content, err := content(obj)
	if err != nil {
		return err
	}
	s.stored = content
	s.touch()
	return nil
}

func (s *Server) touch() {
	s.version++
	metadata, ok := s.stored["metadata"].(map[string]any)
	if !ok {
		metadata = map[string]any{}
		s.stored["metadata"] = metadata
	}
	metadata["resourceVersion"] = strconv.Itoa(s.version)
}

func (s *Server) decode(into conditions.Object) error {
	if s.stored == nil {
		return gone(into)
	}
	if u, ok := into.(*unstructured.Unstructured); ok {
		u.Object = runtime.DeepCopyJSON(s.stored)
		return nil
	}
	data, err := json.Marshal(s.stored)
	if err != nil {
		return err
	}
	reflect.ValueOf(into).Elem().SetZero()
	return json.Unmarshal(data, into)
}

// content converts an object to JSON.
func content(obj conditions.Object) (map[string]any, error) {
	if u, ok := obj.(*unstructured.Unstructured); ok {
		return u.DeepCopy().Object, nil
	}
	data, err := json.Marshal(obj)
	if err != nil {
		return nil, err
	}
	var m map[string]any
	return m, utiljson.Unmarshal(data, &m)
}

// merged applies a merge patch (RFC 7396).
func merged(have any, patch map[string]any) map[string]any {
	result := map[string]any{}
	old, _ := have.(map[string]any)
	for k, v := range old {
		result[k] = v
	}
	for k, v := range patch {
		inner, isMap := v.(map[string]any)
		switch {
		case v == nil:
			delete(result, k)
		case isMap:
			result[k] = merged(result[k], inner)
		default:
			result[k] = v
		}
	}
	return result
}
