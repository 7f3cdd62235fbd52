// Package rack is a bootstrap provider and a control plane provider of Cluster API, as small as
// core allows. With the example provider for the infrastructure, core makes complete Clusters
// from a ClusterClass.
//
// A RackControlPlane creates a Machine for each replica, and the Secrets of the Cluster. A
// RackConfig creates the Secret with the bootstrap data of its Machine. Both acknowledge pauses.
// All names derive from the names of the objects, so a copy in another cluster finds everything.
package rack
