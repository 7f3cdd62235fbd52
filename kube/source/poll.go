package source

import (
	"context"
	"errors"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
)

// errPermitted ends a way of reading because a better one is permitted now.
var errPermitted = errors.New("it is permitted now")

// How many objects are got at the same time.
const getters = 8

// poll gets objects by their names, again and again. The first round is as fast
// as the server answers; afterwards all polls share a rate. What is refused is
// tried again less and less often.
func (p *plan) poll(ctx context.Context, there scope, names []string, note string) error {
	skips := make([]int, len(names)) // in how many rounds each is to be left out
	rests := make([]int, len(names)) // and how many that was the last time
	every := p.link.interval()
	for round := 0; ; round++ {
		began := time.Now()
		var mu sync.Mutex // guards skips, rests and the error
		var failed error
		var work sync.WaitGroup
		slots := make(chan struct{}, getters)
		for i, name := range names {
			if skips[i] > 0 {
				skips[i]--
				continue
			}
			if round > 0 && p.link.pace(ctx) != nil || ctx.Err() != nil {
				break
			}
			slots <- struct{}{}
			work.Go(func() {
				defer func() { <-slots }()
				this := there
				this.name = name
				denied, err := p.got(ctx, this, note)
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
		case <-time.After(jitter(max(every-time.Since(began), every/2))):
		}
	}
}

// got gets one object and tells of it. It returns whether that was refused, and
// an error where another must decide.
func (p *plan) got(ctx context.Context, this scope, note string) (denied bool, err error) {
	v := view{p.roll, this}
	o, err := p.link.get(ctx, this)
	if ctx.Err() != nil {
		return false, nil
	}
	if apierrors.IsNotFound(err) && !missing(err, this.name) {
		// Either the kind is not served any more, or its server is not careful with its words.
		p.link.kinds.forget(p.roll.kind)
		m, e := p.link.kinds.find(ctx, p.roll.kind)
		if meta.IsNoMatchError(e) || m != nil && m.Resource != this.mapping.Resource {
			return false, err
		}
		if e != nil {
			err = e
		}
	}
	switch {
	case err == nil:
		v.see(o)
		p.link.notes.say(note)
	case apierrors.IsNotFound(err):
		p.link.notes.say(note)
		v.lose(this.namespace, this.name, 0)
	case apierrors.IsUnauthorized(err) && p.link.credentials.lost():
		return false, err
	case refused(err):
		v.fail(p.link.unreadable(ctx, this, "list or get", err), err)
		return true, nil
	default:
		v.fail(p.link.unreadable(ctx, this, "get", err), err)
	}
	return false, nil
}
