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

	"kstatus.dev/kube/conditions"
)

// Server is a [conditions.Writer] that holds one object, as a cluster would as
// far as resource versions and merge patches of the status go. It has no schema
// and does not apply; a test on a real API server has the last word.
type Server struct {
	// Before, if set, is called once before the next write is looked at: what
	// others do in between.
	BeforeNextWrite func()
	// Fail, if set, is the answer to the next write.
	FailNextWrite error

	mu      sync.Mutex
	stored  map[string]any
	version int
	writes  int
	reads   int
	patches []conditions.Patch
}

// NewServer holds an object as it is.
func NewServer(obj conditions.Object) (*Server, error) {
	s := &Server{}
	if err := s.replace(obj); err != nil {
		return nil, err
	}
	return s, nil
}

// WriteCount is how many requests for the status have come, refused ones included.
func (s *Server) WriteCount() int { return locked(s, func() int { return s.writes }) }

// ReadCount is how often the object was read anew.
func (s *Server) ReadCount() int { return locked(s, func() int { return s.reads }) }

// Patches are the requests that have come.
func (s *Server) Patches() []conditions.Patch {
	return locked(s, func() []conditions.Patch { return append([]conditions.Patch(nil), s.patches...) })
}

func locked[T any](s *Server, get func() T) T {
	s.mu.Lock()
	defer s.mu.Unlock()
	return get()
}

// Update lets somebody else change what is stored, which is a new version.
func (s *Server) Update(how func(content map[string]any)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	how(s.stored)
	s.touch()
}

// Delete deletes the object.
func (s *Server) Delete() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stored = nil
}

// ReadCached puts what is stored into an object, as a cache would; it is no request.
func (s *Server) ReadCached(into conditions.Object) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.decode(into)
}

// Get reads the object anew.
func (s *Server) Get(_ context.Context, into conditions.Object) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads++
	return s.decode(into)
}

// PatchStatus answers a merge patch of the status.
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
		return fmt.Errorf("patch of type %s: this server knows merge patches only", patch.Type)
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
		return s.decode(into) // as the API server: no new version
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

// content is an object as JSON has it.
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

// merged is RFC 7396.
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
