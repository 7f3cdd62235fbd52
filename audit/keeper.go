package audit

import (
	"cmp"
	"slices"
)

// A tally counts who wrote something.
type tally struct {
	what, manager string
	n             int
}

// A keepers counts who writes the status and its conditions.
type keepers []tally

// count notes that a manager wrote a condition of a type, or with an empty one the status.
func (k *keepers) count(what, manager string) {
	for i := range *k {
		if t := &(*k)[i]; t.what == what && t.manager == manager {
			t.n++
			return
		}
	}
	if len(*k) < mostTallies {
		*k = append(*k, tally{what, manager, 1})
	}
}

// mostTallies bounds what is kept of an object with ever new conditions or writers.
const mostTallies = 128

// of returns who wrote it most; of those who did as often, the first.
func (k keepers) of(what string) string {
	best := tally{}
	for _, t := range k {
		if t.what == what && t.n > best.n {
			best = t
		}
	}
	return best.manager
}

// take counts a version, after the rules have looked at it.
func (k *keepers) take(l *Look, intern func(string) string) {
	v := l.New
	if l.Old == nil {
		if v.Existing && len(*k) == 0 {
			k.read(v, intern)
		}
		return
	}
	if v.Manager == "" || !v.StatusWrite {
		return
	}
	manager := intern(v.Manager)
	k.count("", manager)
	for _, c := range v.Conditions {
		if was, there := l.Old.Condition(c.Type); !there || was.Status != c.Status || was.Reason != c.Reason || was.Message != c.Message {
			k.count(intern(c.Type), manager)
		}
	}
}

// read counts what the managedFields say of an object whose writes nobody saw.
// Entries that are not of the status subresource count only where none is, and
// who has more fields counts first.
func (k *keepers) read(v *Version, intern func(string) string) {
	bySubresource := slices.ContainsFunc(v.entries, func(e entry) bool { return e.subresource == "status" })
	entries := slices.SortedStableFunc(slices.Values(v.entries), func(x, y entry) int { return cmp.Compare(sizeOf(y.fields), sizeOf(x.fields)) })
	for _, e := range entries {
		status, has := e.fields["f:status"].(map[string]any)
		if !has || bySubresource && e.subresource != "status" {
			continue
		}
		manager := intern(e.manager)
		k.count("", manager)
		held, _ := status["f:conditions"].(map[string]any)
		for _, c := range v.Conditions {
			if _, keeps := held[keyOfType(c.Type)]; keeps {
				k.count(intern(c.Type), manager)
			}
		}
	}
}

// sizeOf returns how many fields a set has.
func sizeOf(fields map[string]any) (n int) {
	for _, below := range fields {
		child, _ := below.(map[string]any)
		n += 1 + sizeOf(child)
	}
	return n
}
