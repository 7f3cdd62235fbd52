package expression

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
)

// Every function of CEL has a cost, or is rejected.
func TestEveryFunctionHasACost(t *testing.T) {
	env, err := plainEnvironment()
	if err != nil {
		t.Fatal(err)
	}
	old := []string{"in", "_in_", "__not_strictly_false__"} // from old expressions; measure rejects them
	for name := range env.Functions() {
		_, bounded := boundedFunctions[name]
		n := 0
		for _, in := range []bool{bounded, slices.Contains(stepFunctions, name), slices.Contains(unboundedFunctions, name), slices.Contains(old, name)} {
			if in {
				n++
			}
		}
		if n != 1 {
			t.Errorf("function %s is in %d lists, want 1", name, n)
		}
	}
	for name := range boundedFunctions {
		if env.Functions()[name] == nil {
			t.Errorf("CEL has no function %s", name)
		}
	}
}

// evaluateOnce evaluates an expression, and returns the number of steps.
func evaluateOnce(t testing.TB, text string, object map[string]any) (value any, steps int, err error) {
	t.Helper()
	x, err := Compile("current", text, cel.BoolType)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	m := &Meter{left: MaxSteps}
	v, err := x.run(object, m)
	if err != nil {
		return nil, MaxSteps - m.left, err
	}
	return v.Value(), MaxSteps - m.left, nil
}

// A search in an object of any size takes few steps, or is rejected before it
// begins. The texts are the worst case for a search that compares at every
// position.
func TestSearchesInLargeTexts(t *testing.T) {
	for _, c := range []struct {
		size int // of both texts together
		want string
	}{
		{90_000, ""},
		{256_000, "it reads a text of 170666 bytes, but the limit is 65536"},
		{570_000, "it reads a text of 380000 bytes, but the limit is 65536"},
		{1_350_000, "it reads a text of 900000 bytes, but the limit is 65536"},
	} {
		object := map[string]any{"spec": map[string]any{"args": []any{strings.Repeat("a", c.size*2/3), strings.Repeat("a", c.size/3-1) + "b"}}}
		for _, call := range []string{"indexOf", "lastIndexOf"} {
			value, steps, err := evaluateOnce(t, "spec.args[0]."+call+"(spec.args[1]) < 0", object)
			switch {
			case c.want == "" && (err != nil || value != true):
				t.Errorf("%s in %d bytes: %v, %v, want true", call, c.size, value, err)
			case c.want != "" && (err == nil || err.Error() != c.want):
				t.Errorf("%s in %d bytes: %v, want %s", call, c.size, err, c.want)
			case steps > 20_000:
				t.Errorf("%s in %d bytes takes %d steps", call, c.size, steps)
			}
		}
	}
}

// A step limit ends calls that could take forever.
func TestCallLimits(t *testing.T) {
	object := map[string]any{"status": map[string]any{
		"list": slices.Repeat([]any{"x"}, 20_000), "long": strings.Repeat("a", 60_000), "pattern": strings.Repeat("(a?){3}", 300) + "b",
		"time": "2026-01-01T00:00:00Z", "zone": "Europe/Berlin",
	}}
	for _, c := range []struct{ name, expression string }{
		{"compares nested lists", "[1]" + strings.Repeat(".map(a, [a, a])", 24) + ".all(x, x == x)"},
		{"searches for nested lists", "[1]" + strings.Repeat(".map(a, [a, a])", 24) + ".all(x, x in [x])"},
		{"compares with !=", "[1]" + strings.Repeat(".map(a, [a, a])", 24) + ".all(x, !(x != x))"},
		{"compares optional values", "[1]" + strings.Repeat(".map(a, [a, a])", 24) + ".all(x, optional.of(x) == optional.of(x))"},
		{"searches a list for each of its items", "status.list.all(x, 'y' in status.list || true)"},
		{"matches a pattern with many states", "status.long.matches(status.pattern)"},
		{"matches a pattern with repetitions", "status.list.all(x, !status.long.matches('(a{1,30}){1,30}b'))"},
		{"matches a pattern in each iteration", "status.list.all(x, !status.long.matches('a*b'))"},
		{"splits in each iteration", "status.list.all(x, status.long.split('').size() > 0)"},
		{"loads a time zone in each iteration", "status.list.all(x, timestamp(status.time).getHours(status.zone) >= 0)"},
		{"counts characters in each iteration", "status.list.all(x, status.long.size() > 0)"},
		{"has empty loops", "status.list.all(x, !status.list.exists_one(y, false))"},
		{"adds lists in each iteration", "status.list.all(x, (status.list + status.list).size() > 0)"},
		{"searches in each iteration", "status.list.all(x, status.long.indexOf('ab') < 0)"},
		{"hides an error behind another operand", "status.list.all(x, status.long.matches(status.pattern) || true)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			value, steps, err := evaluateOnce(t, c.expression, object)
			if err != errCost { //nolint:errorlint // it is not wrapped
				t.Errorf("have %v, %v after %d steps, want %v", value, err, steps, errCost)
			}
		})
	}
}

// The number of constructs that double the expression is limited.
func TestGrowingExpressions(t *testing.T) {
	for text, want := range map[string]string{
		"optional.of(1)" + strings.Repeat(".optMap(v, v)", 5) + ".orValue(1) == 1":                  "want at most 4 calls of optMap() and optFlatMap(), have 5",
		"optional.of(1)" + strings.Repeat(".optFlatMap(v, optional.of(v))", 5) + ".orValue(1) == 1": "want at most 4 calls of optMap() and optFlatMap(), have 5",
		"[1]" + strings.Repeat(".map(a, {a: a})", 5) + " == []":                                     "want at most 4 computed map keys, have 5",
		"google.protobuf.ListValue{values: [1]} == [1]":                                             "want no literal of a message",
		"'a'.matches('" + strings.Repeat("a{1000}", 11) + "')":                                      "it takes more than 1000000 steps",
	} {
		if _, err := Compile("current", text, cel.BoolType); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if _, err := Compile("current", "optional.of(1).optMap(v, {string(v): v}).orValue({}) == {'1': 1}", cel.BoolType); err != nil {
		t.Error(err)
	}
}

// An error of the limits is the result, even if other operands would decide.
func TestLongTextsAreCounted(t *testing.T) {
	object := map[string]any{"status": map[string]any{"long": strings.Repeat("a", MaxText+1), "max": strings.Repeat("a", MaxText)}}
	for _, text := range []string{"status.long.contains('b') || true", "true || false ? status.long == '' : false", "'x' in [status.long] || true", "[status.long] == ['x'] || true"} {
		if value, _, err := evaluateOnce(t, text, object); err == nil || !strings.HasPrefix(err.Error(), "it reads a text of 65537 bytes") {
			t.Errorf("%s: %v, %v", text, value, err)
		}
	}
	if value, _, err := evaluateOnce(t, "status.max.contains('a')", object); err != nil || value != true {
		t.Errorf("have %v, %v, want true", value, err)
	}
}

// The functions that check their arguments return the same values as CEL's own.
func TestBoundedFunctionsAreThoseOfCEL(t *testing.T) {
	plain, err := plainEnvironment()
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	words := []string{"''", "'a'", "'b'", "'ab'", "'äbä'", "'aXbXa'", "'äöäö'", "'\\u0000'", "'aaa'"}
	r := rand.New(rand.NewPCG(1, 2))
	word := func() string { return words[r.IntN(len(words))] }
	for range 600 {
		for _, name := range []string{"indexOf", "lastIndexOf"} {
			texts = append(texts, fmt.Sprintf("(%s + %s).%s(%s)", word(), word(), name, word()),
				fmt.Sprintf("(%s + %s + %s).%s(%s, %d)", word(), word(), word(), name, word(), r.IntN(9)-1))
		}
	}
	for _, x := range []string{"[1, 2]", "[1.0, 2u]", "[[1], [2]]", "{'a': 1}", "{'a': 1.0}", "{'a': [1]}", "'a'", "1", "1.0", "0.0/0.0", "null", "[null]", "optional.of(1)", "optional.none()", "[]", "{}", "b'a'", "{1: 2}", "{1.0: 2}", "type(1)", "duration('1s')"} {
		for _, y := range []string{"[1, 2]", "[[1.0], [2]]", "{'a': 1}", "{'a': [1]}", "'a'", "1u", "0.0/0.0", "null", "[null]", "optional.of(1.0)", "optional.none()", "[]", "{}", "b'a'", "{1u: 2}", "int", "duration('1000ms')"} {
			texts = append(texts, fmt.Sprintf("dyn(%s) == dyn(%s)", x, y), fmt.Sprintf("dyn(%s) != dyn(%s)", x, y), fmt.Sprintf("dyn(%s) in dyn(%s)", x, y), fmt.Sprintf("dyn(%s) in [dyn(%s)]", x, y))
		}
	}
	texts = append(texts, "'abc'.matches('b')", "matches('abc', '^b')", "[1] + [2] == [1, 2]", "([1] + [])[0]", "size([1] + [2, 3])", "[1, 2, 3].map(x, x + 1).filter(x, x > 2)",
		"{'a': 1}.map(k, k)", "dyn(1).indexOf('a')", "dyn([1]) + dyn('a')", "dyn(1).matches('a')", "'a'.matches(dyn(1))", "size(dyn(1))", "'a' < 'b'", "1 < 2.5", "dyn('a') < dyn(1)",
		"timestamp('2026-01-01T12:00:00Z').getHours('Europe/Berlin')", "duration('90s').getMinutes()", "int('x')", "string(b'\\xff')", "optional.unwrap([optional.of(1), optional.none()])", "[optional.of(1)].unwrapOpt()", "'a-b'.split('-', 1)")
	for _, text := range texts {
		parsed, issues := plain.Compile(text)
		if issues.Err() != nil {
			t.Fatalf("%s: %v", text, issues.Err())
		}
		program, err := plain.Program(parsed)
		if err != nil {
			t.Fatal(err)
		}
		want, _, wantErr := program.Eval(map[string]any{})
		x, err := Compile("current", "dyn("+text+")", cel.DynType)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		have, haveErr := x.run(map[string]any{}, &Meter{left: MaxSteps})
		if (wantErr == nil) != (haveErr == nil) || wantErr == nil && fmt.Sprint(have.Value()) != fmt.Sprint(want.Value()) {
			t.Errorf("%s: have %v, %v, want %v, %v", text, have, haveErr, want, wantErr)
		}
		if wantErr != nil && haveErr != nil && !strings.HasPrefix(haveErr.Error(), wantErr.Error()) {
			t.Errorf("%s: have error %v, want %v", text, haveErr, wantErr)
		}
	}
}
