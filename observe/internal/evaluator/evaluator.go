// Package evaluator has the evaluators of a watch: the evaluator of the caller, with the schemas
// that the source reads from each cluster.
package evaluator

import (
	"sync"

	"kstatus.dev/status"
	"kstatus.dev/status/schema"
)

// A Set holds the evaluators of a watch, by cluster. It may be used by several goroutines.
type Set struct {
	Own       status.Evaluator // of the caller
	byCluster sync.Map         // from the name of a cluster to its *completed
}

// completed is an evaluator, and the one of the source that completes it.
type completed struct {
	by        *status.Evaluator
	evaluator status.Evaluator
}

// AddExpectations records the evaluator of the source for a cluster; nil if it has none.
func (s *Set) AddExpectations(cluster string, by *status.Evaluator) {
	if by == nil {
		return
	}
	if known, ok := s.byCluster.Load(cluster); ok && known.(*completed).by == by {
		return
	}
	s.byCluster.Store(cluster, &completed{by, complete(s.Own, by)})
}

// Of returns the evaluator for the objects of a cluster.
func (s *Set) Of(cluster string) status.Evaluator {
	if known, ok := s.byCluster.Load(cluster); ok {
		return known.(*completed).evaluator
	}
	return s.Own
}

// complete returns an evaluator that calls the hooks of another where its own return no
// result. Its own SelectRule comes after that of the other.
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
