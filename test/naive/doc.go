// Package naive is an infrastructure provider as providers are often written: it does what the one
// in examples/provider does, and reports badly. Tests hold the audit and the scenarios of the contract
// against it.
//
// mistakes.go is the table of its mistakes, each with the rule that it breaks. An object names in the
// annotation naive.kstatus.dev/mistakes those that are made with it, so that each can be seen by itself;
// with an object that has no such annotation all those are made that break the contract of providers.
package naive

import _ "embed"

// Definitions are the definitions of its kinds, PlainCluster, PlainMachine and PlainMachineTemplate, as
// loose as such definitions often are.
//
//go:embed definitions.yaml
var Definitions string
