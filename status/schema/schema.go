// Package schema reads what the schema of a Kubernetes kind declares about its status:
// whether there is one, whether it has an observed generation and conditions, and
// whether controllers write it by a subresource.
//
// [FromCRDs] reads CustomResourceDefinitions, and [FromOpenAPI] a schema that an API
// server publishes. A status.Evaluator that gets the result waits for the first report of a
// controller:
//
//	expect, err := schema.FromCRDs(definition.Object)
//	e := status.Evaluator{Expect: expect}
//
// A [Generation] is part of a rule for a kind: it says what the API of the kind means by
// status.observedGeneration. [StatusWritten] tells from the record of writes whether a
// controller has reported on an object.
//
// schema.go declares the results, crd.go reads definitions, openapi.go schemas, and
// fields.go fields of both.
package schema

import "kstatus.dev/status/internal/managedfields"

// An Expectation is what the schema of a kind declares about its status, and what other
// objects of the kind show. Where the two differ the schema counts. The zero Expectation
// says that nothing is known.
type Expectation struct {
	Status             Tristate // the schema has a status that can hold something
	ObservedGeneration Tristate // the status has an observedGeneration
	Conditions         Tristate // the status has conditions
	SummaryCondition   string   // the condition that the kind's table of objects shows as its state; may be empty
	Subresource        Tristate // the status is written by a subresource; unknown of a kind without a status
	DefaultsStatus     bool     // the schema fills in a status that says that no controller has reported yet
	Source             string   // what declares it, such as "CustomResourceDefinition widgets.example.com"
	Peers              Peers
}

// Expectations returns what the schema of a kind declares, the zero Expectation if
// nothing is known. Several goroutines may call it at the same time.
type Expectations func(apiVersion, kind string) Expectation

// Peers is what other objects of a kind show of what their controller reports.
// TristateNo says that none of those that are old enough has it.
type Peers struct {
	Status             Tristate
	ObservedGeneration Tristate
	Example            string // an object that has it, such as "Widget shop/a"
}

// A Tristate says whether something is so. The zero Tristate is TristateUnknown.
type Tristate int

// The values of a Tristate.
const (
	TristateUnknown Tristate = iota
	TristateYes
	TristateNo
)

// String returns yes, no or unknown.
func (t Tristate) String() string {
	switch t {
	case TristateYes:
		return "yes"
	case TristateNo:
		return "no"
	}
	return "unknown"
}

// A Generation says what the API of a kind means by status.observedGeneration.
type Generation int

// The ways to read an observed generation.
const (
	GenerationCompare    Generation = iota // if both generations exist they must be equal; a missing one proves nothing
	GenerationRequired                     // a missing observed generation means that the controller has not acted
	GenerationAllowAhead                   // as GenerationCompare, but an observed generation may be ahead of the object's
	GenerationByRule                       // the rule of the kind reads it, or the kind has none
	GenerationAsDeclared                   // as GenerationCompare, but one that the schema declares must exist; kinds without a rule are read so
)

// StatusWritten reports whether a controller has written the status of an object, given
// as data, by metadata.managedFields:
//
//   - TristateYes: somebody has, by the status subresource.
//   - TristateNo: the writes of the object are recorded, and none is one of its status.
//     The status then holds the defaults of its schema.
//   - TristateUnknown: no write is recorded; or the record began after the object was
//     created, which is "before-first-apply"; or the status was written with the rest of
//     the object.
//
// TristateNo proves something only where the kind has a status subresource.
func StatusWritten(obj map[string]any) Tristate {
	metadata, _ := obj["metadata"].(map[string]any)
	w := managedfields.Read(metadata["managedFields"])
	switch {
	case w.Written:
		return TristateYes
	case w.Unwritten:
		return TristateNo
	}
	return TristateUnknown
}
