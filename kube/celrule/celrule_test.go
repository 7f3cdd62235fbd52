package celrule_test

import (
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"kstatus.dev/kube/celrule"
	"kstatus.dev/status"
)

// A ruleCase is a rule for Widgets of example.com, a Widget, and the verdict on
// it.
type ruleCase struct {
	name   string
	rule   string // the keys of the rule except group and kind
	object string // the object without apiVersion, kind and name
	want   string // status, reason, failure, message
}

func run(t *testing.T, cases []ruleCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e := status.Evaluator{SelectRule: widgetRule(t, c.rule).SelectRule}
			if have := formatVerdict(t, e, widget(t, c.object)); have != c.want {
				t.Errorf("it %s\nhave %s\nwant %s", c.name, have, c.want)
			}
		})
	}
}

// widgetRule returns a Set with one rule, for Widgets.
func widgetRule(t testing.TB, keys string) *celrule.Set {
	t.Helper()
	rules, err := celrule.Parse("rules.yaml", []byte("- group: example.com\n  kind: Widget\n  "+strings.ReplaceAll(strings.TrimSpace(keys), "\n", "\n  ")))
	if err != nil {
		t.Fatal(err)
	}
	set, err := celrule.NewSet(rules...)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func widget(t testing.TB, fields string) status.Map {
	t.Helper()
	obj := map[string]any{}
	if err := yaml.Unmarshal([]byte(fields), &obj); err != nil {
		t.Fatal(err)
	}
	obj["apiVersion"], obj["kind"] = "example.com/v1", "Widget"
	return obj
}

// formatVerdict computes a verdict and formats it on one line.
func formatVerdict(t testing.TB, e status.Evaluator, obj status.Object) string {
	t.Helper()
	r, err := e.Compute(obj)
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("%s %s", r.Status, r.Reason)
	if r.Failure != "" {
		text += " " + string(r.Failure)
	}
	return text + ": " + r.Message
}
