// Package parts tracks what the controllers of targets have made: the Pods of
// workloads, which may say why a workload is not ready, and the EndpointSlices
// on which Services rest.
//
// The store of targets calls a [Tracker] for each target that it reports. The
// Tracker reads the parts, with few requests for each namespace, and reports
// them itself. tracker.go is what the store calls, pod_tracker.go decides which
// Pods count for a workload, pods.go keeps those that are not ready, endpoints.go
// does the same for Services. part_watch.go and part_sink.go read the parts,
// selector.go says which. read.go reads Pods once.
package parts
