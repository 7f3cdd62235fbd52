package output

import (
	"time"

	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/explain"
	"kstatus.dev/kube/celrule"
	"kstatus.dev/kube/tree"
	"kstatus.dev/observe"
	"kstatus.dev/redact"
	"kstatus.dev/status"
)

// Criteria says how objects are judged, by the flags.
type Criteria struct {
	Evaluator status.Evaluator // without knowledge of kinds, which depends on the origin of objects
	Now       time.Time
	Rules     Rules

	ShowSecrets bool // verdicts hold what looks like a secret
	Labels      bool // verdicts hold the labels of the objects
}

// Rules are the rules in addition to the built-in ones.
type Rules struct {
	Files   []*celrule.Rule // of files
	Objects bool            // those in the annotations of objects count
}

// NewSet returns the rules as a Set, which learns the definitions of one cluster.
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

// The details, each with all that those before it keep.
const (
	DetailVerdict  Detail = iota // the verdict alone
	DetailEvidence               // the fields that decided
	DetailObject                 // the object itself, from which it can be explained
)

// A Judge turns the objects of one origin, files or a cluster, into verdicts.
type Judge struct {
	Evaluator status.Evaluator
	now       time.Time
	detail    Detail
	Cluster   string // the cluster of the objects, if several are used
	show      bool   // secrets
	labels    bool
}

// Judge returns a judge without knowledge of kinds except their rules.
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
	if res.Status == status.UnknownStatus && res.Reason == "Malformed" {
		v.Error = res.Message
	}
	return j.redacted(v)
}

// redacted returns a verdict without secrets, unless they are to be shown. Its evidence is
// that of [Judge.evidence].
func (j Judge) redacted(v Verdict) Verdict {
	if !j.show {
		v.Result, v.Error = redactResult(v.Result, redact.Text), redact.Text(v.Error)
		for i, w := range v.TextWarnings {
			v.TextWarnings[i] = redact.Text(w)
		}
	}
	return v
}

// result computes the verdict proper; with evidence only if it is to be kept,
// since it costs more.
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
		v.Thing = &explain.ObjectFact{ID: v.ID, Object: obj.UnstructuredContent(), Result: *result, Reads: reads}
	}
	return result, nil
}

// Unreadable returns the verdict on something that is no object of a cluster. root is
// nil if it could not be decoded.
func (j Judge) Unreadable(root map[string]any, err error) Verdict {
	return j.redacted(Verdict{Object: j.line(IDOf(root))}.malformed(err))
}

// evidence returns the fields that decided, without secrets unless they are to be shown.
func (j Judge) evidence(reads []status.Read) []status.Read {
	if !j.show {
		reads = redactReads(reads) // before they are cut
	}
	return evidenceOf(reads)
}

// Known returns the verdict on an object that has been judged already.
func (j Judge) Known(t explain.ObjectFact) Verdict {
	v := Verdict{Object: j.line(t.ID), Thing: &t}
	v.ID.Cluster = t.ID.Cluster
	v.describe(t.Object)
	v.Result = t.Result
	v.Message, v.Parts = t.Message(), t.Parts
	v.Evidence = j.evidence(t.Reads)
	return j.redacted(v)
}

// Sighting returns the verdict on an event of a source.
func (j Judge) Sighting(s observe.Event) Verdict {
	if s.Evaluator != nil {
		j = j.With(*s.Evaluator)
	}
	if s.Object != nil {
		return j.Verdict(s.Object)
	}
	v := Verdict{Object: j.line(tree.IDOf(s.Target))}
	v.setUnseen(s.Err)
	return j.redacted(v)
}

func (j Judge) line(id explain.ID) Object {
	id.Cluster = j.Cluster
	return Object{V: Version, Type: "object", Time: FormatTime(j.now), ID: id, Evidence: []status.Read{}}
}

// SetUpdate gives a verdict the result of an update on the same object, which counts its parts.
func (j Judge) SetUpdate(v *Verdict, u observe.Update) {
	if !j.show {
		u = RedactUpdate(u)
	}
	v.Result = u.Result
	v.Message, v.Parts = u.Message(), u.Parts
	if v.Thing != nil {
		v.Thing.Result, v.Thing.Parts = u.Result, u.Parts
	}
}
