package session

import (
	"bytes"
	"context"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/dropin/internal/verdict"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/object"
	"kstatus.dev/internal/integer"
)

// A target is an object that has been seen.
type target struct {
	id      object.ObjMetadata
	exists  bool
	data    []byte // the object as JSON, which takes a fraction of the memory
	version string
	last    *event.ResourceStatus // the last event, without objects
	timer   *time.Timer           // judges it again
	ending  ending
	ended   int // how often it was deleted

	age verdict.Age

	next    *unstructured.Unstructured // the state that a worker judges next
	force   bool                       // send its status even if it is the last one
	running bool                       // a worker judges it
}

// A list is a list in progress.
type list struct {
	seen  map[object.ObjMetadata]bool
	first []object.ObjMetadata // in order, of the first list
	state map[object.ObjMetadata]*unstructured.Unstructured
}

// judgeAll handles changes in their order until ctx ends.
func (k *kindWatch) judgeAll(ctx context.Context) {
	defer k.stopTimers()
	defer k.jobs.Wait()
	for {
		c, ok := k.box.Take(ctx)
		if !ok {
			return
		}
		k.handle(ctx, c)
	}
}

func (k *kindWatch) stopTimers() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, t := range k.targets {
		if t.timer != nil {
			t.timer.Stop()
		}
	}
}

func (k *kindWatch) handle(ctx context.Context, c change) {
	switch c.op {
	case opBegin:
		k.list = &list{seen: map[object.ObjMetadata]bool{}, state: map[object.ObjMetadata]*unstructured.Unstructured{}}
	case opObject:
		k.see(c.id, c.u)
	case opDeleted:
		k.lose(c.id, c.u)
	case opEnd:
		k.endList(ctx)
	case opUnknown:
		k.list = nil
		for id := range k.targets {
			k.lose(id, nil)
		}
		k.settle()
	case opReplaced:
		k.jobs.Wait()
		c.start() // before this scope settles, so that the first list is not complete
		k.stopTimers()
		k.mu.Lock()
		k.list, k.targets = nil, map[object.ObjMetadata]*target{}
		k.mu.Unlock()
		k.settle()
	case opAgain, opRecheck:
		k.mu.Lock()
		delete(k.dirty, c.id)
		k.mu.Unlock()
		k.judgeKept(c.id, c.op == opRecheck && !k.s.right() && !k.failed(c.id))
	case opResync:
		k.mu.Lock()
		k.resyncing = false
		k.mu.Unlock()
		for id := range k.targets {
			k.judgeKept(id, true)
		}
	}
}

// failed reports whether the last status of a target is an error.
func (k *kindWatch) failed(id object.ObjMetadata) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	t := k.targets[id]
	return t != nil && t.last != nil && t.last.Error != nil
}

// settle records the end of the first list.
func (k *kindWatch) settle() {
	if !k.settled.Load() {
		k.settled.Store(true)
		k.jobs.Wait()
		k.s.settle()
	}
}

// see handles the state of an object. In the first list, it waits for the end, because a status
// may need the children of all workloads.
func (k *kindWatch) see(id object.ObjMetadata, u *unstructured.Unstructured) {
	if l := k.list; l != nil {
		l.seen[id] = true
		if !k.settled.Load() {
			if l.state[id] == nil {
				l.first = append(l.first, id)
			}
			l.state[id] = u
			return
		}
	}
	k.update(id, u)
}

// update judges an object, unless this or a later state was judged.
func (k *kindWatch) update(id object.ObjMetadata, u *unstructured.Unstructured) {
	k.mu.Lock()
	t := k.targets[id]
	if t == nil {
		t = &target{id: id}
		k.targets[id] = t
	}
	version := u.GetResourceVersion()
	data, err := u.MarshalJSON()
	changed := version == t.version && !bytes.Equal(data, t.data) // on a fake, or after the restore of a backup
	if t.exists && !changed && older(version, t.version, k.list != nil) {
		k.mu.Unlock()
		return
	}
	appears := !t.exists
	t.exists, t.version = true, version
	t.age.See(u)
	if err == nil {
		t.data = data
	}
	t.ending.see(u)
	k.mu.Unlock()
	if k.s.store != nil && appears {
		k.s.store.Register(u) // its former end may have been handled after it arrived
	}
	k.judge(t, u, true)
}

// older reports whether a version is not newer than a known one. In a list, only an equal version is
// not: after the restore of a backup, the server has lower versions. Versions are numbers, except on
// fakes.
func older(version, known string, listing bool) bool {
	if listing {
		return version == known
	}
	v, w := integer.OfVersion(version), integer.OfVersion(known)
	return v > 0 && v < w
}

func trim(u *unstructured.Unstructured) {
	unstructured.RemoveNestedField(u.Object, "metadata", "managedFields")
	unstructured.RemoveNestedField(u.Object, "metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration")
}

// lose handles the end of an object. The last state is nil if it is not known.
func (k *kindWatch) lose(id object.ObjMetadata, u *unstructured.Unstructured) {
	if l := k.list; l != nil {
		delete(l.state, id)
		delete(l.seen, id)
	}
	k.mu.Lock()
	t := k.targets[id]
	if t == nil || !t.exists {
		k.mu.Unlock()
		return
	}
	if u == nil {
		u = t.kept()
	} else {
		t.ending.see(u)
	}
	rs := k.s.goneStatus(t, u)
	t.exists, t.data, t.next, t.last = false, nil, nil, nil
	t.ended++
	if t.timer != nil {
		t.timer.Stop()
	}
	t.ending, t.age = ending{}, verdict.Age{}
	k.s.out.put(rs) // under the lock, so that no older status of a worker follows
	k.mu.Unlock()
	if k.s.store != nil {
		k.s.store.Forget(id)
	}
}

// kept returns a copy of the object. The caller holds the lock of the targets.
func (t *target) kept() *unstructured.Unstructured {
	var u unstructured.Unstructured
	if t.data == nil || u.UnmarshalJSON(t.data) != nil {
		return nil
	}
	return &u
}

// endList judges the objects of the first list, or confirms that objects are missing.
func (k *kindWatch) endList(ctx context.Context) {
	l := k.list
	if l == nil {
		return
	}
	for _, id := range l.first {
		if u := l.state[id]; u != nil {
			k.update(id, u)
		}
	}
	k.list = nil
	confirmed := 0
	for id, t := range k.targets {
		k.mu.Lock()
		exists := t.exists
		k.mu.Unlock()
		switch {
		case !exists || l.seen[id]:
		case confirmed < maxGets:
			confirmed++
			k.confirm(ctx, id)
		default: // so many reads would delay the others
			k.lose(id, nil)
		}
	}
	k.settle()
}
