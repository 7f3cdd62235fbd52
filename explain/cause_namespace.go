package explain

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"kstatus.dev/explain/internal/controllers"
	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/internal/text"
	"kstatus.dev/status"
)

// The namespace controller's count of the remaining objects: "pods. has 2 resource
// instances".
var remainingPattern = regexp.MustCompile(`([a-z0-9-]+)\.([a-z0-9.-]*) has ([0-9]+) resource instances`)

// Its count of finalizers: "example.com/hold in 2 resource instances".
var remainingFinalizers = regexp.MustCompile(`([A-Za-z0-9./_-]+) in ([0-9]+) resource instances`)

// Discovery's name for an API that does not respond: "metrics.k8s.io/v1beta1: stale …".
var undiscoveredAPI = regexp.MustCompile(`([a-z0-9-]+(?:\.[a-z0-9-]+)+)/(v[0-9][a-z0-9]*): `)

// A remainingKind counts the objects of a kind that remain in a namespace.
type remainingKind struct {
	resource, group string
	count           int
}

// maxRemainingKinds is how many kinds in a namespace are shown and listed.
const maxRemainingKinds = 6

// remaining returns the remaining objects of a namespace that is being deleted, in the
// order of its controller.
func (o *object) remaining() (all []remainingKind) {
	c := o.Under("status.conditions[NamespaceContentRemaining]")
	if c.Text("status") != "True" {
		return nil
	}
	for _, m := range remainingPattern.FindAllStringSubmatch(messages.Head(c.Text("message")), maxRemainingKinds) {
		count, _ := strconv.Atoi(m[3])
		all = append(all, remainingKind{m[1], m[2], count})
	}
	return all
}

// namespaceHeld finds what blocks the deletion of a namespace.
func namespaceHeld(o *object) (all []finding) {
	held := func(is, kind string, tell func(message string) string, echo bool) {
		c := o.Under("status.conditions[" + is + "]")
		if c.Text("status") != "True" {
			return
		}
		all = append(all, finding{kind: kind, text: show.Line(cmp.Or(tell(messages.Head(c.Text("message"))), c.conditionText())), key: o.ID.String(), weak: echo, evidence: c.conditionEvidence()})
	}
	as := func(message string) string { return message }
	held("NamespaceDeletionDiscoveryFailure", "NamespaceDiscoveryFailed", undiscoveredText, false)
	held("NamespaceDeletionGroupVersionParsingFailure", "NamespaceDiscoveryFailed", as, false)
	held("NamespaceDeletionContentFailure", "NamespaceContentFailed", as, false)
	held("NamespaceFinalizersRemaining", "FinalizerPending", finalizersText, true)
	held("NamespaceContentRemaining", "NamespaceContent", func(string) string { return o.remainingText() }, true)
	if len(all) > 1 && all[len(all)-1].kind == "NamespaceContent" && all[len(all)-2].kind == "FinalizerPending" {
		all[len(all)-2].evidence = append(all[len(all)-2].evidence, all[len(all)-1].evidence...)
		all = all[:len(all)-1]
	}
	for _, finalizer := range o.Texts("spec.finalizers") {
		if finalizer != "kubernetes" {
			all = append(all, finding{
				kind: "FinalizerPending", text: controllers.FinalizerNamed(finalizer).String(),
				evidence: []Evidence{o.evidence("spec.finalizers")},
			})
		}
	}
	return all
}

func undiscoveredText(message string) string {
	if m := undiscoveredAPI.FindStringSubmatch(message); m != nil {
		return "the API " + m[1] + "/" + m[2] + " does not answer, so its remaining objects are unknown"
	}
	return message
}

func (o *object) remainingText() string {
	var texts []string
	for _, r := range o.remaining() {
		texts = append(texts, fmt.Sprintf("%d %s", r.count, strings.TrimSuffix(r.resource+"."+r.group, ".")))
	}
	if len(texts) == 0 {
		return ""
	}
	return "it still holds " + strings.Join(texts, ", ")
}

func finalizersText(message string) string {
	var texts []string
	for _, m := range remainingFinalizers.FindAllStringSubmatch(message, maxRemainingKinds) {
		kept := m[1]
		if owner := controllers.FinalizerNamed(m[1]).Owner; owner != "" {
			kept += " of " + owner
		}
		count, _ := strconv.Atoi(m[2])
		texts = append(texts, kept+" on "+text.Count(count, "object"))
	}
	if len(texts) == 0 {
		return ""
	}
	return "objects in it wait for finalizer " + strings.Join(texts, "; ")
}

// undiscoverableAPIs returns the APIs that block the deletion of a namespace because they do
// not respond.
func (o *object) undiscoverableAPIs() (all []objectRef) {
	c := o.Under("status.conditions[NamespaceDeletionDiscoveryFailure]")
	if c.Text("status") != "True" {
		return nil
	}
	for _, m := range undiscoveredAPI.FindAllStringSubmatch(messages.Head(c.Text("message")), maxRemainingKinds) {
		all = append(all, objectRef{Path: c.Path + "message", ID: o.refer(apiService, "", m[2]+"."+m[1]), Optional: true, blocksDeletion: true})
	}
	return all
}

// deletingContent returns the known objects that are being deleted, and that block the
// deletion of their namespace or definition.
func (o *object) deletingContent() (all []*object) {
	if kind := o.ID.Kind; kind != namespace && kind != crd {
		return nil
	}
	for _, p := range o.index.all {
		inIt := o.ID.Kind == namespace && p.ID.Namespace == o.ID.Name
		ofIt := o.ID.Kind == crd && p.ID.Group == o.Text("spec.group") && p.ID.Kind.Kind == o.Text("spec.names.kind")
		if (inIt || ofIt) && p.ID.Cluster == o.ID.Cluster && p.Result.Status == status.TerminatingStatus {
			all = append(all, p)
		}
	}
	return all
}
