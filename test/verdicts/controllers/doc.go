// Package controllers runs released controllers of other projects on the test cluster, and compares
// the verdicts on their objects with facts.
//
// controller_test.go starts a controller: its program comes from a module in test/lib/programs, and its
// definitions from the same release. scenario_test.go is the life of one object. Each scenario names
// its truth: a fact that makes the object ready, and that no condition reports. Examples are a Secret
// with a certificate that verifies, and Pods of the new template. watch_test.go watches the object as
// a caller of the library does, and judges each version of it. A verdict Current without the truth is
// early. A verdict that does not become Current after the truth is a stuck wait. page_test.go writes
// docs/reference/real-controllers.md. Each other file has the scenarios of one controller.
package controllers
