// Package sets finds the objects of a set by what owns it: a Helm release, an
// ApplySet, an app of kapp, an inventory of kpt; and for objects that own
// others by what they say themselves, such as a Kustomization of Flux, an
// Application of Argo CD, a composite resource of Crossplane or a Cluster of
// Cluster API, the objects that they own.
//
// A set is found once, by few requests; who wants to know whether it has
// changed asks again. Nothing is kept of what is read but which objects there
// are: of Secrets only the metadata are read, and of the one Secret that holds
// a Helm release only its manifest, its status and its revision are decoded.
//
// sets.go holds what goes in and what comes out, finder.go how the cluster is
// asked, and refs.go what an object is called in many ways. The sets are found
// in helm.go (with release.go and manifest.go), applyset.go, kapp.go and
// inventory.go; members.go finds objects by their label. expand.go follows
// objects that own others, as owners.go, crossplane.go and capi.go tell, and
// all.go finds all that is in a namespace. names.go says which sets there are.
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

// MaxObjects is how many objects a set may have. One that has more is an error.
const MaxObjects = 50_000

// A Cluster finds sets. Config and Mapper are required.
type Cluster struct {
	Config    *rest.Config
	Mapper    meta.RESTMapper
	Namespace string // where objects are taken to be whose kind is not known and that name no namespace
}

// An Owner names a set by the tool that keeps it.
type Owner struct {
	Type            Type
	Namespace, Name string
}

// A Type is a kind of sets that is not an object of its own name.
type Type string

// The types.
const (
	TypeHelm     Type = "helm"     // a release
	TypeApplySet Type = "applyset" // what has been applied together, as by kubectl apply --applyset
	TypeKapp     Type = "kapp"     // an app
	TypeKpt      Type = "kpt"      // an inventory, as by kpt live apply
)

// Types returns all types.
func Types() []Type { return []Type{TypeHelm, TypeApplySet, TypeKapp, TypeKpt} }

// ParseOwner reads TYPE/NAME; false if it does not name a set.
func ParseOwner(text, namespace string) (Owner, bool) {
	what, name, _ := strings.Cut(text, "/")
	o := Owner{Type(what), namespace, name}
	return o, slices.Contains(Types(), o.Type) && name != ""
}

// String returns the owner as TYPE/NAME.
func (o Owner) String() string { return string(o.Type) + "/" + o.Name }

// A Set is what has been found.
type Set struct {
	Objects     []observe.Target                  // each once; what owns others stands before them
	Owners      map[observe.Target]observe.Target // of those that [Cluster.Expand] has found by what owns them: which one that is
	Notes       []string                          // what people should know of it, such as that a release has failed
	Permissions []Permission                      // what has been read to find it, sorted
}

// A Permission is a permission that was used to find a set.
type Permission struct {
	Verb            string // get or list
	Group, Resource string
	Namespace       string // empty: in all, or there are none
	Name            string // empty: any
}

// A NotFoundError error says that the owner of a set is not there.
type NotFoundError struct{ Text string }

func (e *NotFoundError) Error() string { return e.Text }

// Find finds a set. The error is a [NotFoundError] if there is none of that name.
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

// dedupe leaves out what has been there before.
func dedupe(all []observe.Target) []observe.Target {
	seen := make(map[observe.Target]bool, len(all))
	return slices.DeleteFunc(all, func(t observe.Target) bool {
		twice := seen[t]
		seen[t] = true
		return twice
	})
}
