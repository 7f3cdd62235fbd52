package celrule_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"kstatus.dev/kube/celrule"
	"kstatus.dev/status"
)

// The examples of docs/guides/write-rules.md are rules.
func TestTheExamplesAreRules(t *testing.T) {
	page, err := os.ReadFile("../../docs/guides/write-rules.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(page), "```yaml\n")[1:]
	if len(blocks) < 3 {
		t.Errorf("%d examples, want some", len(blocks))
	}
	for i, block := range blocks {
		t.Run(strconv.Itoa(i+1), func(t *testing.T) {
			text, _, _ := strings.Cut(block, "```")
			if !strings.Contains(text, celrule.Annotation) {
				if _, err := celrule.Parse("example", []byte(text)); err != nil {
					t.Error(err)
				}
				return
			}
			obj := status.Map{}
			if err := yaml.Unmarshal([]byte(text), (*map[string]any)(&obj)); err != nil {
				t.Fatal(err)
			}
			meta, _ := obj["metadata"].(map[string]any)
			notes, _ := meta["annotations"].(map[string]any)
			rule, _ := notes[celrule.Annotation].(string)
			r, err := status.Evaluator{SelectRule: (&celrule.Set{ObjectRules: true}).SelectRule}.Compute(annotatedWidget(t, rule, "{}"))
			if err != nil || r.Reason != "RuleNotMet" {
				t.Errorf("an object with the example is %+v, %v", r, err)
			}
		})
	}
}
