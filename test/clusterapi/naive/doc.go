// Package naive is an infrastructure provider like that in examples/provider, but with the usual
// mistakes in its status. Tests run the audit and the scenarios of the contract against it.
//
// mistakes.go is the table of its mistakes, each with the rule that it breaks. The annotation
// naive.kstatus.dev/mistakes of an object selects mistakes, so that each can be tested by
// itself. Without the annotation, all mistakes that break the contract of providers are made.
package naive

import _ "embed"

// Definitions are the definitions of its kinds, PlainCluster, PlainMachine and
// PlainMachineTemplate. They are as loose as real ones often are.
//
//go:embed definitions.yaml
var Definitions string
