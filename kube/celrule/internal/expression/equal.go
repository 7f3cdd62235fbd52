package expression

import (
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// equal reports whether two values are equal, as CEL does, and charges the
// cost. Values may contain the same list many times, so their size does not
// limit the cost. If m.err is set, the result is not valid.
func (m *Meter) equal(x, y ref.Val) bool {
	m.read(max(textLength(x), textLength(y)))
	m.charge(1 + min(textLength(x), textLength(y))/charactersPerStep)
	if m.err != nil {
		return false
	}
	switch x := x.(type) {
	case traits.Lister:
		list, ok := y.(traits.Lister)
		return ok && m.equalLists(x, list)
	case traits.Mapper:
		other, ok := y.(traits.Mapper)
		return ok && m.equalMaps(x, other)
	case *types.Optional:
		other, ok := y.(*types.Optional)
		if !ok || !x.HasValue() || !other.HasValue() {
			return ok && x.HasValue() == other.HasValue()
		}
		return m.equal(x.GetValue(), other.GetValue())
	}
	return types.Equal(x, y) == types.True
}

func (m *Meter) equalLists(x, y traits.Lister) bool {
	n := sizeOf(x)
	if n != sizeOf(y) {
		return false
	}
	for i := range n {
		if !m.equal(x.Get(types.Int(i)), y.Get(types.Int(i))) {
			return false
		}
	}
	return true
}

func (m *Meter) equalMaps(x, y traits.Mapper) bool {
	if sizeOf(x) != sizeOf(y) {
		return false
	}
	for it := x.Iterator(); it.HasNext() == types.True; {
		key := it.Next()
		own, _ := x.Find(key)
		other, found := y.Find(key)
		if m.charge(textLength(key) / charactersPerStep); !found || !m.equal(own, other) {
			return false
		}
	}
	return true
}

// contains reports whether a list has an item.
func (m *Meter) contains(list traits.Lister, item ref.Val) bool {
	for i := range sizeOf(list) {
		if m.equal(item, list.Get(types.Int(i))) {
			return true
		}
		if m.err != nil {
			return false
		}
	}
	return false
}

// equality implements == if want is true, and != otherwise.
func equality(want bool) func(m *Meter, args []ref.Val) (ref.Val, bool) {
	return func(m *Meter, args []ref.Val) (ref.Val, bool) {
		is := m.equal(args[0], args[1])
		if m.err != nil {
			return types.WrapErr(m.err), true
		}
		return types.Bool(is == want), true
	}
}

// membership implements the operator in for lists.
func membership(m *Meter, args []ref.Val) (ref.Val, bool) {
	list, ok := args[1].(traits.Lister)
	if !ok {
		return nil, false
	}
	is := m.contains(list, args[0])
	if m.err != nil {
		return types.WrapErr(m.err), true
	}
	return types.Bool(is), true
}
