package source

import (
	"context"
	"errors"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"

	"kstatus.dev/internal/crash"
	"kstatus.dev/internal/integer"
	"kstatus.dev/kube/connection"
	"kstatus.dev/kube/source/internal/client"
	"kstatus.dev/kube/source/internal/listwatch"
	"kstatus.dev/kube/watcher"
)

// errNowPermitted ends a fallback because the better way is permitted now.
var errNowPermitted = errors.New("it is permitted now")

// maxConcurrentGets is how many objects are read at the same time.
const maxConcurrentGets = 8

// poll gets objects by their names, repeatedly. The first round is as fast as the server
// responds. After that all polls share a rate limit, and forbidden objects are retried less and
// less often.
func (st *strategy) poll(ctx context.Context, scope client.Scope, names []string, note string) error {
	skips := make([]int, len(names)) // the number of rounds to skip each name
	rests := make([]int, len(names)) // the number of rounds skipped the last time
	every := st.session.interval()
	for round := 0; ; round++ {
		began := time.Now()
		var mu sync.Mutex // guards skips, rests and the error
		var failed error
		var work crash.Group
		slots := make(chan struct{}, maxConcurrentGets)
		for i, name := range names {
			if skips[i] > 0 {
				skips[i]--
				continue
			}
			if round > 0 && st.session.Pace(ctx) != nil || ctx.Err() != nil {
				break
			}
			slots <- struct{}{}
			work.Go(func() {
				defer func() { <-slots }()
				this := scope
				this.Name = name
				denied, err := st.getOne(ctx, this, note)
				mu.Lock()
				defer mu.Unlock()
				if rests[i] = min(2*rests[i]+1, 15); !denied {
					rests[i] = 0
				}
				skips[i] = rests[i]
				if err != nil {
					failed = err
				}
			})
		}
		work.Wait()
		if failed != nil || ctx.Err() != nil {
			return failed
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(watcher.Jitter(max(every-time.Since(began), every/2))):
		}
	}
}

// getOne gets one object and reports it. It reports whether that was forbidden, and returns an
// error that the caller must handle.
func (st *strategy) getOne(ctx context.Context, this client.Scope, note string) (denied bool, err error) {
	sub := subset{st.targets, this}
	o, err := st.session.Get(ctx, this)
	if ctx.Err() != nil {
		return false, nil
	}
	if apierrors.IsNotFound(err) && !client.IsMissing(err, this.Name) {
		// The kind is no longer served, or the server's error lacks the name of the
		// object.
		st.session.Discovery.Forget(st.targets.kind)
		m, e := st.session.Discovery.Find(ctx, st.targets.kind)
		if meta.IsNoMatchError(e) || m != nil && m.Resource != this.Mapping.Resource {
			return false, err
		}
		if e != nil {
			err = e
		}
	}
	switch {
	case err == nil:
		sub.See(o)
		sub.End(integer.OfVersion(o.GetResourceVersion())) // an older version is from a backup
		st.session.Notes.Once(note)
	case apierrors.IsNotFound(err):
		st.session.Notes.Once(note)
		sub.Lose(this.Namespace, this.Name, 0)
	case st.session.Credentials.Lost(err):
		return false, err
	case connection.IsRefused(err):
		sub.Fail(st.session.Unreadable(ctx, this, "list or get", err), err)
		return true, nil
	default:
		sub.Fail(st.session.Unreadable(ctx, this, "get", err), err)
	}
	return false, nil
}

// interval returns the time between polls.
func (s *session) interval() time.Duration {
	if s.Every > 0 {
		return s.Every
	}
	return listwatch.PollPause
}
