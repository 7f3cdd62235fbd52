package source

import (
	"context"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"

	"kstatus.dev/kube/expect"
	"kstatus.dev/status"
)

// How long a kind is not read because its definition cannot be. After that it
// is judged without.
const lessonLimit = 30 * time.Second

// A lessons knows of which custom kinds it has been read what they promise.
type lessons struct {
	learn   func(status.Object)
	reader  expect.Reader
	classes classes
	known   status.Rules // kinds of which it is not needed

	mu    sync.Mutex // guards taken
	taken map[status.Kind]*lesson
}

// A lesson is what one kind promises.
type lesson struct {
	mu    sync.Mutex // guards what follows, and held while it is read, so that nobody goes ahead without it
	done  bool
	tried time.Time // when it was first tried to read it
}

// concerns reports whether there is something to be learnt of a kind.
func (l *lessons) concerns(kind status.Kind) bool {
	_, known := l.known[kind]
	return l.learn != nil && !known
}

func (l *lessons) of(kind status.Kind) *lesson {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.taken == nil {
		l.taken = map[status.Kind]*lesson{}
	}
	if l.taken[kind] == nil {
		l.taken[kind] = &lesson{}
	}
	return l.taken[kind]
}

// forget has the definition of a kind read anew: another may have come instead.
func (l *lessons) forget(kind status.Kind) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.taken, kind)
}

// take reads what a kind promises, once. That it may not be read is no error:
// then nothing is known of it.
func (l *lessons) take(ctx context.Context, m *meta.RESTMapping) error {
	kind := expect.KindOf(m)
	if l.learn == nil {
		return nil
	}
	if kind == claimKind {
		return l.classes.take(ctx, l.reader.Objects, l.learn)
	}
	if !l.concerns(kind) {
		return nil
	}
	this := l.of(kind)
	this.mu.Lock()
	defer this.mu.Unlock()
	if this.done {
		return nil
	}
	if this.tried.IsZero() {
		this.tried = time.Now()
	}
	limited, cancel := context.WithTimeout(ctx, lessonLimit)
	defer cancel()
	if err := l.reader.Read(limited, m); err != nil {
		if apierrors.IsUnauthorized(err) || time.Since(this.tried) < lessonLimit {
			return fmt.Errorf("read what %s promises: %w", kind, err)
		}
		return nil // the next who asks tries again
	}
	this.done = true
	return nil
}

// Teach gives the definitions of these kinds to [Cluster.Learn], for one who
// judges objects that another has read.
func (c *Cluster) Teach(ctx context.Context, kinds ...status.Kind) error {
	l, err := c.connect()
	if err != nil {
		return fmt.Errorf("connect to %s: %w", c.Config.Host, err)
	}
	defer l.close()
	for _, kind := range kinds {
		mapping, err := l.kinds.find(ctx, kind)
		if err != nil {
			return fmt.Errorf("look up %s: %w", kind, err)
		}
		if err := l.lessons.take(ctx, mapping); err != nil {
			return err
		}
	}
	return nil
}
