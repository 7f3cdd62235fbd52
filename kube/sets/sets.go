// Package sets finds the objects of a set.
//
// A set is a Helm release, an ApplySet, an app of kapp, or an inventory of kpt.
// [Cluster.Find] finds its objects. Other objects name the objects that they own.
// Examples are a Kustomization of Flux, an Application of Argo CD, a composite
// resource of Crossplane, and a Cluster of Cluster API. [Cluster.Expand] finds
// these.
//
// A set is found once, with few requests. Call again to see whether it has
// changed. Only the metadata of Secrets is read, except for the Secret of a
// Helm release. From that Secret, its manifest, status, revision and
// description are decoded.
//
// # Reading order
//
// The file sets.go holds the API, finder.go the requests, and refs.go the ways
// to refer to an object. The files helm.go, manifest.go,
// applyset.go, kapp.go and inventory.go find sets, and revision.go describes
// revisions of Helm. The file members.go finds
// objects by their label. The file expand.go follows owners, with the help of
// owners.go, crossplane.go and capi.go. The file all.go finds all objects of a
// namespace, and names.go the names of sets.
package sets

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/rest"

	"kstatus.dev/observe"
)

// MaxObjects limits the objects of a set. A larger set is an error.
const MaxObjects = 50_000

// A Cluster finds sets in a cluster. Config and Mapper are required. A Cluster may be used
// by several goroutines if its Mapper may.
type Cluster struct {
	Config *rest.Config
	Mapper meta.RESTMapper
	// Namespace is the namespace of objects that name none and whose kind is not known.
	Namespace string
	// Deleting makes [Cluster.FindAll] also find objects that it leaves out and whose deletion does
	// not end.
	Deleting bool
}

// An Owner identifies a set by the tool that manages it.
type Owner struct {
	Type            Type
	Namespace, Name string
}

// A Type is a type of sets.
type Type string

// These are the types of sets.
const (
	TypeHelm     Type = "helm"     // a Helm release
	TypeApplySet Type = "applyset" // objects that were applied together, for example by kubectl apply --applyset
	TypeKapp     Type = "kapp"     // an app of kapp
	TypeKpt      Type = "kpt"      // an inventory, as of kpt live apply
)

// Types returns all types.
func Types() []Type { return []Type{TypeHelm, TypeApplySet, TypeKapp, TypeKpt} }

// ParseOwner parses TYPE/NAME, and returns the owner in the namespace. It returns false if
// the text does not name a set.
func ParseOwner(text, namespace string) (Owner, bool) {
	what, name, _ := strings.Cut(text, "/")
	o := Owner{Type(what), namespace, name}
	return o, slices.Contains(Types(), o.Type) && name != ""
}

// String returns the owner as TYPE/NAME.
func (o Owner) String() string { return string(o.Type) + "/" + o.Name }

// A Set is a set of objects that was found.
type Set struct {
	// Objects are the objects, each once. Owners come before the objects that they own.
	Objects []observe.Target
	// Owners maps objects that [Cluster.Expand] has found to their owners.
	Owners map[observe.Target]observe.Target
	// Revision is the revision of the Helm release; nil for other sets.
	Revision *Revision
	// Notes are messages for users, for example about kinds that may not be
	// listed.
	Notes []string
	// Permissions are the permissions that were used to find the set, sorted.
	Permissions []Permission
}

// A Permission is a permission that was used to find a set.
type Permission struct {
	Verb            string // get or list
	Group, Resource string
	Namespace       string // empty for all namespaces, and for kinds without namespaces
	Name            string // empty for all names
	Optional        bool   // without it, some objects whose deletion does not end are not found
}

// A NotFoundError reports that the owner of a set does not exist. Text
// describes where it was searched for.
type NotFoundError struct{ Text string }

func (e *NotFoundError) Error() string { return e.Text }

// Find finds the objects of a set. The error is a [NotFoundError] if the owner does not exist.
func (c *Cluster) Find(ctx context.Context, o Owner) (Set, error) {
	f, err := c.finder()
	if err != nil {
		return Set{}, err
	}
	find := map[Type]func(context.Context, Owner) ([]observe.Target, error){
		TypeHelm: f.helm, TypeApplySet: f.applySet, TypeKapp: f.kapp, TypeKpt: f.kpt,
	}[o.Type]
	if find == nil {
		return Set{}, fmt.Errorf("%s: want a set of one of the types %v", o, Types())
	}
	found, err := find(ctx, o)
	if err != nil {
		return f.set(nil), fmt.Errorf("%s: %w", o, err)
	}
	if len(found) > MaxObjects {
		return f.set(nil), fmt.Errorf("%s: want at most %d objects, have %d", o, MaxObjects, len(found))
	}
	return f.set(found), nil
}

// dedupe removes duplicates.
func dedupe(all []observe.Target) []observe.Target {
	seen := make(map[observe.Target]bool, len(all))
	return slices.DeleteFunc(all, func(t observe.Target) bool {
		twice := seen[t]
		seen[t] = true
		return twice
	})
}
