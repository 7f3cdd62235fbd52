// Package capi judges providers of Cluster API by the contract between them and
// Cluster API's core: https://cluster-api.sigs.k8s.io/developer/providers/contracts/overview.
//
// [Checks] look at the definitions of a provider and at what is installed with
// them, [ObjectChecks] at its objects beside the Clusters and Machines that
// refer to them. Both are checks of package lint, run by [lint.Run] over one
// [lint.Bundle]. Nothing here reads a cluster or a file, and nothing of Cluster
// API is imported: what core reads stands in the tables of contract.go.
//
// role.go says what core takes a kind for, kind.go which version of it core
// reads, check_*.go holds one check each, object_*.go one check of objects each,
// decisions.go what the pages of the contract contradict themselves about.
package capi
