package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"kstatus.dev/explain"
	"kstatus.dev/internal/text"
	"kstatus.dev/kube/celrule"
	"kstatus.dev/report"
	"kstatus.dev/status"
)

// The version of the lines. It rises only when a field changes its meaning or
// goes away; a reader must ignore fields that it does not know.
const linesVersion = 1

// A startLine opens the stream.
type startLine struct {
	V        int               `json:"v"`
	Type     string            `json:"type"` // "start"
	Time     string            `json:"time"`
	Objects  *int              `json:"objects,omitempty"` // how many there will be, if that is known
	Profile  string            `json:"profile"`
	Contexts []string          `json:"contexts,omitempty"`
	Goal     []string          `json:"goal,omitempty"`
	Any      bool              `json:"any,omitempty"`
	Timeout  string            `json:"timeout,omitempty"`
	Timeouts map[string]string `json:"timeouts,omitempty"` // of some objects, by SEL
}

// An objectLine is the verdict on one object. One that stands in a file has
// its source; one that could not be judged is Unknown and has an error.
type objectLine struct {
	V                  int               `json:"v"`
	Type               string            `json:"type"` // "object"
	Time               string            `json:"time"`
	ID                 identity          `json:"id"`
	Parent             *identity         `json:"parent,omitempty"` // in a tree, what it stands below
	Status             status.Status     `json:"status"`
	Previous           status.Status     `json:"previous,omitempty"` // the status in the line before, if there was one
	Reason             string            `json:"reason"`
	Message            string            `json:"message"`
	Failure            status.Failure    `json:"failure"`
	Suspended          status.Suspension `json:"suspended"`
	Confidence         status.Confidence `json:"confidence"`
	Rule               string            `json:"rule"`
	Evidence           []evidence        `json:"evidence"`
	Generation         *int64            `json:"generation,omitempty"`
	ObservedGeneration *int64            `json:"observedGeneration,omitempty"`
	Source             *source           `json:"source,omitempty"`
	Warnings           []string          `json:"warnings,omitempty"`
	Error              string            `json:"error,omitempty"`
}

// A resultLine closes the stream and says what the process exits with.
type resultLine struct {
	V        int                   `json:"v"`
	Type     string                `json:"type"` // "result"
	Time     string                `json:"time"`
	Outcome  string                `json:"outcome"`
	ExitCode exitCode              `json:"exitCode"`
	Objects  int                   `json:"objects"`
	Counts   map[status.Status]int `json:"counts"`
	Ignored  int                   `json:"ignored,omitempty"` // of them: those that are not waited for
	Causes   []explain.Cause       `json:"causes,omitempty"`  // why objects are not there
	NotSeen  []explain.Gap         `json:"notSeen,omitempty"` // what could not be read that might tell
}

// An identity names one object.
type identity struct {
	Cluster   string `json:"cluster,omitempty"`
	Group     string `json:"group"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// A source is where an object was read.
type source = report.Source

// Evidence is one field that was read on the way to the verdict.
type evidence struct {
	Path  string `json:"path"`
	Value any    `json:"value"`
}

// A verdict is what is kept of an object once it has been judged: the line
// about it, and what only people are shown.
type verdict struct {
	objectLine
	created  time.Time      // zero if the object does not say
	unjudged bool           // it could not even be read as an object
	odd      []string       // those warnings that are about its text
	thing    *explain.Thing // the same with its object, for who wants to know why
}

// A judge turns objects into verdicts.
type judge struct {
	evaluator status.Evaluator
	now       time.Time
	explain   bool   // with the evidence
	things    bool   // and with the object
	cluster   string // whose objects they are, if there are several
	rules     []*celrule.Rule
}

// verdict judges an object.
func (j judge) verdict(obj status.Object) verdict {
	root := obj.UnstructuredContent()
	v := verdict{objectLine: j.line(identityOf(root))}
	if created, err := time.Parse(time.RFC3339, textAt(root, "metadata", "creationTimestamp")); err == nil {
		v.created = created
	}
	v.Generation = wholeAt(root, "metadata", "generation")
	v.ObservedGeneration = wholeAt(root, "status", "observedGeneration")
	res, err := j.result(obj, &v)
	if err != nil {
		return j.unjudged(v, err)
	}
	v.Status, v.Reason, v.Message = res.Status, res.Reason, res.Message
	v.Failure, v.Suspended, v.Confidence = res.Failure, res.Suspended, res.Confidence
	v.Rule, v.Warnings = res.Rule, res.Warnings
	if res.Status == status.UnknownStatus && res.Reason == "Malformed" {
		v.Error = res.Message
	}
	return v
}

// result computes the verdict proper; with evidence only if that is asked for,
// since it costs more.
func (j judge) result(obj status.Object, v *verdict) (*status.Result, error) {
	if !j.explain {
		return j.evaluator.Compute(obj)
	}
	x, err := j.evaluator.Explain(obj)
	if err != nil {
		return nil, err
	}
	for _, read := range x.Reads {
		v.Evidence = append(v.Evidence, evidence{read.Path, printable(read.Value)})
	}
	if j.things {
		v.thing = &explain.Thing{ID: explain.ID(v.ID), Object: obj.UnstructuredContent(), Result: x.Result, Reads: x.Reads}
	}
	return &x.Result, nil
}

// unreadable is the verdict on something that is no object of a cluster; root
// is nil if it could not even be decoded.
func (j judge) unreadable(root map[string]any, err error) verdict {
	return j.unjudged(verdict{objectLine: j.line(identityOf(root))}, err)
}

func (j judge) unjudged(v verdict, err error) verdict {
	v.Status, v.Reason, v.Message, v.Error = status.UnknownStatus, "Malformed", err.Error(), err.Error()
	v.unjudged = true
	return v
}

func (j judge) line(id identity) objectLine {
	id.Cluster = j.cluster
	return objectLine{V: linesVersion, Type: "object", Time: rfc3339(j.now), ID: id, Evidence: []evidence{}}
}

// printable returns a value that was read as it may be printed: short, and
// never more than one line's worth of a larger structure.
func printable(v any) any {
	switch v := v.(type) {
	case string:
		return text.Cut(v, 500+len(text.Ellipsis))
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Sprint(v)
		}
	case map[string]any:
		return fmt.Sprintf("a map of %d keys", len(v))
	case []any:
		return fmt.Sprintf("a list of %d items", len(v))
	}
	return v
}

// identityOf reads who an object says it is; empty where it does not.
func identityOf(root map[string]any) identity {
	id := identity{
		Kind:      textAt(root, "kind"),
		Namespace: textAt(root, "metadata", "namespace"),
		Name:      textAt(root, "metadata", "name"),
	}
	if group, _, ok := strings.Cut(textAt(root, "apiVersion"), "/"); ok {
		id.Group = group
	}
	return id
}

// at returns the value at a path of keys, nil if there is none.
func at(root map[string]any, path ...string) any {
	var v any = root
	for _, key := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[key]
	}
	return v
}

func textAt(root map[string]any, path ...string) string {
	s, _ := at(root, path...).(string)
	return s
}

func wholeAt(root map[string]any, path ...string) *int64 {
	var n int64
	switch v := at(root, path...).(type) {
	case int64:
		n = v
	case int:
		n = int64(v)
	case float64:
		n = int64(v)
		if float64(n) != v {
			return nil
		}
	case string:
		parsed, err := strconv.ParseInt(v, 10, 64)
		if err != nil {
			return nil
		}
		n = parsed
	default:
		return nil
	}
	return &n
}

func rfc3339(t time.Time) string { return t.UTC().Format(time.RFC3339) }
