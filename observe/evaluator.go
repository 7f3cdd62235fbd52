package observe

import (
	"sync"

	"kstatus.dev/status"
	"kstatus.dev/status/schema"
)

// evaluators are the evaluators of a Watcher, completed by what the source knows of each
// cluster. It may be used by several goroutines.
type evaluators struct {
	own       status.Evaluator
	byCluster sync.Map // from the name of a cluster to its *completed
}

// completed is an evaluator, and the one of the source that completes it.
type completed struct {
	by        *status.Evaluator
	evaluator status.Evaluator
}

// learn takes note of the evaluator of an event.
func (all *evaluators) learn(e Event) {
	if e.Evaluator == nil {
		return
	}
	if known, ok := all.byCluster.Load(e.Target.Cluster); ok && known.(*completed).by == e.Evaluator {
		return
	}
	all.byCluster.Store(e.Target.Cluster, &completed{e.Evaluator, complete(all.own, e.Evaluator)})
}

// of returns the evaluator for the objects of a cluster.
func (all *evaluators) of(cluster string) status.Evaluator {
	if known, ok := all.byCluster.Load(cluster); ok {
		return known.(*completed).evaluator
	}
	return all.own
}

// complete returns an evaluator that calls the hooks of another where its own do not answer.
// What it chooses itself comes after what the other has chosen.
func complete(own status.Evaluator, other *status.Evaluator) status.Evaluator {
	switch expect := own.Expect; {
	case expect == nil:
		own.Expect = other.Expect
	case other.Expect != nil:
		own.Expect = func(apiVersion, kind string) schema.Expectation {
			if e := expect(apiVersion, kind); e != (schema.Expectation{}) {
				return e
			}
			return other.Expect(apiVersion, kind)
		}
	}
	switch related := own.Related; {
	case related == nil:
		own.Related = other.Related
	case other.Related != nil:
		own.Related = func(kind status.Kind, namespace, name string) status.Object {
			if obj := related(kind, namespace, name); obj != nil {
				return obj
			}
			return other.Related(kind, namespace, name)
		}
	}
	switch choose := own.SelectRule; {
	case choose == nil:
		own.SelectRule = other.SelectRule
	case other.SelectRule != nil:
		own.SelectRule = func(kind status.Kind, obj status.Object, builtin status.KindRule) status.KindRule {
			return choose(kind, obj, other.SelectRule(kind, obj, builtin))
		}
	}
	return own
}
