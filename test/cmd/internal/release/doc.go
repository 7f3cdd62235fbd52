// Package release prepares releases of the modules of this repository, and proves before a
// release that others can import them.
//
// All modules are released from one commit with one version, which is also the version of their
// requirements on each other. A [Workspace] contains them in the order of their tags, each
// after its requirements.
//
// [Workspace.Check] simulates a release in a temporary folder, and uses the release as others
// do. [Workspace.Tidy] keeps go.mod and go.sum tidy between releases, and [Workspace.Next]
// chooses the next version. [Workspace.WriteSums] completes go.sum before the tags, and
// [Workspace.CompareAPI] compares exported names with those of the last release.
package release
