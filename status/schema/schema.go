// Package schema reads what the schema of a Kubernetes kind declares about its status. It finds
// whether the status exists, is a subresource, and has an observed generation and conditions.
//
// [FromCRDs] reads CustomResourceDefinitions, and [FromOpenAPI] a schema that an API server
// publishes. A status.Evaluator with the result waits for the first report of a controller:
//
//	expect, err := schema.FromCRDs(definition.Object)
//	e := status.Evaluator{Expect: expect}
//
// A [Generation] is part of a rule for a kind: the meaning of status.observedGeneration in the
// API of the kind. [StatusWritten] finds out from metadata.managedFields whether a controller
// has reported on an object.
//
// schema.go declares the results, crd.go reads definitions, openapi.go schemas, and fields.go
// fields of both.
package schema

import (
	"kstatus.dev/internal/decoded"
	"kstatus.dev/status/internal/managedfields"
)

// An Expectation is what the schema of a kind declares about its status, and what other objects
// of the kind have. If the two differ, the schema counts. The zero Expectation has no
// information.
type Expectation struct {
	Status             Tristate // the schema has a status with fields
	ObservedGeneration Tristate // the status has an observedGeneration
	Conditions         Tristate // the status has conditions
	SummaryCondition   string   // the condition in a printer column of the kind; may be empty
	Subresource        Tristate // the status is a subresource; unknown if the kind has no status
	DefaultsStatus     bool     // the defaults of the schema give a new object a status
	Source             string   // the source of the schema, such as "CustomResourceDefinition widgets.example.com"
	Peers              Peers
}

// Expectations returns what the schema of a kind declares, the zero Expectation if it is
// unknown. It must be safe for concurrent use.
type Expectations func(apiVersion, kind string) Expectation

// Peers says which fields the status of other objects of a kind has. TristateNo means that no
// object that is old enough has the field.
type Peers struct {
	Status             Tristate
	ObservedGeneration Tristate
	Example            string // an object with the field, such as "Widget shop/a"
	Pending            bool   // other objects will be read soon; the fields above are not known before
}

// A Tristate is yes, no or unknown. The zero Tristate is TristateUnknown.
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

// A Generation is the meaning of status.observedGeneration in the API of a kind.
type Generation int

// The ways to read an observed generation.
const (
	GenerationCompare    Generation = iota // if both generations exist, they must be equal; a missing one proves nothing
	GenerationRequired                     // without an observed generation, the controller has not acted
	GenerationAllowAhead                   // like GenerationCompare, but the observed generation may be ahead of the object's
	GenerationByRule                       // the rule of the kind reads it, or the kind has none
	// like GenerationCompare, but if the schema declares the field, it must exist; the default for
	// kinds without a rule
	GenerationAsDeclared
)

// StatusWritten reports whether a controller has written the status of a decoded object, by
// metadata.managedFields:
//
//   - TristateYes: the status was written through the status subresource.
//   - TristateNo: writes of the object are recorded, but none of its status. The
//     status then has only the defaults of its schema.
//   - TristateUnknown: no write is recorded, or the record began after the object was created
//     ("before-first-apply"). It is also the result if one write was of both the status and the
//     rest of the object.
//
// TristateNo proves something only if the kind has a status subresource.
func StatusWritten(obj map[string]any) Tristate {
	w := managedfields.Read(decoded.At(obj, "metadata", "managedFields"))
	switch {
	case w.Written:
		return TristateYes
	case w.Unwritten:
		return TristateNo
	}
	return TristateUnknown
}
