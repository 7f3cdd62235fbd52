package celrule_test

import (
	"strings"
	"testing"
	"time"

	"kstatus.dev/kube/celrule"
	"kstatus.dev/status"
)

// Parse rejects expressions that would run forever or too long.
func TestExpressionLimits(t *testing.T) {
	for _, c := range []struct{ name, expression, want string }{
		{"loops over a list for each pair of items", "status.a.all(x, status.a.all(y, status.a.all(z, x == z)))", "want at most 1000000 steps"},
		{"is too long", "status.a == '" + strings.Repeat("a", 9000) + "'", "expression code point size exceeds limit"},
		{"is nested too deeply", strings.Repeat("(", 200) + "true" + strings.Repeat(")", 200), "recursion limit exceeded: 50"},
		{"has lists in lists", strings.Repeat("[", 200) + strings.Repeat("]", 200) + " == []", "recursion limit exceeded: 50"},
		{"nests a text", "status.a.replace('a', status.b) == ''", "want no call of replace()"},
		{"nests a text between texts", "[status.a, status.a].join(status.b) == ''", "want no call of join()"},
		{"nests several texts", "'%s'.format([status.a]) == ''", "want no call of format()"},
		{"doubles a text repeatedly", "status.a" + strings.Repeat(".map(x, x + x)", 60) + " == []", "max recursion depth exceeded"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := celrule.Parse("r.yaml", []byte("- kind: A\n  current: \""+c.expression+"\"\n"))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("an expression that %s: %v, want %s", c.name, err, c.want)
			}
		})
	}
}

// A very large object does not block a caller.
func TestEvaluationLimits(t *testing.T) {
	large, long := make([]any, 20_000), strings.Repeat("ab", 100_000)
	for i := range large {
		large[i] = int64(i)
	}
	obj := status.Map{"apiVersion": "example.com/v1", "kind": "Widget", "status": map[string]any{"list": large, "text": long}}
	for _, expression := range []string{
		"status.list.all(x, status.list.exists(y, x + y == 1 - 2))",
		"status.list.map(x, status.list.map(y, [x, y])).size() == 1",
		"status.text.matches('(a|b)*c(a|b)*d(a|b)*') || status.list.exists(x, status.text.contains('abc'))",
		"status.list.all(x, (status.text + status.text).size() > 0)",
		"status.list.all(x, status.text.split('').size() > 0)",
		"status.list.all(x, bytes(status.text) != b'')",
		"status.list.all(x, status.list in [status.list])",
		"[[1, 2]]" + strings.Repeat(".map(x, x + x)", 40) + ".all(x, x.size() > 3)",
		"[status.list]" + strings.Repeat(".map(x, x + x)", 40) + ".all(x, x.size() > 3)",
		"[status.text]" + strings.Repeat(".map(x, x + x)", 40) + ".all(x, x.size() > 3)",
		"[status.text]" + strings.Repeat(".map(x, strings.quote(x))", 40) + ".all(x, x.size() > 3)",
		"status.list.all(x, status.list.all(y, status.text == status.text + 'a'))",
		"status.list.all(x, [[[status.list]]] == [[[status.list]]])",
	} {
		t.Run(expression, func(t *testing.T) {
			began := time.Now()
			have := formatVerdict(t, status.Evaluator{SelectRule: widgetRule(t, "current: |-\n  "+expression).SelectRule}, obj)
			if took := time.Since(began); took > 30*time.Second {
				t.Errorf("took %s", took)
			}
			if !strings.HasPrefix(have, "InProgress Rule") || len(have) > 1000 {
				t.Errorf("have %s, want InProgress", have)
			}
		})
	}
}
