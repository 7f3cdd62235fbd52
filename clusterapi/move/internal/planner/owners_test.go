package planner

import (
	"testing"

	"k8s.io/apimachinery/pkg/types"
)

func TestOwnsNothing(t *testing.T) {
	const objects = "Cluster shop/a\nSecret shop/owner < Cluster shop/a\nBox shop/b < Secret shop/owner\nSecret shop/foreign < Cluster shop/a\nSecret shop/alone < Cluster shop/a"
	others := func(s *source) { s.dependents = map[types.UID][]other{"Secret shop/foreign": {{name: "x"}}} }
	for _, row := range []struct {
		it     string
		uid    string
		change func(*source)
		want   bool
	}{
		{"owns an object of Cluster API", "Secret shop/owner", others, false},
		{"owns an object of another kind", "Secret shop/foreign", others, false},
		{"owns nothing", "Secret shop/alone", others, true},
		{"may own what may not be listed", "Secret shop/alone", func(s *source) { s.unlisted = true }, false},
	} {
		inv := planOf(t, whole, objects, row.change)
		if have := inv.OwnsNothing(itemOf(inv.Plan, row.uid)); have != row.want {
			t.Errorf("an object that %s: it owns nothing: %t, want %t", row.it, have, row.want)
		}
	}
	var none *Inventory
	if none.OwnsNothing(nil) {
		t.Error("without an inventory, an object owns nothing")
	}
}
