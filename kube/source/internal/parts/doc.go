// Package parts tracks the Pods of workloads, which may explain why a workload is not ready, and
// the EndpointSlices of Services.
//
// The target store calls a [Tracker] for each target that it reports. The Tracker reads the
// parts, with few requests per namespace, and reports them itself. tracker.go is the API.
// pod_tracker.go decides which Pods count for a workload, pods.go keeps the unready ones, and
// endpoints.go handles Services. part_watch.go and part_sink.go read the parts that selector.go
// selects. read.go reads Pods once. refusals.go finds out, by events, that Pods could not be created.
package parts
