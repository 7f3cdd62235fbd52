package planner

import (
	"fmt"
	"strings"

	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move/plan"
)

// keepShared turns into copies what objects need that stay in the source, also as originals of
// copies. It judges an object again when one of its owners has become a copy. If an object that
// names it has, it does so in the next pass.
func (x *selection) keepShared() {
	users := map[*management.Object]*management.Object{} // a user that stays, by what it names
	x.work.restart()
	stays := func(o *management.Object) {
		for _, needed := range needs(o) {
			if user := users[needed]; user == nil || user.Index < o.Index {
				users[needed] = o
			}
		}
	}
	for _, o := range x.graph.Objects {
		if x.chosen[o].decision == plan.Move {
			x.work.add(0, o.Index)
		} else {
			stays(o)
		}
	}
	var copied []*management.Object // in this pass
	pass := 0
	for v, more := x.work.next(); more; v, more = x.work.next() {
		if v.pass > pass {
			for _, o := range copied {
				stays(o)
			}
			pass, copied = v.pass, nil
		}
		o := x.graph.Objects[v.index]
		if x.chosen[o].decision != plan.Move {
			continue
		}
		reason := x.whyKept(o, users[o])
		if reason == "" {
			continue
		}
		x.chosen[o] = choice{plan.Copy, reason}
		copied = append(copied, o)
		for _, owned := range o.Owned {
			x.work.add(0, owned.Index)
		}
		for _, needed := range needs(o) {
			x.work.addLater(0, needed.Index)
		}
	}
}

// needs returns what an object names, and its class.
func needs(o *management.Object) (all []*management.Object) {
	for _, r := range o.References {
		if r.Object != nil {
			all = append(all, r.Object)
		}
	}
	if o.Class != nil {
		all = append(all, o.Class)
	}
	return all
}

// whyKept returns why an object must stay in the source too, or an empty text.
func (x *selection) whyKept(o, user *management.Object) string {
	if !o.Kind.Namespaced {
		return "it is cluster-scoped: it is created if it does not exist, and never changed or deleted"
	}
	if !x.inScope(o.GetNamespace()) {
		return "it is in another namespace"
	}
	if o.Kind.GroupKind() == management.Cluster {
		return ""
	}
	if cluster := x.staying(o); cluster != nil {
		return fmt.Sprintf("it also belongs to Cluster %s, which stays", cluster.GetName())
	}
	if user != nil && (len(o.Clusters) == 0 || o.Kind.MetadataOnly()) {
		return fmt.Sprintf("%s %s, which stays, needs it too", user.Kind.Kind, strings.TrimPrefix(user.GetNamespace()+"/"+user.GetName(), "/"))
	}
	if len(o.Clusters) > 0 {
		return ""
	}
	for _, owner := range o.Owners {
		if x.chosen[owner].decision != plan.Move {
			return fmt.Sprintf("%s %s, which stays, owns it", owner.Kind.Kind, owner.GetName())
		}
	}
	if x.partial && o.Kind.GroupKind() == management.ClusterClass {
		return "Clusters of other namespaces may need it"
	}
	return ""
}
