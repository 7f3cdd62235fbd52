package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"kstatus.dev/explain"
	"kstatus.dev/internal/integer"
	"kstatus.dev/internal/text"
	"kstatus.dev/observe"
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

// describe takes from an object what is shown of it beside its verdict.
func (v *verdict) describe(root map[string]any) {
	if created, err := time.Parse(time.RFC3339, textAt(root, "metadata", "creationTimestamp")); err == nil {
		v.created = created
	}
	v.Generation = wholeAt(root, "metadata", "generation")
	v.ObservedGeneration = wholeAt(root, "status", "observedGeneration")
}

func (v *verdict) setResult(r status.Result) {
	v.Status, v.Reason, v.Message = r.Status, r.Reason, r.Message
	v.Failure, v.Suspended, v.Confidence = r.Failure, r.Suspended, r.Confidence
	v.Rule, v.Warnings = r.Rule, r.Warnings
}

func (v *verdict) setEvidence(reads []status.Read) {
	for _, read := range reads {
		v.Evidence = append(v.Evidence, evidence{read.Path, printable(read.Value)})
	}
}

// setUnseen makes it the verdict on an object that does not exist or, with an
// error, could not be read.
func (v *verdict) setUnseen(err error) {
	v.Confidence = status.Explicit
	if err == nil {
		v.Status, v.Reason, v.Message = status.NotFoundStatus, "NeverSeen", "it does not exist"
		return
	}
	v.Status, v.Reason, v.Message, v.Error = status.UnknownStatus, "Transport", err.Error(), err.Error()
	if why, ok := errors.AsType[*observe.Unreadable](err); ok {
		v.Reason = why.Reason
	}
}

// malformed is the verdict on what cannot be read as an object.
func (v verdict) malformed(err error) verdict {
	v.Status, v.Reason, v.Message, v.Error = status.UnknownStatus, "Malformed", err.Error(), err.Error()
	v.unjudged = true
	return v
}

// asThing returns the object of a verdict as a fact of an explanation; without
// the object, as far as the verdict goes.
func (v verdict) asThing() explain.Thing {
	if v.thing != nil {
		return *v.thing
	}
	return explain.Thing{ID: explain.ID(v.ID), Result: status.Result{
		Status: v.Status, Reason: v.Reason, Message: v.Message, Failure: v.Failure, Suspended: v.Suspended, Confidence: v.Confidence, Rule: v.Rule,
	}}
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

func identityOfTarget(t observe.Target) identity {
	return identity{Cluster: t.Cluster, Group: t.Kind.Group, Kind: t.Kind.Kind, Namespace: t.Namespace, Name: t.Name}
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

// wholeAt returns the whole number at a path of keys, nil if there is none. Some
// controllers write generations as text, so a number in a text is one as well.
func wholeAt(root map[string]any, path ...string) *int64 {
	v := at(root, path...)
	if n, ok := integer.Of(v); ok {
		return &n
	}
	if s, ok := v.(string); ok {
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return &n
		}
	}
	return nil
}

func rfc3339(t time.Time) string { return t.UTC().Format(time.RFC3339) }
