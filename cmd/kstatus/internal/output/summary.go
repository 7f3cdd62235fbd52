package output

// A Summary says which objects are requested, as far as known without a server.
type Summary struct {
	Subject    string   // "2 objects", or types with their selectors
	Objects    int      // how many, in all clusters; negative if that is not known
	Names      []string // their names as given, unless objects is negative
	Namespaces []string // the namespaces of the objects
	Contexts   []string // the contexts of the kubeconfig; empty inside of a cluster
	Clusters   []string // those of them that name their objects
}
