package expression

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
)

// A composer makes expressions from random bytes.
type composer struct {
	bytes []byte
	vars  []string
}

// next returns a number below n.
func (c *composer) next(n int) int {
	if len(c.bytes) == 0 {
		return 0
	}
	b := c.bytes[0]
	c.bytes = c.bytes[1:]
	return int(b) % n
}

// These are the shapes of expressions. %d is an operand, and %v a variable of a
// macro.
var (
	leaves = []string{"status.long", "status.list", "status.map", "status.deep", "status.texts", "status.n", "'a'", "''", "1", "[1, 'a']", "{'a': 1}", "null", "status.pattern", "status.none"}
	shapes = []string{
		"dyn(%d) == dyn(%d)", "dyn(%d) != dyn(%d)", "dyn(%d) in dyn(%d)", "dyn(%d) + dyn(%d)", "dyn(%d) < dyn(%d)", "[%d, %d]", "{'a': %d, 'b': %d}", "true ? dyn(%d) : dyn(%d)",
		"dyn(%d).contains(dyn(%d))", "dyn(%d).matches(dyn(%d))", "dyn(%d).indexOf(dyn(%d))", "dyn(%d).lastIndexOf(dyn(%d))", "dyn(%d).split(dyn(%d))", "dyn(%d).startsWith(dyn(%d))",
		"dyn(%d).indexOf(dyn(%d), dyn(%d))", "dyn(%d).substring(dyn(%d))", "dyn(%d).charAt(dyn(%d))", "size(dyn(%d))", "strings.quote(dyn(%d))", "dyn(%d).reverse()", "dyn(%d).trim()",
		"dyn(%d).upperAscii()", "string(dyn(%d))", "bytes(dyn(%d))", "int(dyn(%d))", "duration(dyn(%d))", "timestamp(dyn(%d))", "dyn(%d)[dyn(%d)]", "dyn(%d)[?dyn(%d)].orValue(dyn(%d))",
		"optional.of(dyn(%d)) == optional.of(dyn(%d))", "dyn(%d).map(%v, %b)", "dyn(%d).filter(%v, %b == 1)", "dyn(%d).all(%v, %b == 1)", "dyn(%d).exists(%v, %b == 1)", "dyn(%d).exists_one(%v, %b == 1)",
		"dyn(%d).map(%v, [%v, %v])", "dyn(%d).map(%v, dyn(%v) + dyn(%v))",
	}
)

// expression returns an expression with limited nesting.
func (c *composer) expression(depth int) string {
	if depth == 0 || len(c.bytes) == 0 {
		if n := len(c.vars); n > 0 && c.next(2) == 0 {
			return c.vars[c.next(n)]
		}
		return leaves[c.next(len(leaves))]
	}
	shape := shapes[c.next(len(shapes))]
	name := fmt.Sprintf("v%d", len(c.vars))
	var b strings.Builder
	for {
		before, after, more := strings.Cut(shape, "%")
		b.WriteString(before)
		if !more {
			return b.String()
		}
		switch after[0] {
		case 'd':
			b.WriteString(c.expression(depth - 1))
		case 'v':
			b.WriteString(name)
		case 'b':
			c.vars = append(c.vars, name)
			b.WriteString("dyn(" + c.expression(depth-1) + ")")
			c.vars = c.vars[:len(c.vars)-1]
		}
		shape = after[1:]
	}
}

// hostileObject returns an object whose fields have sizes of order n.
func hostileObject(n int) map[string]any {
	deep := any("x")
	for range min(n, 2000) {
		deep = []any{deep, map[string]any{"a": 1}}
	}
	m := make(map[string]any, n)
	for i := range n {
		m[fmt.Sprint(i)] = int64(i)
	}
	return map[string]any{"status": map[string]any{
		"long": strings.Repeat("a", 8*n), "list": slices.Repeat([]any{int64(1)}, n), "map": m, "deep": deep, "n": int64(n),
		"texts": slices.Repeat([]any{strings.Repeat("ab", 100)}, min(n, 1000)), "pattern": strings.Repeat("(a?b?){9}", min(n, 500)),
	}}
}

// The cost of any expression on any object is counted before it arises. The number
// of steps is limited, and so is the memory of a step. Memory is a measure of work
// here, because uncounted work would allocate values. Time would depend on the
// machine.
func FuzzCost(f *testing.F) {
	for i := range shapes {
		f.Add([]byte{byte(i), 1, 2, 3, 4, 5, 6, 7, 8, 9}, uint16(2000))
		f.Add([]byte{30, byte(i), 0, 0, 0, 0, 0}, uint16(2000))
		f.Add([]byte{32, 1, byte(i), 30, 0, 1, 0, 1}, uint16(1500))
		f.Add([]byte{33, 1, 33, 1, byte(i), 0, 0, 0, 0}, uint16(1000))
	}
	f.Fuzz(func(t *testing.T, bytes []byte, size uint16) {
		if len(bytes) > 200 {
			return
		}
		c := composer{bytes: bytes}
		text := "dyn(" + c.expression(6) + ") == 1"
		x, err := Compile("current", text, cel.BoolType)
		if err != nil {
			return
		}
		object := hostileObject(int(size))
		m := &Meter{left: MaxSteps}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err = x.run(object, m)
		runtime.ReadMemStats(&after)
		steps := MaxSteps - max(m.left, 0)
		if m.left < 0 && m.err == nil {
			t.Fatalf("%s takes more steps than there are: %v", text, err)
		}
		const perStep, fixed = 2 << 10, 8 << 20
		if allocated := after.TotalAlloc - before.TotalAlloc; allocated > uint64(fixed+perStep*steps) { //nolint:gosec // not negative
			t.Fatalf("%s needs %d bytes in %d steps", text, allocated, steps)
		}
	})
}
