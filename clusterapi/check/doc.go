// Package check checks providers of Cluster API against their contract with
// Cluster API's core:
// https://cluster-api.sigs.k8s.io/developer/providers/contracts/overview.
//
// [Checks] check the definitions of a provider and the objects that are
// installed with them. [ObjectChecks] check the provider's objects, with the
// Clusters and Machines that refer to them. Both return checks of package lint.
// Run them on a lint.Bundle with lint.Run. The package reads neither clusters
// nor files, and does not import Cluster API. The table in contract.go lists
// the fields that core reads.
//
// File role.go decides the role of a kind, and kind.go the version of it that
// core reads. Each check_*.go has one check of definitions, each object_*.go
// one check of objects. File decisions.go records contradictions between pages
// of the contract.
package check
