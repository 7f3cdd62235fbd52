// Package release prepares releases of the modules of this repository, and proves before a release
// that others can import them.
//
// All modules are released in one version, from one commit: the version in which they require each
// other. A [Workspace] holds them in the order of their tags, each after those that it requires.
//
// [Workspace.Check] simulates a release in a temporary folder, and uses what was released as others
// do. [Workspace.Tidy] keeps go.mod and go.sum tidy between releases, [Workspace.Next] chooses the
// next version, [Workspace.WriteSums] completes go.sum before the tags, and [Workspace.CompareAPI]
// compares exported names with those of the last release.
package release
