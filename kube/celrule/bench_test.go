package celrule_test

import (
	"testing"

	"kstatus.dev/kube/celrule"
	"kstatus.dev/status"
)

var benchRules = map[string]string{
	"phase": "current: status.phase == 'Ready'",
	"condition": `failed: status.conditions.filter(e, e.type == 'Ready').all(e, e.status == 'False')
current: status.conditions.filter(e, e.type == 'Ready').all(e, e.status == 'True')`,
	"error": "failed: status.phase > 3\ncurrent: status.phase == 'Ready'",
}

const benchObject = `{metadata: {generation: 2}, status: {observedGeneration: 2, phase: Ready, conditions: [
{type: Progressing, status: "False"}, {type: Available, status: "True"}, {type: Ready, status: "True"}]}}`

// BenchmarkVerdict measures a verdict by a rule of a file, by a rule of an
// annotation, and without a rule.
func BenchmarkVerdict(b *testing.B) {
	run := func(name string, e status.Evaluator, obj status.Object) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.Compute(obj); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	for _, name := range []string{"phase", "condition", "error"} {
		run(name, status.Evaluator{SelectRule: widgetRule(b, benchRules[name]).SelectRule}, widget(b, benchObject))
	}
	annotated := widget(b, benchObject)
	annotate(annotated, benchRules["phase"])
	run("annotation", status.Evaluator{SelectRule: (&celrule.Set{ObjectRules: true}).SelectRule}, annotated)
	run("none", status.Evaluator{SelectRule: new(celrule.Set).SelectRule}, widget(b, benchObject))
	run("without", status.Evaluator{}, widget(b, benchObject))
}

func BenchmarkRead(b *testing.B) {
	text := []byte("- kind: Widget\n  current: status.conditions.filter(e, e.type == 'Ready').all(e, e.status == 'True')\n")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := celrule.Parse("r.yaml", text); err != nil {
			b.Fatal(err)
		}
	}
}
