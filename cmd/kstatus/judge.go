package main

import (
	"time"

	"kstatus.dev/explain"
	"kstatus.dev/kube/celrule"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A criteria is by what objects are judged, wherever they come from, as the flags say.
type criteria struct {
	evaluator status.Evaluator // without what is known of kinds, which depends on where objects come from
	now       time.Time
	rules     []*celrule.Rule
}

// A detail is how much of a judged object a verdict keeps.
type detail int

// The details, each with all that those before it keep.
const (
	detailVerdict  detail = iota
	detailEvidence        // the fields that decided
	detailObject          // the object itself, from which it can be explained
)

// A judge turns the objects of one origin, files or a cluster, into verdicts.
type judge struct {
	evaluator status.Evaluator
	now       time.Time
	detail    detail
	cluster   string // the cluster of the objects, if there are several
}

// judge returns the judge of objects about which nothing further is known.
func (c criteria) judge(d detail) judge { return judge{evaluator: c.evaluator, now: c.now, detail: d} }

// verdict judges an object.
func (j judge) verdict(obj status.Object) verdict {
	root := obj.UnstructuredContent()
	v := verdict{objectLine: j.line(identityOf(root))}
	v.describe(root)
	res, err := j.result(obj, &v)
	if err != nil {
		return v.malformed(err)
	}
	v.setResult(*res)
	if res.Status == status.UnknownStatus && res.Reason == "Malformed" {
		v.Error = res.Message
	}
	return v
}

// result computes the verdict proper; with evidence only if it is to be kept,
// since it costs more.
func (j judge) result(obj status.Object, v *verdict) (*status.Result, error) {
	if j.detail == detailVerdict {
		return j.evaluator.Compute(obj)
	}
	x, err := j.evaluator.Explain(obj)
	if err != nil {
		return nil, err
	}
	v.setEvidence(x.Reads)
	if j.detail == detailObject {
		v.thing = &explain.Thing{ID: explain.ID(v.ID), Object: obj.UnstructuredContent(), Result: x.Result, Reads: x.Reads}
	}
	return &x.Result, nil
}

// unreadable is the verdict on something that is no object of a cluster; root
// is nil if it could not even be decoded.
func (j judge) unreadable(root map[string]any, err error) verdict {
	return verdict{objectLine: j.line(identityOf(root))}.malformed(err)
}

// known is the verdict on an object that has been judged already.
func (j judge) known(t explain.Thing) verdict {
	v := verdict{objectLine: j.line(identity(t.ID)), thing: &t}
	v.ID.Cluster = t.ID.Cluster
	v.describe(t.Object)
	v.setResult(t.Result)
	v.Message = t.Message()
	v.setEvidence(t.Reads)
	return v
}

// sighting judges what a source reports of an object.
func (j judge) sighting(s observe.Sighting) verdict {
	if s.Object != nil {
		return j.verdict(s.Object)
	}
	v := verdict{objectLine: j.line(identityOfTarget(s.Target))}
	v.setUnseen(s.Err)
	return v
}

func (j judge) line(id identity) objectLine {
	id.Cluster = j.cluster
	return objectLine{V: linesVersion, Type: "object", Time: rfc3339(j.now), ID: id, Evidence: []evidence{}}
}
