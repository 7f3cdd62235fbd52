package cloud_test

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/security/groups"

	"kstatus.dev/test/openstack/fakestack"
)

func TestASecondPassChangesNothing(t *testing.T) {
	b := &build{world: newWorld(t, fast)}
	b.until("the first passes", b.all)
	before, ids := len(b.stack.Writes()), b.ids()
	b.until("another pass", b.all)
	if writes := b.stack.Writes()[before:]; len(writes) != 0 {
		t.Errorf("another pass changed something: %v", writes)
	}
	if len(b.ids()) != len(ids) {
		t.Errorf("%d resources, want the %d of before", len(b.ids()), len(ids))
	}
	b.until("the deletion", b.deleteAll)
	if left := b.names(); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
	before = len(b.stack.Writes())
	b.until("another deletion", b.deleteAll)
	if writes := b.stack.Writes()[before:]; len(writes) != 0 {
		t.Errorf("another deletion changed something: %v", writes)
	}
}

// Each request that changes something fails once: its response is lost, or a proxy rejects it. In the
// end, everything exists once, and the deletion leaves no resource.
func TestEveryWriteFailsOnce(t *testing.T) {
	reference := &build{world: newWorld(t, fast)}
	reference.until("a build", reference.all)
	want, rules, writes := reference.names(), reference.rules(), len(reference.stack.Writes())
	reference.until("a deletion", reference.deleteAll)
	deletions := len(reference.stack.Writes()) - writes
	if writes < 30 || deletions < 10 {
		t.Fatalf("%d writes and %d deletions, want more", writes, deletions)
	}
	for _, test := range []struct {
		what  string
		fault fakestack.Fault
		step  int // each of so many writes fails
	}{
		{"the response is lost", fakestack.Fault{Lose: true}, 1},
		{"a proxy fails", fakestack.Unavailable(), 4},
	} {
		for n := 0; n < writes+deletions; n += test.step {
			t.Run(fmt.Sprintf("%s of write %d", test.what, n), func(t *testing.T) {
				t.Parallel()
				b := &build{world: newWorld(t, fast)}
				b.stack.SetHook(nth(n, test.fault))
				b.until("a build", b.all)
				if n := b.rules(); n != rules {
					t.Errorf("%d rules of security groups, want %d", n, rules)
				}
				if have := b.names(); !slices.Equal(have, want) {
					t.Errorf("exist:\n%q\nwant:\n%q", have, want)
				}
				b.until("a deletion", b.deleteAll)
				if left := b.names(); len(left) != 0 {
					t.Errorf("left: %v", left)
				}
			})
		}
	}
}

// rules returns the number of rules of all security groups of the owner.
func (w *world) rules() (n int) {
	w.Helper()
	pages, err := groups.List(w.neutron(), groups.ListOpts{Description: owner.Tag()}).AllPages(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	list, err := groups.ExtractGroups(pages)
	if err != nil {
		w.Fatal(err)
	}
	for _, g := range list {
		n += len(g.Rules)
	}
	return n
}

// nth lets one write fail, by its number since now.
func nth(n int, f fakestack.Fault) fakestack.Hook {
	var count atomic.Int64
	return func(r fakestack.Request) fakestack.Fault {
		if r.IsWrite() && count.Add(1)-1 == int64(n) {
			return f
		}
		return fakestack.Fault{}
	}
}
