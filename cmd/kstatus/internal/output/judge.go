package output

import (
	"time"

	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/explain"
	"kstatus.dev/kube/celrule"
	"kstatus.dev/observe"
	"kstatus.dev/redact"
	"kstatus.dev/status"
)

// Criteria holds how objects are judged, from the flags.
type Criteria struct {
	Evaluator status.Evaluator // without schemas and rules of kinds, which depend on the origin of the objects
	Now       time.Time
	Rules     Rules

	ShowSecrets bool // keep secrets in verdicts
	Labels      bool // keep the labels of the objects in verdicts
}

// Rules are the rules in addition to the built-in ones.
type Rules struct {
	Files   []*celrule.Rule // of rule files
	Objects bool            // use the rules in annotations of objects
}

// NewSet returns the rules as a Set. The Set also takes the rules in the definitions of one
// cluster.
func (r Rules) NewSet() (*celrule.Set, error) {
	set, err := celrule.NewSet(r.Files...)
	if err != nil {
		return nil, err
	}
	set.ObjectRules = r.Objects
	return set, nil
}

// A Detail is how much of a judged object a verdict keeps.
type Detail int

// The details, in ascending order: each includes the ones before it.
const (
	DetailVerdict  Detail = iota // only the verdict
	DetailEvidence               // with the fields that decided
	DetailObject                 // with the object, for explanations
)

// A Judge turns the objects of one origin, files or a cluster, into verdicts.
type Judge struct {
	Evaluator status.Evaluator
	now       time.Time
	detail    Detail
	Cluster   string // the cluster of the objects, if several are used
	show      bool   // keep secrets
	labels    bool
}

// Judge returns a judge without schemas. It knows the rules of kinds.
func (c Criteria) Judge(d Detail) Judge {
	return Judge{Evaluator: c.Evaluator, now: c.Now, detail: d, show: c.ShowSecrets, labels: c.Labels}
}

// With returns the judge with the hooks of another evaluator.
func (j Judge) With(e status.Evaluator) Judge {
	j.Evaluator.Expect, j.Evaluator.Related, j.Evaluator.SelectRule = e.Expect, e.Related, e.SelectRule
	return j
}

// Verdict judges an object.
func (j Judge) Verdict(obj status.Object) Verdict {
	root := obj.UnstructuredContent()
	v := Verdict{Object: j.line(IDOf(root))}
	v.describe(root)
	if j.labels {
		v.Labels = manifest.Labels(root)
	}
	res, err := j.result(obj, &v)
	if err != nil {
		return j.redacted(v.malformed(err))
	}
	v.Result = *res
	if res.Status == status.UnknownStatus && res.Reason == status.ReasonMalformed {
		v.Error = res.Message
	}
	return j.redacted(v)
}

// redacted returns a verdict without secrets, unless ShowSecrets is set. Its evidence is the
// result of [Judge.evidence].
func (j Judge) redacted(v Verdict) Verdict {
	if !j.show {
		v.Result, v.Error, v.Own = redactResult(v.Result, redact.Text), redact.Text(v.Error), redact.Text(v.Own)
		for i, w := range v.TextWarnings {
			v.TextWarnings[i] = redact.Text(w)
		}
	}
	return v
}

// result computes the verdict. It computes the evidence, which costs more, only if the verdict
// keeps it.
func (j Judge) result(obj status.Object, v *Verdict) (*status.Result, error) {
	if j.detail == DetailVerdict {
		return j.Evaluator.Compute(obj)
	}
	result, reads, err := j.Evaluator.Explain(obj)
	if err != nil {
		return nil, err
	}
	v.Evidence = j.evidence(reads)
	if j.detail == DetailObject {
		v.ObjectFact = &explain.ObjectFact{ID: v.ID, Object: obj.UnstructuredContent(), Result: *result, Reads: reads}
	}
	return result, nil
}

// Unreadable returns the verdict on a document that is not an object of a cluster. root is nil
// if the document could not be decoded.
func (j Judge) Unreadable(root map[string]any, err error) Verdict {
	return j.redacted(Verdict{Object: j.line(IDOf(root))}.malformed(err))
}

// evidence returns the fields that decided, without secrets unless ShowSecrets is set.
func (j Judge) evidence(reads []status.Read) []status.Read {
	if !j.show {
		reads = redactReads(reads) // redact before cutting
	}
	return evidenceOf(reads)
}

// FromFact returns the verdict on an object with a known result.
func (j Judge) FromFact(t explain.ObjectFact) Verdict {
	v := Verdict{Object: j.line(t.ID), ObjectFact: &t}
	v.ID.Cluster = t.ID.Cluster
	v.describe(t.Object)
	v.Result = t.Result
	v.setParts(t.Result.Message, t.Parts)
	v.Evidence = j.evidence(t.Reads)
	return j.redacted(v)
}

// FromEvent returns the verdict on an event of a source.
func (j Judge) FromEvent(s observe.Event) Verdict {
	if s.Evaluator != nil {
		j = j.With(*s.Evaluator)
	}
	if s.Object != nil {
		return j.Verdict(s.Object)
	}
	v := Verdict{Object: j.line(s.Target.ID())}
	v.setUnreadable(s.Err)
	return j.redacted(v)
}

func (j Judge) line(id status.ID) Object {
	id.Cluster = j.Cluster
	return Object{V: Version, Type: "object", Time: FormatTime(j.now), ID: id, Evidence: []status.Read{}}
}

// SetUpdate sets the result of a verdict to that of an update on the same object. The update
// includes the parts of the object.
func (j Judge) SetUpdate(v *Verdict, u observe.Update) {
	if !j.show {
		u = RedactUpdate(u)
	}
	v.Result = u.Result
	v.setParts(u.Result.Message, u.Parts)
	if v.ObjectFact != nil {
		v.ObjectFact.Result, v.ObjectFact.Parts = u.Result, u.Parts
	}
}
