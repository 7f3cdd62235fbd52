package conditions

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kstatus.dev/author/conditions/messages"
	"kstatus.dev/author/conditions/wellknown"
)

// These limit the message of an aggregate: the number of groups, and of names
// in each group.
const (
	maxGroups = 3
	maxNames  = 3
	maxReport = 4096
)

// Aggregate combines the same condition of many objects into one for
// [Pass.Set]. It is False if any is bad, and otherwise Unknown if any is
// Unknown. Otherwise it is True, also without objects. The message counts the
// good objects, and groups the others by what they report. The result does not
// depend on the order of the objects.
func Aggregate[O Object](objects []O, m Mapping) metav1.Condition {
	c := metav1.Condition{Type: m.To, Status: metav1.ConditionTrue, Reason: wellknown.ReasonAsExpected}
	if c.Type == "" {
		c.Type = m.From
	}
	if len(objects) == 0 {
		c.Reason = wellknown.ReasonNoObjects
		return c
	}
	groups, good := m.groups(asObjects(objects))
	if len(groups) == 0 {
		return c
	}
	c.Reason = groups[0].Reason
	c.Status = metav1.ConditionFalse
	if groups[0].health == uncertain {
		c.Status = metav1.ConditionUnknown
	}
	lines := []string{fmt.Sprintf("%d of %d are good", good, len(objects))}
	for _, g := range groups[:min(len(groups), maxGroups)] {
		lines = append(lines, "* "+g.line())
	}
	if rest := groups[min(len(groups), maxGroups):]; len(rest) > 0 {
		n := 0
		for _, g := range rest {
			n += len(g.names)
		}
		lines = append(lines, fmt.Sprintf("* and %d more with other reports", n))
	}
	c.Message = strings.Join(lines, "\n")
	return c
}

// group is a group of objects with the same report.
type group struct {
	Part
	health health
	names  []string
}

// groups returns the objects that are not good, grouped, and the number of good
// objects. Bad groups come before others, and large groups before small ones.
func (m Mapping) groups(objects []Object) (groups []*group, good int) {
	for _, o := range objects {
		part := Part{Condition: Mirror(o, m), Polarity: m.Polarity}
		partHealth := part.health()
		if partHealth == healthy {
			good++
			continue
		}
		at := slices.IndexFunc(groups, func(g *group) bool {
			return g.health == partHealth && g.Reason == part.Reason && g.Message == part.report(o)
		})
		if at < 0 {
			at = len(groups)
			part.Message = part.report(o)
			groups = append(groups, &group{Part: part, health: partHealth})
		}
		name := "(none)"
		if !isNil(o) {
			name = o.GetName()
		}
		groups[at].names = append(groups[at].names, name)
	}
	for _, g := range groups {
		slices.Sort(g.names)
	}
	slices.SortFunc(groups, func(a, b *group) int {
		return cmp.Or(cmp.Compare(b.health, a.health), cmp.Compare(len(b.names), len(a.names)),
			cmp.Compare(a.names[0], b.names[0]), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Message, b.Message))
	})
	return groups, good
}

// report returns the report of an object without its own name, so that equal
// reports form one group.
func (p Part) report(o Object) string {
	text := messages.Stable(strings.TrimSpace(p.Message))
	if !isNil(o) {
		text = strings.ReplaceAll(text, describe(o), "it")
	}
	return storable(text, maxReport)
}

func (g *group) line() string {
	names := strings.Join(g.names[:min(len(g.names), maxNames)], ", ")
	if more := len(g.names) - maxNames; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	if g.Message == "" {
		return names + ": " + g.reason()
	}
	return names + ": " + indent(g.Message)
}

func asObjects[O Object](objects []O) []Object {
	all := make([]Object, len(objects))
	for i := range objects {
		all[i] = objects[i]
	}
	return all
}
