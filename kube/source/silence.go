package source

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/kube/expect"
)

// How often it is looked whether objects are waited for on which nothing has
// been reported. At the second time in a row others of their kind are looked at.
const silenceCheck = 4 * time.Second

// attend looks, while ctx lasts and once, at what others of a kind show, if
// objects are waited for on which its controller is silent. It keeps nobody
// waiting, and what goes wrong is tried again.
func (p *plan) attend(ctx context.Context, m *meta.RESTMapping) {
	l := &p.link.lessons
	if l.reader.Kinds == nil || !l.concerns(p.roll.kind) {
		return
	}
	for silent := 0; pause(ctx, silenceCheck); {
		if silent++; !p.roll.silent() {
			silent = 0
		}
		if silent >= 2 && l.ask(ctx, m) == nil {
			return
		}
	}
}

// ask looks at what others of a kind show.
func (l *lessons) ask(ctx context.Context, m *meta.RESTMapping) error {
	this := l.of(expect.KindOf(m))
	this.mu.Lock()
	defer this.mu.Unlock()
	limited, cancel := context.WithTimeout(ctx, lessonLimit)
	defer cancel()
	return l.reader.Ask(limited, m)
}

// silent reports whether a target is waited for on which nothing has been reported.
func (r *roll) silent() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, st := range r.states {
		if st.open && st.silent {
			return true
		}
	}
	return false
}

// unheard returns what tells whether the controller of a kind is silent on an
// object; nil where that does not matter.
func (l *lessons) unheard(m *meta.RESTMapping) func(*unstructured.Unstructured) bool {
	if l.reader.Kinds == nil || !l.concerns(expect.KindOf(m)) {
		return nil
	}
	return func(u *unstructured.Unstructured) bool { return !l.reader.Kinds.Reported(u) }
}
