package output

// A Summary says which objects were requested, before any server is.
type Summary struct {
	Subject    string   // "2 objects", or types with their selectors
	Objects    int      // how many there are, in all clusters; negative: what matches is not known
	Names      []string // their names as given, unless objects is negative
	Namespaces []string // where they are
	Contexts   []string // the contexts of the kubeconfig; empty inside of a cluster
	Clusters   []string // those of them that name their objects
}
