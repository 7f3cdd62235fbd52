package conditionstest

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/author/audit"
	"kstatus.dev/author/conditions"
	"kstatus.dev/internal/decoded"
)

// A Recorder is a [conditions.Writer] that wraps another one and records what was written. It
// may be used by several goroutines.
type Recorder struct {
	// Kind is the kind of the objects. It is required for typed objects, from which clients
	// remove it. Zero means the kind in the object itself.
	Kind schema.GroupVersionKind

	writer conditions.Writer
	now    func() time.Time
	agent  string

	mu     sync.Mutex
	writes []audit.Write
}

// NewRecorder returns a Recorder that wraps w. The agent is the name of the controller in the
// record. A nil now means time.Now.
func NewRecorder(w conditions.Writer, agent string, now func() time.Time) *Recorder {
	if now == nil {
		now = time.Now
	}
	return &Recorder{writer: w, now: now, agent: agent}
}

// RecordChange records a change by another client: that the object was created,
// deleted, or changed in its spec. The error is that of the conversion of the
// object to JSON.
func (r *Recorder) RecordChange(obj conditions.Object, as audit.WriteType) error {
	content, err := r.content(obj)
	if err != nil {
		return err
	}
	r.add(audit.Write{Type: as, Time: r.now(), Object: content})
	return nil
}

// Writes returns the recorded writes, for package audit.
func (r *Recorder) Writes() []audit.Write {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.writes)
}

// Get reads an object with the wrapped Writer. It records nothing.
func (r *Recorder) Get(ctx context.Context, obj conditions.Object) error {
	return r.writer.Get(ctx, obj)
}

// PatchStatus patches an object with the wrapped Writer, and records the
// response or the error.
func (r *Recorder) PatchStatus(ctx context.Context, obj conditions.Object, patch conditions.Patch) error {
	before, readErr := r.content(obj)
	err := r.writer.PatchStatus(ctx, obj, patch)
	verb, code := "patch", 200
	if patch.Type == types.ApplyPatchType {
		verb = "apply"
	}
	after, contentErr := r.content(obj)
	if err != nil {
		code, after = 0, identity(before)
		if status := apierrors.APIStatus(nil); errors.As(err, &status) {
			code = int(status.Status().Code)
		}
	}
	if contentErr == nil && readErr == nil {
		r.add(audit.Write{Type: audit.WriteModified, Time: r.now(), Object: after,
			Request: &audit.Request{Verb: verb, Subresource: "status", Agent: r.agent, Code: code}})
	}
	return errors.Join(err, contentErr, readErr)
}

// content converts an object to JSON, with its kind.
func (r *Recorder) content(obj conditions.Object) (map[string]any, error) {
	m, err := content(obj)
	if err == nil && !r.Kind.Empty() {
		m["apiVersion"], m["kind"] = r.Kind.ToAPIVersionAndKind()
	}
	return m, err
}

// identity returns the part of an object that a rejected request identifies it
// by.
func identity(content map[string]any) map[string]any {
	metadata := decoded.Map(content, "metadata")
	named := map[string]any{"name": metadata["name"]}
	if ns, ok := metadata["namespace"]; ok {
		named["namespace"] = ns
	}
	return map[string]any{"apiVersion": content["apiVersion"], "kind": content["kind"], "metadata": named}
}

func (r *Recorder) add(w audit.Write) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.writes = append(r.writes, w)
}
