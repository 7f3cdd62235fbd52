package expect

import (
	"context"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/status"
	"kstatus.dev/status/schema"
)

const (
	maxPeers   = 20              // the maximum number of objects of a kind that are read
	minPeerAge = 3 * time.Minute // the age from which a controller would have reported on an object
)

// ReadPeers reads some objects of a kind, once, and records which fields they have. A forbidden
// list is no error.
func (r *Reader) ReadPeers(ctx context.Context, m *meta.RESTMapping) error {
	if r.Kinds.hasPeers(KindOf(m)) {
		return nil
	}
	all, err := r.Objects.Resource(m.Resource).List(ctx, metav1.ListOptions{Limit: maxPeers})
	switch {
	case err == nil:
		r.Kinds.setPeers(KindOf(m), peersOf(all.Items, time.Now()))
	case isAbsent(err):
		r.Kinds.setPeers(KindOf(m), schema.Peers{})
	default:
		return err
	}
	return nil
}

// A PeersClaim says whether its holder will read other objects of a kind. Until a holder has
// read them, the result from other objects is pending. A nil PeersClaim is closed. It is safe for
// concurrent use.
type PeersClaim struct {
	kinds        *Kinds
	kind         status.Kind
	made, closed bool // guarded by the mutex of kinds
}

// ClaimPeers returns a claim that is not made yet.
func (k *Kinds) ClaimPeers(kind status.Kind) *PeersClaim { return &PeersClaim{kinds: k, kind: kind} }

// Set makes or withdraws the claim, unless it is closed.
func (c *PeersClaim) Set(made bool) {
	if c == nil {
		return
	}
	c.kinds.mu.Lock()
	defer c.kinds.mu.Unlock()
	c.set(made)
}

// Close withdraws the claim forever: the objects have been read, or cannot be read.
func (c *PeersClaim) Close() {
	c.kinds.mu.Lock()
	defer c.kinds.mu.Unlock()
	c.set(false)
	c.closed = true
}

func (c *PeersClaim) set(made bool) {
	if c.closed || c.made == made {
		return
	}
	c.made = made
	if c.kinds.claims == nil {
		c.kinds.claims = map[status.Kind]int{}
	}
	if made {
		c.kinds.claims[c.kind]++
	} else {
		c.kinds.claims[c.kind]--
	}
}

// peersOf returns which status fields the objects have.
//
//   - All have the field, except some that are too young for it: yes.
//   - None has it, although some are old enough: no.
//   - Some have it, and others of that age do not: unknown, since there may be
//     several controllers.
func peersOf(all []unstructured.Unstructured, now time.Time) (o schema.Peers) {
	var states, generations votes
	for i := range all {
		u := &all[i]
		created := u.GetCreationTimestamp()
		grown := !created.IsZero() && now.Sub(created.Time) >= minPeerAge
		state := decoded.Map(u.Object, "status")
		written := schema.StatusWritten(u.Object)
		reported := written == schema.TristateYes || written == schema.TristateUnknown && len(state) > 0
		observed := reported && isObservedGeneration(state["observedGeneration"])
		states.count(reported, grown)
		generations.count(observed, grown && reported)
		if observed || reported && o.Example == "" {
			o.Example = nameOf(u)
		}
	}
	o.Status, o.ObservedGeneration = states.result(), generations.result()
	if o.Status != schema.TristateYes && o.ObservedGeneration != schema.TristateYes {
		o.Example = ""
	}
	return o
}

// A votes counts objects with a field, and objects that are old enough for it but lack it.
type votes struct{ have, lack int }

func (v *votes) count(has, oldEnough bool) {
	switch {
	case has:
		v.have++
	case oldEnough:
		v.lack++
	}
}

func (v *votes) result() schema.Tristate {
	switch {
	case v.have > 0 && v.lack == 0:
		return schema.TristateYes
	case v.have == 0 && v.lack > 0:
		return schema.TristateNo
	}
	return schema.TristateUnknown
}

// isObservedGeneration reports whether a controller has written an observed generation.
func isObservedGeneration(v any) bool {
	switch v := v.(type) {
	case int64:
		return v > 0
	case float64:
		return v > 0
	case string:
		n, err := strconv.ParseInt(v, 10, 64)
		return err == nil && n > 0
	}
	return false
}

func nameOf(u *unstructured.Unstructured) string {
	if u.GetNamespace() == "" {
		return u.GetKind() + " " + u.GetName()
	}
	return u.GetKind() + " " + u.GetNamespace() + "/" + u.GetName()
}
