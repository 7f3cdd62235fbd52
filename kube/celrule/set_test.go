package celrule_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"kstatus.dev/kube/celrule"
	"kstatus.dev/status"
	"kstatus.dev/status/schema"
)

func definition(rule string) status.Map {
	meta := map[string]any{"name": "widgets.example.com"}
	if rule != "" {
		meta["annotations"] = map[string]any{celrule.Annotation: rule}
	}
	return status.Map{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": meta,
		"spec": map[string]any{"group": "example.com", "names": map[string]any{"kind": "Widget"}},
	}
}

// annotatedWidget returns a Widget with a rule in its annotation; an empty rule
// means none.
func annotatedWidget(t testing.TB, rule, fields string) status.Map {
	obj := widget(t, fields)
	if rule != "" {
		obj["metadata"] = map[string]any{"annotations": map[string]any{celrule.Annotation: rule}}
	}
	return obj
}

// alwaysRule returns a rule that always decides, with a message that identifies it.
func alwaysRule(message string) string { return "{current: 'true', message: " + message + "}" }

func TestRulePrecedence(t *testing.T) {
	const object = "by the rule in its annotation kstatus.dev/rule: "
	table := status.Rules{{Group: "example.com", Kind: "Widget"}: {Rule: func(*status.Fields) status.Result {
		return status.Current("Reconciled", "table")
	}}}
	for _, c := range []struct {
		name                     string
		object, file, definition string
		table                    status.Rules
		want                     string
	}{
		{"prefers the file to all others", alwaysRule("object"), "current: 'true'\nmessage: file", alwaysRule("definition"), nil, "file"},
		{"prefers the definition to the object", alwaysRule("object"), "", alwaysRule("definition"), nil, "definition"},
		{"prefers the object to the table", alwaysRule("object"), "", alwaysRule("definition"), table, object + "object"},
		{"uses the object without another rule", alwaysRule("object"), "", "", nil, object + "object"},
		{"prefers the file to the table", "", "current: 'true'\nmessage: file", alwaysRule("definition"), table, "file"},
		{"prefers the table to the definition", "", "", alwaysRule("definition"), table, "table"},
		{"uses the definition without a table", "", "", alwaysRule("definition"), nil, "definition"},
		{"uses the object after an incomplete file", alwaysRule("object"), "failed: has(status.error)", "", table, object + "object"},
		{"uses the object after an incomplete definition", alwaysRule("object"), "", "failed: has(status.error)", nil, object + "object"},
		{"uses the table after an incomplete file", "", "failed: has(status.error)", "", table, "table"},
		{"uses the table after two incomplete rules", "failed: has(status.error)", "failed: has(status.error)", "", table, "table"},
		{"uses nothing after a complete rule", alwaysRule("object"), "current: has(status.up)", "", table, "current: has(status.up)"},
		{"reads a rule that is JSON", `{"current": "true", "message": "object"}`, "", "", table, object + "object"},
		{"may name the kind", "{apiVersion: example.com/v2, kind: Widget, current: 'true', message: object}", "", "", table, object + "object"},

		{"is in progress with an unreadable rule", "current: )", "", "", table,
			"rule in its annotation kstatus.dev/rule:1: current: Syntax error: mismatched input ')' expecting"},
		{"is in progress with an empty rule", " ", "", "", table, "rule in its annotation kstatus.dev/rule: want a rule, have an empty text"},
		{"is in progress with an annotation that is not a rule", "[a]", "", "", table, "rule in its annotation kstatus.dev/rule:1: want a mapping, have a list"},
		{"is in progress with invalid YAML", "{", "", "", table, "rule in its annotation kstatus.dev/rule: yaml: line 1: did not find expected node content"},
		{"is in progress with a rule for another kind", "{kind: Gadget, current: 'true'}", "", "", table,
			"rule in its annotation kstatus.dev/rule:1: want a rule for Widget.example.com, which has the annotation, have one for Gadget"},
		{"is in progress with an unreadable rule of its definition", "", "", "curent: x", nil,
			"rule in the annotation kstatus.dev/rule of the definition of Widget.example.com:1: key \"curent\": want one of"},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := new(celrule.Set)
			if c.file != "" {
				set = widgetRule(t, c.file)
			}
			set.ObjectRules = true
			set.AddDefinition(definition(c.definition))
			e := status.Evaluator{Rules: c.table, SelectRule: set.SelectRule}
			_, have, _ := strings.Cut(formatVerdict(t, e, annotatedWidget(t, c.object, "status: {}")), ": ")
			if !strings.HasPrefix(have, c.want) {
				t.Errorf("it %s: have %s, want %s", c.name, have, c.want)
			}
		})
	}
}

// Rules of objects are off by default, and their presence is a warning.
func TestRulesOfObjectsAreOff(t *testing.T) {
	compat, err := status.ParseProfile("compat")
	if err != nil {
		t.Fatal(err)
	}
	compat002, err := status.ParseProfile("compat-0.0.2")
	if err != nil {
		t.Fatal(err)
	}
	const unused = "the rule in its annotation kstatus.dev/rule was not used"
	failed := func() status.Map {
		return annotatedWidget(t, "current: 'true'", `status: {conditions: [{type: Stalled, status: "True", message: stuck}, {type: Failed, status: "True", message: stuck}]}`)
	}
	for _, c := range []struct {
		name    string
		profile status.Profile
		on      bool
		want    []string
	}{
		{"in the default profile", status.Profile{}, false, []string{unused + "; --object-rules uses it"}},
		{"in the strict profile", status.StrictProfile(), false, []string{unused + "; --object-rules uses it"}},
		{"in the profile compat, even if they are on", compat, true, []string{unused + "; its profile uses no rules of objects"}},
		{"in the profile compat-0.0.2, even if they are on", compat002, true, []string{unused + "; its profile uses no rules of objects"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			with := status.Evaluator{Profile: c.profile, SelectRule: (&celrule.Set{ObjectRules: c.on}).SelectRule}
			have, err := with.Compute(failed())
			if err != nil {
				t.Fatal(err)
			}
			want, err := status.Evaluator{Profile: c.profile}.Compute(failed())
			if err != nil {
				t.Fatal(err)
			}
			if want.Status != status.FailedStatus || want.Warnings != nil || !slices.Equal(have.Warnings, c.want) {
				t.Errorf("have %+v, want %+v and warnings %q", *have, *want, c.want)
			}
			if have.Warnings = nil; !reflect.DeepEqual(have, want) {
				t.Errorf("have %+v, want %+v as without the annotation", *have, *want)
			}
		})
	}
}

// The warning about a rule is kept, however many warnings an object has.
func TestTheWarningAboutARuleIsNotHidden(t *testing.T) {
	obj := annotatedWidget(t, "current: 'true'", "{}")
	var list []any
	for i := range 100 {
		list = append(list, map[string]any{"type": fmt.Sprint("A", i), "status": "odd"})
	}
	obj["status"] = map[string]any{"conditions": list}
	r, err := status.Evaluator{SelectRule: new(celrule.Set).SelectRule}.Compute(obj)
	if err != nil || len(r.Warnings) < 2 || !strings.HasPrefix(r.Warnings[0], "the rule in its annotation") {
		t.Errorf("have %+v, %v", r, err)
	}
}

// A verdict names the source of its rule. A rule of an object lowers the
// confidence.
func TestRuleSource(t *testing.T) {
	for _, c := range []struct {
		name                     string
		object, file, definition string
		want                     string
	}{
		{"of a file", alwaysRule("object"), "current: 'true'", alwaysRule("definition"), "file rule, rules.yaml:1, explicit"},
		{"of a definition", alwaysRule("object"), "", alwaysRule("definition"), "definition rule, the annotation kstatus.dev/rule of the definition of Widget.example.com, explicit"},
		{"of the object", alwaysRule("object"), "", "", "object rule, its annotation kstatus.dev/rule, medium"},
		{"of the object, with an error", "current: )", "", "", "object rule, its annotation kstatus.dev/rule, medium"},
		{"of nobody", "", "", "", "expectation, , assumed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := new(celrule.Set)
			if c.file != "" {
				set = widgetRule(t, c.file)
			}
			set.ObjectRules = true
			set.AddDefinition(definition(c.definition))
			r, err := status.Evaluator{SelectRule: set.SelectRule}.Compute(annotatedWidget(t, c.object, "status: {}"))
			if err != nil {
				t.Fatal(err)
			}
			if have := fmt.Sprintf("%s, %s, %s", r.Rule, r.RuleSource, r.Confidence); have != c.want {
				t.Errorf("have %s, want %s", have, c.want)
			}
		})
	}
}

// A broken rule in an annotation is the verdict on that object.
func TestInvalidAnnotationIsInProgress(t *testing.T) {
	r, err := status.Evaluator{SelectRule: (&celrule.Set{ObjectRules: true}).SelectRule}.Compute(annotatedWidget(t, "current: )", ""))
	if err != nil || r.Status != status.InProgressStatus || r.Reason != "RuleError" {
		t.Errorf("Compute = %+v, %v, want InProgress RuleError", r, err)
	}
}

func TestGenerationPolicies(t *testing.T) {
	expect := func(string, string) schema.Expectation {
		return schema.Expectation{Status: schema.TristateYes, ObservedGeneration: schema.TristateYes}
	}
	const (
		current    = "Current Reconciled: x"
		unseen     = "InProgress NotObserved: its controller has not reported an observed generation, which its schema declares"
		unreported = "InProgress NotObserved: its controller has not reported anything yet"
	)
	table := func(g schema.Generation) status.Rules {
		return status.Rules{{Group: "example.com", Kind: "Widget"}: {Generation: g, Rule: func(*status.Fields) status.Result {
			return status.Current("Reconciled", "x")
		}}}
	}
	for _, c := range []struct {
		name, rule string
		table      status.Rules
		want       string
	}{
		{"requires the generation that the schema declares", "current: 'true'\nmessage: x", nil, unseen},
		{"requires it also without current", "failed: 'false'", nil, unseen},
		{"does not require it with ignore", "current: 'true'\nmessage: x\ngeneration: ignore", nil, current},
		{"requires it if the table does", "current: 'true'\nmessage: x", table(schema.GenerationRequired), unreported},
		{"requires it if the table leaves it to its rule", "current: 'true'\nmessage: x", table(schema.GenerationByRule), unseen},
		{"leaves it to the rule of the table if that still applies", "failed: 'false'", table(schema.GenerationByRule), current},
		{"compares it with compare", "failed: 'false'\ngeneration: compare", table(schema.GenerationByRule), unseen},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := status.Evaluator{Rules: c.table, SelectRule: widgetRule(t, c.rule).SelectRule, Expect: expect}
			if have := formatVerdict(t, e, widget(t, "metadata: {generation: 1}")); have != c.want {
				t.Errorf("it %s: have %s, want %s", c.name, have, c.want)
			}
		})
	}
}

// The rule in a definition does not apply to the definition.
func TestDefinitionIsNotEvaluatedByItsRule(t *testing.T) {
	set, crd := new(celrule.Set), definition("failed: 'true'")
	set.AddDefinition(crd)
	with, err := status.Evaluator{SelectRule: set.SelectRule}.Compute(crd)
	if err != nil {
		t.Fatal(err)
	}
	without, err := status.Compute(crd)
	if err != nil || with.Status != without.Status || with.Reason != without.Reason {
		t.Errorf("with the rule %+v, without %+v (%v)", with, without, err)
	}
}

func TestRulesOfSeveralFiles(t *testing.T) {
	read := func(name, text string) []*celrule.Rule {
		rules, err := celrule.Parse(name, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return rules
	}
	one := read("one.yaml", "- {kind: A, current: 'true'}")
	if _, err := celrule.NewSet(append(one, read("two.yaml", "- {kind: A, current: 'true'}")...)...); err != nil {
		t.Errorf("the same rule twice: %v", err)
	}
	_, err := celrule.NewSet(append(one, read("two.yaml", "- {kind: A, current: 'false'}")...)...)
	const want = "two.yaml:1: want one rule for A, have another in one.yaml:1"
	if err == nil || err.Error() != want {
		t.Errorf("two rules: %v, want %s", err, want)
	}
}

// A changed or removed rule of a definition takes effect at once.
func TestAddDefinition(t *testing.T) {
	set, kind := new(celrule.Set), status.Kind{Group: "example.com", Kind: "Widget"}
	set.AddDefinition(definition(alwaysRule("one")))
	set.AddDefinition(widget(t, "{}"))
	if rules := set.RulesFor(kind, status.KindRule{}); len(rules) != 1 || !strings.Contains(rules[0].String(), "message: one") {
		t.Errorf("after the definition: %v", rules)
	}
	set.AddDefinition(definition(""))
	if rules := set.RulesFor(kind, status.KindRule{}); len(rules) > 0 {
		t.Errorf("after the rule is gone: %v", rules)
	}
}

// A Set without rules changes nothing, and allocates nothing.
func TestNoRuleCostsNothing(t *testing.T) {
	set, obj := new(celrule.Set), widget(t, "metadata: {annotations: {a: b}}")
	kind := status.Kind{Group: "example.com", Kind: "Widget"}
	if n := testing.AllocsPerRun(100, func() { set.SelectRule(kind, obj, status.KindRule{}) }); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

// A Set can judge objects concurrently while definitions are added and removed.
func TestConcurrency(t *testing.T) {
	set := widgetRule(t, "failed: status.conditions.filter(c, c.type == 'Ready').all(c, c.status == 'False')")
	set.ObjectRules = true
	e := status.Evaluator{SelectRule: set.SelectRule}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := range 300 {
				rule := ""
				if n%2 == 0 {
					rule = fmt.Sprintf("{current: status.n == %d, message: m}", 1000*i+n)
				}
				obj := annotatedWidget(t, rule, fmt.Sprintf("status: {n: %d, conditions: [{type: Ready, status: 'True'}]}", 1000*i+n))
				if have := formatVerdict(t, e, obj); !strings.HasPrefix(have, "Current") {
					t.Errorf("%d/%d: %s", i, n, have)
				}
				set.AddDefinition(definition("failed: status.n < 0"))
			}
		})
	}
	all.Wait()
}

func TestProblemsOfTheRuleOfADefinition(t *testing.T) {
	definition := func(rule string) map[string]any {
		return map[string]any{
			"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
			"metadata": map[string]any{"annotations": map[string]any{celrule.Annotation: rule}},
			"spec":     map[string]any{"group": "example.com", "names": map[string]any{"kind": "Pump"}},
		}
	}
	for _, row := range []struct{ rule, want string }{
		{"current: status.phase == 'On'", ""},
		{"curent: status.phase == 'On'", `rule:1: key "curent": want one of `},
		{"current: status.phase ==", "rule:1: current: "},
		{"", "rule: want a rule, have an empty text"},
	} {
		have := strings.Join(celrule.Problems(definition(row.rule)), "\n")
		if row.want == "" && have != "" || !strings.HasPrefix(have, row.want) {
			t.Errorf("%q: have %q, want %q", row.rule, have, row.want)
		}
	}
	if have := celrule.Problems(map[string]any{"kind": "Pod"}); have != nil {
		t.Errorf("an object that is no definition: have %q", have)
	}
}

func TestEachProblemOfARuleHasItsLine(t *testing.T) {
	set := &celrule.Set{}
	set.AddDefinition(definition("curent: status.phase == 'On'"))
	rules := set.RulesFor(status.Kind{Group: "example.com", Kind: "Widget"}, status.KindRule{})
	if len(rules) != 1 {
		t.Fatalf("have %d rules, want 1", len(rules))
	}
	lines := strings.Split(strings.TrimSpace(rules[0].String()), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], `error: rule:1: key "curent"`) || !strings.HasPrefix(lines[1], "error: rule:1: want inProgress") {
		t.Errorf("have %q, want two errors", lines)
	}
}
