package cloud

import (
	"cmp"
	"slices"
	"time"

	"github.com/gophercloud/gophercloud/v2"

	"kstatus.dev/clusterapi/openstack/classify"
	"kstatus.dev/examples/openstack/cloud/session"
)

// A request to create something may take effect after its response was lost, and after the next lookup
// has found nothing. Then an owner has two resources of the same name. The functions of this file keep
// one of them.

// inOrder sorts resources of the same name: those in use first, then the oldest.
func inOrder[T any](list []T, order func(*T) (used bool, created time.Time, id string)) []T {
	slices.SortFunc(list, func(a, b T) int {
		usedA, createdA, idA := order(&a)
		usedB, createdB, idB := order(&b)
		if usedA != usedB {
			if usedA {
				return -1
			}
			return 1
		}
		return cmp.Or(createdA.Compare(createdB), cmp.Compare(idA, idB))
	})
	return list
}

// first returns the first resource, or nil.
func first[T any](list []T) *T {
	if len(list) == 0 {
		return nil
	}
	return &list[0]
}

// keepOne deletes all resources but one, and returns that one, or nil for an empty list. It keeps the
// first one unless the service refuses to delete another one because that is in use.
func keepOne[T any](s session.Service, kind, name string, list []T, remove func(*T) error) (*T, error) {
	kept := first(list)
	for i := 1; i < len(list); i++ {
		err := remove(&list[i])
		if gophercloud.ResponseCodeIs(err, 409) {
			kept, err = &list[i], remove(kept)
		}
		switch {
		case gophercloud.ResponseCodeIs(err, 409):
			return nil, classify.Ambiguous(kind, name, len(list))
		case err != nil && !classify.IsNotFound(err):
			return nil, s.Explain(err, "delete a second %s %s", kind, name)
		}
	}
	return kept, nil
}
