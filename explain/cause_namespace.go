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

// As the namespace controller counts what is left: "pods. has 2 resource instances".
var remains = regexp.MustCompile(`([a-z0-9-]+)\.([a-z0-9.-]*) has ([0-9]+) resource instances`)

// As it counts finalizers: "example.com/hold in 2 resource instances".
var remainingFinalizers = regexp.MustCompile(`([A-Za-z0-9./_-]+) in ([0-9]+) resource instances`)

// As the discovery of APIs names one that does not answer: "metrics.k8s.io/v1beta1: stale …".
var undiscoveredAPI = regexp.MustCompile(`([a-z0-9-]+(?:\.[a-z0-9-]+)+)/(v[0-9][a-z0-9]*): `)

// A remainder is what is left in a namespace of one kind.
type remainder struct {
	resource, group string
	count           int
}

// mostRemainders is how many kinds in a namespace are told and asked for.
const mostRemainders = 6

// remaining returns what a namespace that is being deleted still holds, in the
// order of its controller.
func (n *node) remaining() (all []remainder) {
	c := n.Under("status.conditions[NamespaceContentRemaining]")
	if c.Text("status") != "True" {
		return nil
	}
	for _, m := range remains.FindAllStringSubmatch(messages.Head(c.Text("message")), mostRemainders) {
		count, _ := strconv.Atoi(m[3])
		all = append(all, remainder{m[1], m[2], count})
	}
	return all
}

// namespaceHeld tells what keeps a namespace from going.
func namespaceHeld(n *node) (all []found) {
	held := func(is, kind string, tell func(message string) string, echo bool) {
		c := n.Under("status.conditions[" + is + "]")
		if c.Text("status") != "True" {
			return
		}
		all = append(all, found{kind: kind, text: show.Line(cmp.Or(tell(messages.Head(c.Text("message"))), c.says())), key: n.ID.String(), echo: echo, evidence: c.conditionEvidence()})
	}
	as := func(message string) string { return message }
	held("NamespaceDeletionDiscoveryFailure", "NamespaceDiscoveryFailed", tellUndiscovered, false)
	held("NamespaceDeletionGroupVersionParsingFailure", "NamespaceDiscoveryFailed", as, false)
	held("NamespaceDeletionContentFailure", "NamespaceContentFailed", as, false)
	held("NamespaceFinalizersRemaining", "FinalizerPending", tellFinalizers, true)
	held("NamespaceContentRemaining", "NamespaceContent", func(string) string { return n.tellRemaining() }, true)
	if len(all) > 1 && all[len(all)-1].kind == "NamespaceContent" && all[len(all)-2].kind == "FinalizerPending" {
		all[len(all)-2].evidence = append(all[len(all)-2].evidence, all[len(all)-1].evidence...)
		all = all[:len(all)-1]
	}
	for _, finalizer := range n.Texts("spec.finalizers") {
		if finalizer != "kubernetes" {
			all = append(all, found{
				kind: "FinalizerPending", text: controllers.FinalizerNamed(finalizer).String(),
				evidence: []Evidence{n.evidence("spec.finalizers")},
			})
		}
	}
	return all
}

func tellUndiscovered(message string) string {
	if m := undiscoveredAPI.FindStringSubmatch(message); m != nil {
		return "the API " + m[1] + "/" + m[2] + " does not answer, so nobody can tell what is left in it"
	}
	return message
}

func (n *node) tellRemaining() string {
	var texts []string
	for _, r := range n.remaining() {
		texts = append(texts, fmt.Sprintf("%d %s", r.count, strings.TrimSuffix(r.resource+"."+r.group, ".")))
	}
	if len(texts) == 0 {
		return ""
	}
	return "it still holds " + strings.Join(texts, ", ")
}

func tellFinalizers(message string) string {
	var texts []string
	for _, m := range remainingFinalizers.FindAllStringSubmatch(message, mostRemainders) {
		kept := m[1]
		if owner := controllers.FinalizerNamed(m[1]).Owner; owner != "" {
			kept += ", which " + owner + " removes,"
		}
		count, _ := strconv.Atoi(m[2])
		texts = append(texts, kept+" on "+text.Count(count, "object"))
	}
	if len(texts) == 0 {
		return ""
	}
	return "what is in it waits for finalizer " + strings.Join(texts, "; ")
}

// undiscovered are the APIs that keep a namespace from being emptied.
func (n *node) undiscovered() (all []Ref) {
	c := n.Under("status.conditions[NamespaceDeletionDiscoveryFailure]")
	if c.Text("status") != "True" {
		return nil
	}
	for _, m := range undiscoveredAPI.FindAllStringSubmatch(messages.Head(c.Text("message")), mostRemainders) {
		all = append(all, Ref{Path: c.Path + "message", ID: n.refer(apiService, "", m[2]+"."+m[1]), Optional: true, stays: true})
	}
	return all
}

// held returns the known objects that are to go before a namespace or a
// definition does, and are being deleted.
func (n *node) held() (all []*node) {
	if kind := n.ID.GroupKind(); kind != namespace && kind != crd {
		return nil
	}
	for _, o := range n.scene.all {
		inIt := n.ID.GroupKind() == namespace && o.ID.Namespace == n.ID.Name
		ofIt := n.ID.GroupKind() == crd && o.ID.Group == n.Text("spec.group") && o.ID.Kind == n.Text("spec.names.kind")
		if (inIt || ofIt) && o.ID.Cluster == n.ID.Cluster && o.Result.Status == status.TerminatingStatus {
			all = append(all, o)
		}
	}
	return all
}
