package explain

import (
	"slices"
	"strings"

	"kstatus.dev/explain/internal/show"
)

// stepText returns the text of one step of a chain, without the parts of the verdict that
// the following steps repeat. For a Service, that is the text that no endpoint is ready.
func (o *object) stepText(following []*object) string {
	if o.ID.Kind == service && relations[o.Result.Reason].causes == nil {
		if _, ready, known := o.endpoints(); known && ready == 0 && o.Text("spec.type") != "ExternalName" {
			return "it has no ready endpoint"
		}
	}
	text := o.Result.Message
	if o.Former {
		text += " (it was deleted)"
	}
	for _, part := range following { // controllers of Cluster API list objects in this form
		text, _, _ = strings.Cut(text, "; "+part.ID.Kind.Kind+" "+part.ID.Name+":")
	}
	if slices.ContainsFunc(following, o.repeats) {
		return text
	}
	return o.Parts.AppendTo(text)
}

// repeats reports whether the verdict on an object includes the problem of a part.
func (o *object) repeats(part *object) bool {
	p := o.Parts
	return p != nil && p.Kind == part.ID.Kind.Kind && p.Group == part.ID.Group && (p.Count > 1 || p.Name == part.ID.Name)
}

// maxStepText is the maximum number of characters of a message in a step of a chain. The
// evidence of the cause has the whole message.
const maxStepText = 160

// steps returns the chain of a finding, from a requested object.
func (f finding) steps() (all []Step) {
	chain := f.chain.objects()
	for i, o := range chain {
		l := Step{ID: o.ID, Status: o.Result.Status, Text: show.Shorten(o.stepText(chain[i+1:]), maxStepText)}
		if i+1 < len(chain) {
			if waiting := o.waitingPods(chain[i+1]); waiting != "" {
				l.Text = show.Line(strings.TrimSuffix(l.Text, ".") + "; " + waiting)
			}
		}
		all = append(all, l)
	}
	all[len(all)-1].Container = f.container
	return all
}
