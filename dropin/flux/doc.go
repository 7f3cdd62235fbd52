// Package flux gives programs with the unmodified github.com/fluxcd/cli-utils the verdicts of
// kstatus.dev and fewer requests. Such programs use the SDK of Helm 4, or they are controllers
// like those of Flux. They change one line and no module.
//
// [Reader] is a status reader for a watcher and for the waits of Helm. It judges each object by
// itself, so an event of a Deployment causes no request. [Options] are those of a poller. They have
// status readers that also read the Pods of workloads, and [Readers], which reads all objects of a
// round with few requests.
//
// An adapter is an explicit choice, so its verdicts are those of [dropin.Right] unless the caller
// selects another mode. The mode of the program, which dropin.Use and the environment set, has no
// effect here.
//
// reader.go has the status readers, options.go the options of a poller, and convert.go the
// conversions between the types of cli-utils and those of dropin.
package flux
