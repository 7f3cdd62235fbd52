package output

// A Summary describes the requested objects, as far as they are known without a server.
type Summary struct {
	Subject    string   // "2 objects", or types with their selectors.
	Objects    int      // the number in all clusters; negative if unknown.
	Revisions  []string // the revisions of Helm releases, as "revision 3 of helm/web".
	Names      []string // the given names, unless Objects is negative.
	Namespaces []string // the namespaces of the objects.
	Contexts   []string // the contexts of the kubeconfig; empty inside a cluster.
	Clusters   []string // the clusters that are part of the names of objects.
}
