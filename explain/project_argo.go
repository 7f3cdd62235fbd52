package explain

import (
	"cmp"
	"slices"
	"strings"

	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

var application = status.Kind{Group: "argoproj.io", Kind: "Application"}

// The states of health by which Argo CD says that an object is in the way, the worst first.
var argoHealth = []string{"Degraded", "Missing", "Progressing", "Unknown", "Suspended"}

// argoRefs are the objects of an Application that are not healthy, the worst
// first, if they live in the same cluster.
func argoRefs(n *node) []Ref {
	if !n.deploysHere() {
		return nil
	}
	byHealth := make([][]Ref, len(argoHealth))
	for r := range n.Each("status.resources") {
		if i := slices.Index(argoHealth, r.Text("health.status")); i >= 0 {
			id := ID{n.ID.Cluster, r.Text("group"), r.Text("kind"), r.Text("namespace"), r.Text("name")}
			byHealth[i] = append(byHealth[i], Ref{Path: r.Path + "health.status", ID: id})
		}
	}
	return slices.Concat(byHealth...)
}

// sharpen says more precisely what was refused, where a message has the words of
// the API server.
func (n *node) sharpen(f *found, message string) {
	more := *f
	if n.denied(&more, message); more.kind != f.kind {
		f.kind, f.text = more.kind, more.text
	}
}

// deploysHere reports whether an Application deploys into the cluster that it is in itself.
func (n *node) deploysHere() bool {
	switch server := n.Text("spec.destination.server"); server {
	case "https://kubernetes.default.svc", "https://kubernetes.default.svc/":
		return true
	case "":
		return n.Text("spec.destination.name") == "in-cluster"
	}
	return false
}

// argoFailed tells what Argo CD could not do: what it cannot compare or sync, and
// of which object.
func argoFailed(n *node) (all []found) {
	for c := range n.Each("status.conditions") {
		if is := c.Text("type"); strings.HasSuffix(is, "Error") && is != "SyncError" {
			all = append(all, found{kind: "ApplyFailed", text: show.Line(is + ": " + c.Text("message")), evidence: []Evidence{c.evidence("message")}})
		}
	}
	if phase := n.Text("status.operationState.phase"); phase != "Failed" && phase != "Error" {
		return all
	}
	for r := range n.Each("status.operationState.syncResult.resources") {
		if r.Text("status") != "SyncFailed" && r.Text("hookPhase") != "Failed" && r.Text("hookPhase") != "Error" {
			continue
		}
		id := ID{Kind: r.Text("kind"), Namespace: r.Text("namespace"), Name: r.Text("name")}
		f := found{
			kind: "ApplyFailed", text: show.Line(r.Text("message")),
			evidence: []Evidence{n.evidence("status.operationState.phase"), r.evidence("message")},
		}
		n.sharpen(&f, messages.Head(r.Text("message")))
		f.text = lowerKind(id) + " cannot be synced: " + f.text
		all = append(all, f)
	}
	if len(all) == 0 {
		all = append(all, found{
			kind: "ApplyFailed", text: cmp.Or(n.Text("status.operationState.message"), "its last sync failed"), echo: true,
			evidence: []Evidence{n.evidence("status.operationState.phase"), n.evidence("status.operationState.message")},
		})
	}
	return all
}
