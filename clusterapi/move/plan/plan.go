// Package plan describes what a move of Clusters does with each object: move it, copy it or leave
// it, in which order, and why.
//
// A [Plan] is data. It is the same whenever it is computed from the same objects, so two plans
// can be compared with [Diff]. It has no values of Secrets, and no hashes of them, since a hash of
// a short secret can be guessed.
package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kstatus.dev/author/severity"
	"kstatus.dev/status"
)

// A Scope selects the objects of a move.
type Scope struct {
	// Namespaces are the namespaces whose objects are moved. None means all namespaces.
	Namespaces []string `json:"namespaces,omitempty"`
	// Clusters are names of Clusters. Without names and Selector, all Clusters of the namespaces
	// are moved, and everything in these namespaces that belongs to Cluster API.
	Clusters []string `json:"clusters,omitempty"`
	// Selector is a label selector for Clusters, as the API spells it.
	Selector string `json:"selector,omitempty"`
}

// IsWhole reports whether the scope has whole namespaces instead of single Clusters.
func (s Scope) IsWhole() bool { return len(s.Clusters) == 0 && s.Selector == "" }

// A Decision says what a move does with an object.
type Decision string

// The decisions.
const (
	// Move creates the object in the target, and deletes it from the source.
	Move Decision = "Move"
	// Copy creates the object in the target unless it exists, and keeps it in the source, because
	// objects that stay need it too.
	Copy Decision = "Copy"
	// Exclude keeps the object in the source only.
	Exclude Decision = "Exclude"
)

// An Item is an object and what a move does with it.
type Item struct {
	Group           string `json:"group,omitempty"`
	Version         string `json:"version"`
	Kind            string `json:"kind"`
	Resource        string `json:"resource"`
	Namespace       string `json:"namespace,omitempty"` // empty for cluster-scoped objects
	Name            string `json:"name"`
	UID             string `json:"uid"`
	ResourceVersion string `json:"resourceVersion"`
	// Hash is a SHA-256 of the object without its status and without what a server sets. It is
	// empty for Secrets and ConfigMaps, whose values are not read for a plan.
	Hash string `json:"hash,omitempty"`

	Decision Decision `json:"decision"`
	Reason   string   `json:"reason"`
	// Step is when the object is created, beginning with 0. Deletion has the reverse order. It is
	// -1 for excluded objects.
	Step int `json:"step"`
	// Owners are the UIDs of the owners that are moved or copied too.
	Owners []string `json:"owners,omitempty"`
	// LateOwners are those of the owners that are created after the object, because owner
	// references form a cycle.
	LateOwners []string `json:"lateOwners,omitempty"`
	// Clusters are the Clusters that the object belongs to, as NAMESPACE/NAME.
	Clusters []string `json:"clusters,omitempty"`
	// Root is true for the objects that are paused themselves: Clusters, and the owners of other
	// hierarchies, such as ClusterClasses.
	Root bool `json:"root,omitempty"`
	// WasPaused is true for a root that was paused before the move. It stays paused in the target.
	WasPaused bool `json:"wasPaused,omitempty"`
}

// ID returns the ID of the item.
func (i *Item) ID() status.ID {
	return status.ID{Kind: status.Kind{Group: i.Group, Kind: i.Kind}, Namespace: i.Namespace, Name: i.Name}
}

// Key returns the name of the item for people, as of [Key].
func (i *Item) Key() string { return Key(i.ID()) }

// Key returns the name of an object for people, such as Machine.cluster.x-k8s.io shop/web-0.
func Key(id status.ID) string {
	if id.Namespace == "" {
		return id.Kind.String() + " " + id.Name
	}
	return id.Kind.String() + " " + id.Namespace + "/" + id.Name
}

// A Problem is a reason not to move, or a warning.
type Problem struct {
	// Check is the short name of the check that found the problem. It is API.
	Check    string         `json:"check"`
	Severity severity.Level `json:"severity"`
	Object   string         `json:"object,omitempty"` // as of [Item.Key]; empty if it is about the whole move
	Message  string         `json:"message"`
	Fix      string         `json:"fix,omitempty"` // what to do about it
	// Accept is the word that makes the move go on in spite of the problem, and empty if there is
	// none.
	Accept string `json:"accept,omitempty"`
}

// String returns the problem as one line of text.
func (p Problem) String() string {
	text := p.Severity.String() + ": "
	if p.Object != "" {
		text += p.Object + ": "
	}
	text += p.Message
	if p.Fix != "" {
		text += "; " + p.Fix
	}
	return text + " [" + p.Check + "]"
}

// A Plan is what a move does with each object.
type Plan struct {
	Scope  Scope  `json:"scope"`
	Source string `json:"source"` // the URL of the source's API server, or its folder
	Target string `json:"target"`
	// Items are all discovered objects, by step and then by name. Excluded objects come last.
	Items []*Item `json:"items"`
	// Steps is the number of steps.
	Steps int `json:"steps"`
	// Problems are those that the plan itself shows. Preflights find more.
	Problems []Problem `json:"problems,omitempty"`
}

// Selected returns the items that are moved or copied, in the order of their creation.
func (p *Plan) Selected() []*Item {
	return slices.DeleteFunc(slices.Clone(p.Items), func(i *Item) bool { return i.Decision == Exclude })
}

// Count returns the number of items with a decision.
func (p *Plan) Count(d Decision) (n int) {
	for _, i := range p.Items {
		if i.Decision == d {
			n++
		}
	}
	return n
}

// Sort brings the items into the order of a plan.
func (p *Plan) Sort() {
	slices.SortFunc(p.Items, func(a, b *Item) int {
		last := func(i *Item) int {
			if i.Decision == Exclude {
				return 1
			}
			return 0
		}
		return cmp.Or(last(a)-last(b), a.Step-b.Step, strings.Compare(a.Namespace, b.Namespace),
			strings.Compare(a.Group, b.Group), strings.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name))
	})
}

// Diff returns how a plan differs from an earlier one, one line for each object. It compares
// decisions, identities and contents, but neither the versions of objects nor reasons: controllers
// write a status all the time.
func Diff(before, after *Plan) (lines []string) {
	old := map[string]*Item{}
	for _, i := range before.Items {
		old[i.Key()] = i
	}
	for _, i := range after.Items {
		b := old[i.Key()]
		delete(old, i.Key())
		switch {
		case b == nil && i.Decision == Exclude:
			// Other objects of a namespace come and go.
		case b == nil:
			lines = append(lines, fmt.Sprintf("%s: not in the earlier plan, now %s", i.Key(), i.Decision))
		case b.Decision != i.Decision:
			lines = append(lines, fmt.Sprintf("%s: %s, now %s: %s", i.Key(), b.Decision, i.Decision, i.Reason))
		case i.Decision == Exclude:
		case b.UID != i.UID:
			lines = append(lines, fmt.Sprintf("%s: created again since the earlier plan", i.Key()))
		case b.Hash != i.Hash:
			lines = append(lines, fmt.Sprintf("%s: changed since the earlier plan", i.Key()))
		}
	}
	for key, b := range old {
		if b.Decision != Exclude {
			lines = append(lines, fmt.Sprintf("%s: %s, now not found", key, b.Decision))
		}
	}
	slices.Sort(lines)
	return lines
}
