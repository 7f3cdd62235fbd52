package children

import (
	"encoding/json"
	"iter"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/selection"

	"kstatus.dev/dropin/pkg/object"
)

// A label is a pair in a namespace.
type label struct{ namespace, key, value string }

// A parent is a workload.
type parent struct {
	id       object.ObjMetadata
	selector labels.Selector
	text     string // of selector
	added    int    // its number in the order of additions, from 1
	index    label  // a pair that each child has; zero: none is known
}

// parents are the watched workloads, by a label that their children have.
type parents struct {
	added   int // how often a workload has been added
	all     map[object.ObjMetadata]*parent
	byLabel map[label]map[object.ObjMetadata]*parent
}

func newParents() parents {
	return parents{all: map[object.ObjMetadata]*parent{}, byLabel: map[label]map[object.ObjMetadata]*parent{}}
}

// selectorOf returns the selector of a workload, if it has one that is valid.
func selectorOf(u *unstructured.Unstructured) (labels.Selector, bool) {
	fields, found, err := unstructured.NestedMap(u.Object, "spec", "selector")
	if err != nil || !found {
		return nil, false
	}
	data, err := json.Marshal(fields)
	if err != nil {
		return nil, false
	}
	var ls metav1.LabelSelector
	if json.Unmarshal(data, &ls) != nil {
		return nil, false
	}
	selector, err := metav1.LabelSelectorAsSelector(&ls)
	return selector, err == nil
}

// add adds a workload, and reports whether its selector is new.
func (p *parents) add(id object.ObjMetadata, selector labels.Selector) bool {
	text := selector.String()
	if known := p.all[id]; known != nil {
		if known.text == text {
			return false
		}
		p.remove(id)
	}
	p.added++
	n := &parent{id: id, selector: selector, text: text, added: p.added, index: p.rarest(id.Namespace, selector)}
	p.all[id] = n
	if p.byLabel[n.index] == nil {
		p.byLabel[n.index] = map[object.ObjMetadata]*parent{}
	}
	p.byLabel[n.index][id] = n
	return true
}

// rarest returns the pair of the selector that selects the fewest workloads.
func (p *parents) rarest(namespace string, selector labels.Selector) (best label) {
	best = label{namespace: namespace}
	requirements, _ := selector.Requirements()
	for _, r := range requirements {
		value, ok := single(r)
		l := label{namespace, r.Key(), value}
		if ok && (best.key == "" || len(p.byLabel[l]) < len(p.byLabel[best])) {
			best = l
		}
	}
	return best
}

// single returns the only value that a requirement allows.
func single(r labels.Requirement) (string, bool) {
	switch values := r.ValuesUnsorted(); r.Operator() {
	case selection.Equals, selection.DoubleEquals, selection.In:
		if len(values) == 1 {
			return values[0], true
		}
	}
	return "", false
}

func (p *parents) remove(id object.ObjMetadata) {
	if n := p.all[id]; n != nil {
		delete(p.all, id)
		delete(p.byLabel[n.index], id)
		if len(p.byLabel[n.index]) == 0 {
			delete(p.byLabel, n.index)
		}
	}
}

// matching returns the workloads that have an object with these labels as a child.
func (p *parents) matching(kind schema.GroupKind, namespace string, set map[string]string) iter.Seq[object.ObjMetadata] {
	return func(yield func(object.ObjMetadata) bool) {
		look := func(l label) bool {
			for id, n := range p.byLabel[l] {
				if slices.Contains(childKinds[id.GroupKind], kind) && n.selector.Matches(labels.Set(set)) && !yield(id) {
					return false
				}
			}
			return true
		}
		if !look(label{namespace: namespace}) {
			return
		}
		for k, v := range set {
			if !look(label{namespace, k, v}) {
				return
			}
		}
	}
}

// in returns the workloads with children in a scope.
func (p *parents) in(sc scope) (ids []object.ObjMetadata) {
	for id := range p.all {
		if slices.Contains(childKinds[id.GroupKind], sc.kind) && (sc.namespace == "" || sc.namespace == id.Namespace) {
			ids = append(ids, id)
		}
	}
	return ids
}

// maxSelector is the length of a selector that fits in a URL anywhere.
const maxSelector = 2000

// selectorFor returns a selector that the children of all workloads of a scope match. That is the
// only one, or one for the values of a label that all have. It is empty if there is none.
func (p *parents) selectorFor(sc scope) string {
	ids := p.in(sc)
	if len(ids) == 0 {
		return ""
	}
	values := map[string]map[string]bool{} // by key
	first := p.all[ids[0]]
	same := true
	for i, id := range ids {
		n := p.all[id]
		same = same && n.text == first.text
		own := map[string]string{}
		requirements, _ := n.selector.Requirements()
		for _, r := range requirements {
			if value, ok := single(r); ok {
				own[r.Key()] = value
			}
		}
		if i == 0 {
			for k := range own {
				values[k] = map[string]bool{}
			}
		}
		for k := range values {
			if v, ok := own[k]; ok {
				values[k][v] = true
			} else {
				delete(values, k)
			}
		}
	}
	if same && len(first.text) <= maxSelector {
		return first.text
	}
	return narrowest(values)
}

// narrowest returns the selector with the most values, because each excludes more objects, that
// is not too long.
func narrowest(values map[string]map[string]bool) (best string) {
	most := 0
	for k, set := range values {
		list := make([]string, 0, len(set))
		for v := range set {
			list = append(list, v)
		}
		slices.Sort(list)
		text := k + " in (" + strings.Join(list, ",") + ")"
		if len(text) <= maxSelector && (len(list) > most || len(list) == most && text < best) {
			best, most = text, len(list)
		}
	}
	return best
}

// parentOf returns the number of a workload in the order of additions, if asked selects only its
// children.
func (p *parents) parentOf(id object.ObjMetadata, asked labels.Selector) (added int, ok bool) {
	n := p.all[id]
	if n == nil {
		return 0, false
	}
	want, selectable := n.selector.Requirements()
	if !selectable {
		return 0, false
	}
	have, _ := asked.Requirements()
	for _, w := range want {
		if !slices.ContainsFunc(have, func(h labels.Requirement) bool { return h.Equal(w) }) {
			return 0, false
		}
	}
	return n.added, true
}
