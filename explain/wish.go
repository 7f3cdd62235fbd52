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
	t := newTraversal(f, asked)
	for _, o := range t.requested {
		if t.index.objects[o.ID] == nil {
			all = append(all, Wish{What: WishObject, ID: o.ID})
		}
	}
	groups := t.groups()
	for _, o := range t.index.all {
		if _, visited := t.findings[o]; visited {
			all = append(all, o.wishes()...)
		}
	}
	for _, g := range groups {
		if log := g.missingLog(t.index); log != nil {
			all = append(all, Wish{What: WishLog, Log: *log})
		}
	}
	return all
}

// wishes returns what would help to explain an object that is looked at.
func (o *object) wishes() (all []Wish) {
	if o.Object != nil {
		for _, kind := range partsOf[o.ID.GroupKind()] {
			if !slices.ContainsFunc(o.parts, func(p *object) bool { return p.ID.GroupKind() == kind }) {
				all = append(all, Wish{What: WishParts, ID: o.ID, Kind: kind})
			}
		}
		if o.ID.GroupKind() == deployment && !o.isDone() && o.Text("spec.strategy.type") == "Recreate" {
			for _, set := range o.parts {
				if len(set.parts) == 0 && set.isDone() {
					all = append(all, Wish{What: WishParts, ID: set.ID, Kind: pod})
				}
			}
		}
		for _, l := range o.missingLists() {
			all = append(all, Wish{What: WishList, ID: o.ID, List: l})
		}
	}
	if o.isDone() && !currentSaysLittle[o.ID.GroupKind()] {
		return all
	}
	for _, ref := range o.references() {
		if o.index.find(ref.ID) == nil {
			all = append(all, Wish{What: WishObject, ID: ref.ID})
		}
	}
	if o.Object != nil && len(o.events) == 0 {
		all = append(all, Wish{What: WishEvents, ID: o.ID})
	}
	return all
}
