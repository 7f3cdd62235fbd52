// Package capi checks providers of Cluster API against the contract between them and
// Cluster API's core: https://cluster-api.sigs.k8s.io/developer/providers/contracts/overview.
//
// [Checks] check the definitions of a provider, and what is installed with them.
// [ObjectChecks] check its objects beside the Clusters and Machines that refer to them.
// Both return checks of package lint, which lint.Run runs on one lint.Bundle. The package
// reads neither clusters nor files, and imports nothing of Cluster API: the fields that
// core reads are in the table of contract.go.
//
// role.go says which role core gives a kind, and kind.go which version of it core reads.
// Each check_*.go has one check of definitions, each object_*.go one check of objects.
// decisions.go records where pages of the contract contradict each other.
package capi
