package explain

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// unfinished matches a text that ends where a message should follow, or that has an empty
// name.
var unfinished = regexp.MustCompile(`^$|[:;,]$|: ;|""|  `)

// Controllers and kubelets may leave their messages empty. The causes have texts anyway.
func TestCausesWithoutMessagesHaveTexts(t *testing.T) {
	files := caseFiles(t)
	for _, file := range files {
		t.Run(caseName(file), func(t *testing.T) {
			facts, requested := readCase(t, file)
			facts.Events = slices.Clone(facts.Events)
			for i := range facts.Events {
				facts.Events[i].Message = ""
			}
			for i := range facts.Objects {
				if o := &facts.Objects[i]; o.Object != nil {
					withoutMessages(map[string]any(o.Object))
					*o = judged(t, o.Object)
				}
			}
			for _, c := range Explain(facts, requested...).Causes {
				if text := strings.ReplaceAll(c.Text, `storageClassName ""`, ""); unfinished.MatchString(text) {
					t.Errorf("%s: %q", c.Kind, c.Text)
				}
			}
		})
	}
}

// withoutMessages empties the messages in a value.
func withoutMessages(v any) {
	switch v := v.(type) {
	case map[string]any:
		for key, item := range v {
			if _, isText := item.(string); isText && key == "message" {
				v[key] = ""
			}
			withoutMessages(item)
		}
	case []any:
		for _, item := range v {
			withoutMessages(item)
		}
	}
}
