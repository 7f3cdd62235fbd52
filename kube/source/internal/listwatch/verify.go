package listwatch

import (
	"context"
	"maps"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/internal/integer"
	"kstatus.dev/kube/connection"
	"kstatus.dev/kube/source/internal/client"
	"kstatus.dev/kube/watcher"
)

// MaxSingleReads is how many objects are read one by one instead of with a list.
const MaxSingleReads = 5

const (
	stalenessTimeout = 30 * time.Second       // a watch without news for this time is verified
	maxStaleness     = 5 * time.Minute        // maximum time between two verifications
	confirmDelay     = 100 * time.Millisecond // time in which deletions are collected before they are confirmed
)

// A stalenessTimer decides when a watch has to be verified.
type stalenessTimer struct {
	lastNews  time.Time // the last news or verification
	lastCheck time.Time // the last verification
}

// news records news from the watch.
func (t *stalenessTimer) news() { t.lastNews = time.Now() }

// checked records that the watch has missed nothing.
func (t *stalenessTimer) checked() { t.lastNews, t.lastCheck = time.Now(), time.Now() }

// due returns when to verify the watch.
func (t *stalenessTimer) due() time.Time {
	due, latest := t.lastNews.Add(stalenessTimeout), t.lastCheck.Add(maxStaleness)
	if latest.Before(due) {
		return latest
	}
	return due
}

// An unconfirmed holds deletions that a watch has reported and no read has confirmed, by the
// version of the deletion.
type unconfirmed struct {
	deleted map[types.NamespacedName]uint64
	since   time.Time // the time of the first one, or of the last attempt to confirm them
}

func (u *unconfirmed) add(k types.NamespacedName, version uint64) {
	if len(u.deleted) == 0 {
		u.since = time.Now()
	}
	if u.deleted == nil {
		u.deleted = map[types.NamespacedName]uint64{}
	}
	u.deleted[k] = version
}

func (u *unconfirmed) remove(k types.NamespacedName) { delete(u.deleted, k) }

func (u *unconfirmed) clear() { clear(u.deleted) }

// deletion receives a deletion that the watch reports.
func (s *Stream) deletion(o metav1.Object) {
	version := integer.OfVersion(o.GetResourceVersion())
	if s.TrustWatches || s.verificationForbidden {
		s.Sink.Lose(o.GetNamespace(), o.GetName(), version)
		return
	}
	s.unconfirmed.add(nameOf(o), version)
}

// A verifier verifies the watches of a Stream.
type verifier struct{ *Stream }

// Event is for [watcher.Verifier]. Only news count, and not bookmarks.
func (verifier) Event() {}

// Due is for [watcher.Verifier].
func (s verifier) Due() time.Duration {
	due := s.staleness.due()
	if confirm := s.unconfirmed.since.Add(confirmDelay); len(s.unconfirmed.deleted) > 0 && confirm.Before(due) {
		due = confirm
	}
	return time.Until(due)
}

// Verify is for [watcher.Verifier].
func (s verifier) Verify() func(context.Context) func() error {
	v, needed := s.verification()
	if !needed {
		return nil
	}
	return func(ctx context.Context) func() error {
		result := s.verify(ctx, v)
		return func() error { return s.apply(result) }
	}
}

// A verification holds the objects to read.
type verification struct {
	deleted map[types.NamespacedName]uint64 // must not exist
	known   map[types.NamespacedName]uint64 // must have no newer version
	whole   bool                            // no other objects must exist
}

// A verified is the result of a verification: the versions of the objects that exist.
type verified struct {
	verification
	found map[types.NamespacedName]uint64
	err   error
}

// verification returns what has to be verified now, and false if nothing has to be.
func (s *Stream) verification() (verification, bool) {
	if len(s.unconfirmed.deleted) > 0 && time.Since(s.unconfirmed.since) >= confirmDelay {
		return verification{deleted: maps.Clone(s.unconfirmed.deleted)}, true
	}
	if time.Now().Before(s.staleness.due()) {
		return verification{}, false
	}
	known, pending := s.Sink.Pending()
	if !pending || s.TrustWatches || s.verificationForbidden {
		s.staleness.checked()
		return verification{}, false
	}
	return verification{known: known, whole: s.WholeScope}, true
}

// verify reads the versions of the objects of a verification: one by one if
// they are few, else by a list.
func (s *Stream) verify(ctx context.Context, v verification) verified {
	result := verified{verification: v, found: map[types.NamespacedName]uint64{}}
	if !v.whole && len(v.deleted)+len(v.known) <= MaxSingleReads {
		for _, keys := range []map[types.NamespacedName]uint64{v.deleted, v.known} {
			for k := range keys {
				if result.err = s.verifyOne(ctx, k, result.found); result.err != nil {
					return result
				}
			}
		}
		return result
	}
	ctx, cancel := context.WithTimeout(ctx, client.ListTimeout)
	defer cancel()
	all := s.Scope
	all.MetadataOnly = true
	_, result.err = s.Client.List(ctx, all, func(o metav1.Object) {
		result.found[nameOf(o)] = integer.OfVersion(o.GetResourceVersion())
	})
	return result
}

// verifyOne adds the version of an object to found, if the object exists.
func (s *Stream) verifyOne(ctx context.Context, k types.NamespacedName, found map[types.NamespacedName]uint64) error {
	this := s.Scope
	this.Namespace, this.Name = k.Namespace, k.Name
	if !this.HasSelector() {
		o, err := s.Client.Get(ctx, this)
		switch {
		case err == nil:
			found[k] = integer.OfVersion(o.GetResourceVersion())
			return nil
		case client.IsMissing(err, k.Name):
			return nil
		case !connection.IsRefused(err):
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, client.RequestTimeout)
	defer cancel()
	_, err := s.Client.List(ctx, this, func(o metav1.Object) { found[k] = integer.OfVersion(o.GetResourceVersion()) })
	return err
}

// apply handles the result of a verification. It returns ErrMissed if the watch has missed a
// change. If the verification is forbidden, the watch is trusted from then on.
func (s *Stream) apply(result verified) error {
	s.unconfirmed.since = time.Now()
	if connection.IsRefused(result.err) {
		s.verificationForbidden = true
		result.found = nil
	} else if result.err != nil {
		return result.err
	}
	for k, version := range result.deleted {
		if s.unconfirmed.deleted[k] != version {
			continue // it has been created again, or deleted once more
		}
		if _, exists := result.found[k]; exists {
			return watcher.ErrMissed
		}
		s.unconfirmed.remove(k)
		s.Sink.Lose(k.Namespace, k.Name, version)
	}
	if result.known == nil || s.verificationForbidden {
		return nil
	}
	now, _ := s.Sink.Pending()
	for k, version := range result.known {
		if now[k] != version || s.unconfirmed.deleted[k] != 0 {
			continue // the watch has reported a change in the meantime
		}
		if found, exists := result.found[k]; exists && found != version || !exists && version != 0 { // a lower version is from a backup
			return watcher.ErrMissed
		}
	}
	if s.WholeScope {
		for k := range result.found {
			if _, known := now[k]; !known {
				return watcher.ErrMissed
			}
		}
	}
	s.staleness.checked()
	return nil
}
