package explain

import (
	"slices"

	"kstatus.dev/status"
)

// A Wish is something that is not among the facts and may explain an object.
type Wish struct {
	What WishKind
	ID   ID          // WishParts: whose parts; WishObject: which one; WishEvents: about which one
	Kind status.Kind // WishParts: of which kind
	Log  LogWish     // WishLog: which one
	List List        // WishList: of what
}

// A WishKind says what is wished for.
type WishKind string

// What may be wished for.
const (
	WishParts  WishKind = "parts"
	WishObject WishKind = "object"
	WishEvents WishKind = "events"
	WishLog    WishKind = "log"
	WishList   WishKind = "list" // objects found by their labels or their namespace, and that there are no others
)

// Wishes returns what to read next to explain the objects asked about, in order.
// It is empty when nothing more would help. The same is wished for again until
// it is among the facts, so one who cannot have it must remember that.
//
// What has no parts or no events by now cannot be told from what has not been
// read: they are wished for as long as there are none.
func Wishes(f *Facts, asked ...ID) (all []Wish) {
	w := newWalk(f, asked)
	for _, n := range w.asked {
		if w.scene.nodes[n.ID] == nil {
			all = append(all, Wish{What: WishObject, ID: n.ID})
		}
	}
	groups := w.groups()
	for _, n := range w.scene.all {
		if _, visited := w.below[n]; visited {
			all = append(all, n.wishes()...)
		}
	}
	for _, g := range groups {
		if log := g.missingLog(w.scene); log != nil {
			all = append(all, Wish{What: WishLog, Log: *log})
		}
	}
	return all
}

// wishes returns what would help to explain an object that is looked at.
func (n *node) wishes() (all []Wish) {
	if n.Object != nil {
		for _, kind := range partsOf[n.ID.GroupKind()] {
			if !slices.ContainsFunc(n.parts, func(p *node) bool { return p.ID.GroupKind() == kind }) {
				all = append(all, Wish{What: WishParts, ID: n.ID, Kind: kind})
			}
		}
		if n.ID.GroupKind() == deployment && !n.done() && n.Text("spec.strategy.type") == "Recreate" {
			for _, set := range n.parts {
				if len(set.parts) == 0 && set.done() {
					all = append(all, Wish{What: WishParts, ID: set.ID, Kind: pod})
				}
			}
		}
		for _, l := range n.wanted() {
			all = append(all, Wish{What: WishList, ID: n.ID, List: l})
		}
	}
	if n.done() && !saysLittle[n.ID.GroupKind()] {
		return all
	}
	for _, ref := range n.references() {
		if n.scene.find(ref.ID) == nil {
			all = append(all, Wish{What: WishObject, ID: ref.ID})
		}
	}
	if n.Object != nil && len(n.events) == 0 {
		all = append(all, Wish{What: WishEvents, ID: n.ID})
	}
	return all
}
