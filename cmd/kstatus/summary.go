package main

// A summary says which objects were requested, before any server is.
type summary struct {
	subject    string   // "2 objects", or types with their selectors
	objects    int      // how many there are, in all clusters; negative: what matches is not known
	names      []string // their names as given, unless objects is negative
	namespaces []string // where they are
	contexts   []string // the contexts of the kubeconfig; empty inside of a cluster
	clusters   []string // those of them that name their objects
}
