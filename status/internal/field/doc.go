// Package field classifies the fields of a status by their names, such as phase, readyReplicas
// and completionTime.
//
// Its functions depend on the name alone, not on the value or the kind. role.go holds what a field
// means, and count.go the names of numbers that must reach others. Package word classifies the
// values.
package field
