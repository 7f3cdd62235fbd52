// Package plancheck checks the plan of a journal. Others may have written it, so it is data that a
// move must not trust: it could name any object of any kind.
package plancheck

import (
	"fmt"
	"slices"
	"strings"

	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/internal/guard"
	"kstatus.dev/internal/text"
)

// An Error says what a plan must not have.
type Error struct {
	Item  string // as of [plan.Item.Key]; empty if it is about the whole plan
	Field string // such as plan.items[3].step
	Have  string
	Want  string
}

// Error returns one line.
func (e *Error) Error() string {
	line := fmt.Sprintf("%s is %s, want %s", e.Field, text.Cut(e.Have, 200), e.Want)
	if e.Item != "" {
		line = text.Cut(e.Item, 200) + ": " + line
	}
	return text.Safe(line)
}

// Plan checks what can be checked without a cluster: names, decisions and steps. The steps are so
// few that a loop over them ends.
func Plan(p *plan.Plan) error {
	if p.Steps < 0 || p.Steps > len(p.Items) {
		return &Error{"", "plan.steps", fmt.Sprint(p.Steps), fmt.Sprintf("a number from 0 to %d, the number of items", len(p.Items))}
	}
	for n, name := range p.Scope.Namespaces {
		if err := checkName("", fmt.Sprintf("plan.scope.namespaces[%d]", n), name); err != nil {
			return err
		}
	}
	x := &check{Plan: p, uids: map[string]int{}, keys: map[string]int{}}
	for n, i := range p.Items {
		if err := x.item(n, i); err != nil {
			return err
		}
	}
	return nil
}

// checkName returns an error unless a text is the name of something.
func checkName(item, field, name string) error {
	if name == "" {
		return &Error{item, field, "empty", "a name"}
	}
	if err := guard.CheckName(field, name); err != nil {
		return &Error{item, field, fmt.Sprintf("%q", name), "a name: " + err.Error()}
	}
	return nil
}

// A check is the check of a plan.
type check struct {
	*plan.Plan
	uids, keys map[string]int // the numbers of the items
}

// item checks an item.
func (x *check) item(n int, i *plan.Item) error {
	at := func(field string) string { return fmt.Sprintf("plan.items[%d].%s", n, field) }
	if i == nil {
		return &Error{"", fmt.Sprintf("plan.items[%d]", n), "null", "an item"}
	}
	names := []struct{ field, name string }{
		{"group", i.Group}, {"version", i.Version}, {"kind", i.Kind}, {"resource", i.Resource}, {"namespace", i.Namespace}, {"name", i.Name},
	}
	for _, f := range names {
		if f.name == "" && (f.field == "group" || f.field == "namespace") {
			continue
		}
		if err := checkName(i.Key(), at(f.field), f.name); err != nil {
			return err
		}
	}
	if !slices.Contains([]plan.Decision{plan.Move, plan.Copy, plan.Exclude}, i.Decision) {
		return &Error{i.Key(), at("decision"), fmt.Sprintf("%q", i.Decision), fmt.Sprintf("%s, %s or %s", plan.Move, plan.Copy, plan.Exclude)}
	}
	if err := x.unique(n, i); err != nil {
		return err
	}
	return x.selected(n, i)
}

// unique checks that no other item is the same object.
func (x *check) unique(n int, i *plan.Item) error {
	field := fmt.Sprintf("plan.items[%d].uid", n)
	if i.UID == "" {
		return &Error{i.Key(), field, "empty", "a UID"}
	}
	if other, exists := x.uids[i.UID]; exists {
		return &Error{i.Key(), field, fmt.Sprintf("%q", i.UID), fmt.Sprintf("another one than item %d has", other)}
	}
	x.uids[i.UID] = n
	if i.Decision == plan.Exclude {
		return nil // an object may be created again with the name of one that stayed
	}
	if other, exists := x.keys[i.Key()]; exists {
		return &Error{i.Key(), fmt.Sprintf("plan.items[%d].name", n), fmt.Sprintf("%q", i.Name), fmt.Sprintf("another one than item %d of its kind has", other)}
	}
	x.keys[i.Key()] = n
	return nil
}

// selected checks where and when an object is moved.
func (x *check) selected(n int, i *plan.Item) error {
	step, first, last := fmt.Sprintf("plan.items[%d].step", n), 0, x.Steps-1
	if i.Decision == plan.Exclude {
		first, last = -1, -1
	}
	if i.Step < first || i.Step > last {
		return &Error{i.Key(), step, fmt.Sprint(i.Step), fmt.Sprintf("a number from %d to %d", first, last)}
	}
	if i.Decision != plan.Move {
		return nil
	}
	field := fmt.Sprintf("plan.items[%d].namespace", n)
	if i.Namespace == "" {
		return &Error{i.Key(), field, "empty", "a namespace, because cluster-scoped objects are only copied"}
	}
	if in := x.Scope.Namespaces; len(in) > 0 && !slices.Contains(in, i.Namespace) {
		return &Error{i.Key(), field, fmt.Sprintf("%q", i.Namespace), "one of plan.scope.namespaces: " + strings.Join(in, ", ")}
	}
	return nil
}

// Kinds checks that all items that are moved or copied are of some kinds.
func Kinds(p *plan.Plan, kinds []*management.Kind) error {
	for n, i := range p.Items {
		if i.Decision == plan.Exclude || slices.ContainsFunc(kinds, func(k *management.Kind) bool { return isOf(i, k) }) {
			continue
		}
		scope := "namespaced"
		if i.Namespace == "" {
			scope = "cluster-scoped"
		}
		return &Error{
			i.Key(), fmt.Sprintf("plan.items[%d].kind", n), fmt.Sprintf("%s of %s/%s with the resource %s, %s", i.Kind, i.Group, i.Version, i.Resource, scope),
			"a kind of Cluster API as the cluster serves it, Secret or ConfigMap",
		}
	}
	return nil
}

// isOf reports whether an item is of a kind.
func isOf(i *plan.Item, k *management.Kind) bool {
	return k.Group == i.Group && k.Kind == i.Kind && k.Resource == i.Resource && k.Namespaced == (i.Namespace != "") && slices.Contains(k.Versions, i.Version)
}

// Choices returns what a journal decides instead of the user, as one line: the scope of a plan and
// the accepted words.
func Choices(p *plan.Plan, accept []string) string {
	all := []string{"all namespaces"}
	if len(p.Scope.Namespaces) > 0 {
		all = []string{"namespaces " + strings.Join(p.Scope.Namespaces, ", ")}
	}
	if len(p.Scope.Clusters) > 0 {
		all = append(all, "Clusters "+strings.Join(p.Scope.Clusters, ", "))
	}
	if p.Scope.Selector != "" {
		all = append(all, "selector "+p.Scope.Selector)
	}
	if len(accept) > 0 {
		all = append(all, "accepted words "+strings.Join(accept, ", "))
	}
	return text.Line(strings.Join(all, "; "))
}
