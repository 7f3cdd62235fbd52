// Package management reads the objects of Cluster API in a management cluster. It finds their
// kinds, their owners, their Clusters, and the objects that they name.
//
// [Client.Kinds] finds the kinds, [Client.Read] their objects, and [NewGraph] the relations
// between objects. NewGraph sends no request. Values of Secrets and ConfigMaps are never read:
// their objects have metadata only.
//
// # Reading order
//
// client.go has the clients, kinds.go the kinds, read.go the lists, graph.go the relations, and
// references.go the references by name.
package management
