package status

import (
	"errors"
	"fmt"
	"strings"
)

// An Expectation is what a kind's schema promises about its status, and what
// other objects of the kind show. Where the two differ the schema counts.
type Expectation struct {
	Status             Tristate
	ObservedGeneration Tristate
	Conditions         Tristate
	SummaryCondition   ConditionType // the condition that the kind's table of objects shows as its state
	Subresource        Tristate      // the status is written by a subresource; not known of a kind without a status
	DefaultsStatus     bool          // the schema fills in a status that speaks for a controller which has yet to come
	Source             string        // where the promise stands, such as "CustomResourceDefinition widgets.example.com"
	Peers              Peers
}

// Peers is what other objects of a kind show of what their controller reports.
// Denied says that none of those that are old enough has it.
type Peers struct {
	Status             Tristate
	ObservedGeneration Tristate
	Example            string // one that has what is promised, such as "Widget shop/a"
}

// A Tristate says whether a schema has a field.
type Tristate int

// The values of a promise.
const (
	TristateUnknown Tristate = iota
	TristateYes
	TristateNo
)

// Expectations tells what the schema of a kind promises. The zero Expectation
// says that nothing is known.
type Expectations func(apiVersion, kind string) Expectation

func (e *Expectation) source() string {
	if e.Source == "" {
		return "its schema"
	}
	return "the schema of " + e.Source
}

// name returns what has a status subresource.
func (e *Expectation) name() string {
	if e.Source == "" {
		return "its kind"
	}
	return e.Source
}

// generation returns, to follow "which", who promises an observed generation;
// empty if nobody does.
func (e *Expectation) generation() string {
	switch {
	case e.ObservedGeneration == TristateYes:
		return e.source() + " declares"
	case e.ObservedGeneration == TristateUnknown && e.Peers.ObservedGeneration == TristateYes:
		return e.Peers.Example + " has"
	}
	return ""
}

// status returns, to follow "although", who promises a status; empty if nobody does.
func (e *Expectation) status() string {
	switch {
	case e.Status == TristateYes:
		return e.source() + " declares a status"
	case e.Status == TristateUnknown && e.Peers.Status == TristateYes:
		return e.Peers.Example + " has a status"
	}
	return ""
}

// ExpectationsFromCRDs reads from CustomResourceDefinitions, given as data,
// what their kinds promise. It looks at the schema of each served version:
//
//   - A kind whose schema has a status that can hold something promises a
//     status, and of observedGeneration and conditions those that the status has.
//   - A kind whose schema has none, or one without any field, denies a status:
//     the API server would prune it.
//   - Where unknown fields are preserved, or where there is no schema, nothing is known.
//   - A kind that has no status subresource says so, since then each write of
//     its status counts as a new generation.
//
// A definition that cannot be read is left out and named in the error; the
// expectations are good for all others. Of two for one kind the later holds.
func ExpectationsFromCRDs(crds ...Object) (Expectations, error) {
	type versioned struct{ apiVersion, kind string }
	known := map[versioned]Expectation{}
	var errs []error
	for _, crd := range crds {
		err := eachServed(crd, func(apiVersion, kind string, e Expectation) {
			known[versioned{apiVersion, kind}] = e
		})
		if err != nil {
			errs = append(errs, err)
		}
	}
	return func(apiVersion, kind string) Expectation {
		return known[versioned{apiVersion, kind}]
	}, errors.Join(errs...)
}

// IsCRD reports whether obj is a CustomResourceDefinition.
func IsCRD(obj Object) bool {
	if obj == nil {
		return false
	}
	f := Fields{node: obj.UnstructuredContent()}
	kind, err := f.kind()
	return err == nil && kind == Kind{"apiextensions.k8s.io", "CustomResourceDefinition"}
}

// eachServed yields what each served version of a definition promises.
func eachServed(crd Object, yield func(apiVersion, kind string, e Expectation)) error {
	if !IsCRD(crd) {
		return errors.New("read CustomResourceDefinition: the object is of another kind")
	}
	ev := newEvaluation(crd.UnstructuredContent())
	defer ev.release()
	o := &ev.object
	name := o.Text("metadata.name", "")
	group, kind := o.Text("spec.group", ""), o.Text("spec.names.kind", "")
	if ev.err == nil && (group == "" || kind == "") {
		ev.err = errors.New("spec.group and spec.names.kind: want both, have an empty one")
	}
	promises := map[string]Expectation{}
	for v := range o.Each("spec.versions") {
		if v.Bool("served", true) {
			promises[group+"/"+v.Text("name", "")] = readPromise(o, v)
		}
	}
	if only := o.Text("spec.version", ""); only != "" && len(promises) == 0 { // apiextensions.k8s.io/v1beta1
		promises[group+"/"+only] = readPromise(o, o)
	}
	if ev.err != nil {
		return fmt.Errorf("read CustomResourceDefinition %s: %w", name, ev.err)
	}
	for apiVersion, e := range promises {
		e.Source = "CustomResourceDefinition " + name
		yield(apiVersion, kind, e)
	}
	return nil
}

// readPromise reads the promise of version v of definition o. In v1beta1 the
// definition itself may hold what applies to all versions.
func readPromise(o, v *Fields) Expectation {
	s := schema{v, "schema.openAPIV3Schema"}
	if v.Map(s.root) == nil {
		s = schema{o, "spec.validation.openAPIV3Schema"}
	}
	e := s.expectation()
	e.SummaryCondition = shownCondition(v)
	if e.SummaryCondition == "" {
		e.SummaryCondition = shownCondition(o)
	}
	switch {
	case e.Status == TristateNo:
	case v.Has("subresources.status"), o.Has("spec.subresources.status"):
		e.Subresource = TristateYes
	default:
		e.Subresource = TristateNo
	}
	return e
}

// shownCondition returns the condition that a table of objects of the kind shows. If
// it shows several, the first of summaryConditions counts. It is empty if there is
// none.
func shownCondition(of *Fields) (t ConditionType) {
	list := "additionalPrinterColumns"
	if of.outer == nil {
		list = "spec." + list
	}
	for c := range of.Each(list) {
		path := c.Text("jsonPath", "") + c.Text("JSONPath", "") // as v1beta1 has it
		_, name, found := strings.Cut(path, ".status.conditions[?(@.type")
		name, _, closed := strings.Cut(strings.TrimLeft(name, "= '\"\\"), ")].status")
		name = strings.TrimRight(name, " '\"\\")
		if found && closed && rankOf(name) < rankOf(string(t)) {
			t = ConditionType(name)
		}
	}
	return t
}

// ExpectationFromSchema reads from the OpenAPI schema of a kind, given as data,
// what it promises, as [ExpectationsFromCRDs] does. References are not followed.
// Whether there is a status subresource does not stand in a schema.
func ExpectationFromSchema(openAPI map[string]any) (Expectation, error) {
	ev := newEvaluation(map[string]any{"schema": openAPI})
	defer ev.release()
	e := schema{&ev.object, "schema"}.expectation()
	if ev.err != nil {
		return Expectation{}, fmt.Errorf("read schema: %w", ev.err)
	}
	return e, nil
}

// A schema is an OpenAPI schema inside of a definition.
type schema struct {
	in   *Fields
	root string
}

func (s schema) expectation() Expectation {
	return Expectation{
		Status:             s.promise("status"),
		ObservedGeneration: s.promise("status", "observedGeneration"),
		Conditions:         s.promise("status", "conditions"),
		DefaultsStatus:     s.defaults(),
	}
}

// defaults reports whether each object has a status from the start that says
// that nobody has looked at it: no generation observed, or conditions that wait.
// The defaults of fields count only where the status itself has one.
func (s schema) defaults() bool {
	path := s.root + ".properties.status"
	all, ok := s.in.get(path + ".default").(map[string]any)
	if !ok {
		return false
	}
	value := func(field string) any {
		if v, ok := all[field]; ok {
			return v
		}
		return s.in.get(path + ".properties." + field + ".default")
	}
	seen, ok := generationOf(value("observedGeneration"))
	return ok && seen <= 0 || len(asList(value("conditions"))) > 0
}

// promise says whether a schema has a field, given by the names that lead to it.
func (s schema) promise(names ...string) Tristate {
	path, open := s.root, s.in.Len(s.root) == 0
	for _, name := range names {
		open = open || s.open(path)
		path += ".properties." + name
		switch {
		case s.in.Map(path) != nil:
			open = false
		case open:
			return TristateUnknown
		default:
			return TristateNo
		}
	}
	if len(names) == 1 && s.holdsNothing(path) {
		return TristateNo
	}
	return TristateYes
}

// open reports whether an object of the schema may have fields that the schema does not name.
func (s schema) open(path string) bool {
	extra := s.in.get(path + ".additionalProperties")
	return s.in.Bool(path+".x-kubernetes-preserve-unknown-fields", false) || extra != nil && extra != false
}

// holdsNothing reports whether an object of the schema must be empty, as the
// status of a kind whose author has not begun to write one.
func (s schema) holdsNothing(path string) bool {
	return s.in.Text(path+".type", "object") == "object" && s.in.Len(path+".properties") == 0 && !s.open(path)
}
