package explain

import (
	"slices"

	"kstatus.dev/explain/internal/reference"
	"kstatus.dev/status"
)

// An objectRef is a reference of one object to another.
type objectRef struct {
	Path           string    // of the field with the reference
	ID             status.ID // without a Group: of the only kind of that name, or the core group
	Optional       bool      // it may be missing
	FollowCurrent  bool      // followed even while Current: a Current Service may have no endpoint
	isFieldsOnly   bool      // its problems do not count, only its fields
	Guessed        bool      // the field only looks like a reference; it counts as missing if a message names it
	reportedBy     *Evidence // the statement with the reference, if it is not in a field
	isOutput       bool      // the object itself is to create it
	isDependency   bool      // a log reports that it cannot be connected to
	isSimilar      bool      // the kind is guessed: a similar kind counts too; see SimilarKind
	blocksDeletion bool      // it blocks the deletion without being deleted itself
}

// maxRefs is how many references of one object are followed.
const maxRefs = 20

// references returns the references of an object without duplicates. They come from its
// known fields, or from generic ones for other kinds, from its controller, and from
// statements about it. If there are too many, those that a message names come first.
func (o *object) references() []objectRef {
	if !o.refsFound {
		o.refs, o.refsFound = o.findReferences(), true
	}
	return o.refs
}

func (o *object) findReferences() []objectRef {
	var all []objectRef
	switch {
	case o.Result.Status == status.TerminatingStatus:
		all = o.deletionRefs()
	case o.Object == nil && o.Result.Reason == status.ReasonNoMatch:
		if def := o.definition(); def.Name != "" {
			all = []objectRef{{ID: def, Optional: true}}
		}
	case o.Object == nil:
		all = o.namespaceRef()
	default:
		all = slices.Concat(o.fieldRefs(), o.controllerRefs(), statementRefs(o))
	}
	seen := map[status.ID]bool{o.ID: true}
	all = slices.DeleteFunc(all, func(r objectRef) bool {
		was := seen[r.ID]
		seen[r.ID] = true
		return was
	})
	if len(all) > maxRefs {
		slices.SortStableFunc(all, func(a, b objectRef) int { return rank(o.mentions(a.ID)) - rank(o.mentions(b.ID)) })
	}
	o.skippedRefs = max(0, len(all)-maxRefs)
	return all[:min(len(all), maxRefs)]
}

// fieldRefs returns the references in the fields of an object.
func (o *object) fieldRefs() []objectRef {
	if of := refsOf[o.ID.Kind]; of != nil {
		return of(o)
	}
	return customRefs(o)
}

// genericRefs returns the fields of an object that look like references.
func genericRefs(o *object) (all []objectRef) {
	for _, r := range reference.Find(o.section.Section, o.ID.Kind, o.ID.Namespace, 2*maxRefs, o.mentionsName) {
		id := o.refer(r.Kind, r.Namespace, r.Name)
		all = append(all, objectRef{Path: r.Path, ID: id, Optional: r.Optional, Guessed: r.Guessed, isSimilar: r.Similar})
	}
	return all
}
