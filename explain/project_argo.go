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

// The health statuses of Argo CD that block an Application, the worst first.
var argoHealth = []string{"Degraded", "Missing", "Progressing", "Unknown", "Suspended"}

// argoRefs returns the unhealthy objects of an Application, the worst first, if they are
// in the same cluster.
func argoRefs(o *object) []objectRef {
	if !o.deploysInCluster() {
		return nil
	}
	byHealth := make([][]objectRef, len(argoHealth))
	for r := range o.Each("status.resources") {
		if i := slices.Index(argoHealth, r.Text("health.status")); i >= 0 {
			id := o.refer(status.Kind{Group: r.Text("group"), Kind: r.Text("kind")}, r.Text("namespace"), r.Text("name"))
			byHealth[i] = append(byHealth[i], objectRef{Path: r.Path + "health.status", ID: id, isOutput: true})
		}
	}
	return slices.Concat(byHealth...)
}

// addAPIErrorKind replaces the kind and text of a finding if a message has a known error of the
// API server.
func (o *object) addAPIErrorKind(f *finding, message string) {
	more := *f
	if o.addDenial(&more, message); more.kind != f.kind {
		f.kind, f.text = more.kind, more.text
	}
}

// deploysInCluster reports whether an Application deploys into its own cluster.
func (o *object) deploysInCluster() bool {
	switch server := o.Text("spec.destination.server"); server {
	case "https://kubernetes.default.svc", "https://kubernetes.default.svc/":
		return true
	case "":
		return o.Text("spec.destination.name") == "in-cluster"
	}
	return false
}

// argoFailed finds why Argo CD could not compare or sync, and for which object.
func argoFailed(o *object) (all []finding) {
	for c := range o.Each("status.conditions") {
		if is := c.Text("type"); strings.HasSuffix(is, "Error") && is != "SyncError" {
			all = append(all, finding{kind: "ApplyFailed", text: show.Line(is + ": " + c.Text("message")), evidence: []Evidence{c.evidence("message")}})
		}
	}
	if phase := o.Text("status.operationState.phase"); phase != "Failed" && phase != "Error" {
		return all
	}
	for r := range o.Each("status.operationState.syncResult.resources") {
		if r.Text("status") != "SyncFailed" && r.Text("hookPhase") != "Failed" && r.Text("hookPhase") != "Error" {
			continue
		}
		id := status.ID{Kind: status.Kind{Kind: r.Text("kind")}, Namespace: r.Text("namespace"), Name: r.Text("name")}
		f := finding{
			kind: "ApplyFailed", text: show.Line(r.Text("message")),
			evidence: []Evidence{o.evidence("status.operationState.phase"), r.evidence("message")},
		}
		o.addAPIErrorKind(&f, messages.Head(r.Text("message")))
		f.text = kindAndName(id) + " cannot be synced: " + f.text
		all = append(all, f)
	}
	if len(all) == 0 {
		all = append(all, finding{
			kind: "ApplyFailed", text: cmp.Or(o.Text("status.operationState.message"), "its last sync failed"), weak: true,
			evidence: []Evidence{o.evidence("status.operationState.phase"), o.evidence("status.operationState.message")},
		})
	}
	return all
}
