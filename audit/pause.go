package audit

import (
	"strings"
	"time"
)

const capiGroup = "cluster.x-k8s.io"

// PausedBy returns what pauses the object: its own annotation, or the Cluster that its
// label names. It returns "" if nothing does.
func (p *Pass) PausedBy() string { return p.history.pause.by }

// PauseChanged returns since when [Pass.PausedBy] returns what it returns; zero if it did
// so when the object was first seen.
func (p *Pass) PauseChanged() time.Time { return p.history.pause.since }

// A pause is who asks to rest, and since when.
type pause struct {
	by    string
	since time.Time
}

func clusterOf(v *Version) string {
	if v.ID.Group == capiGroup && v.ID.Kind == "Cluster" {
		return v.ID.Name
	}
	return text(object(v.Object, "metadata", "labels"), "cluster.x-k8s.io/cluster-name")
}

func (a *Auditor) pausedBy(v *Version) string {
	if _, paused := object(v.Object, "metadata", "annotations")["cluster.x-k8s.io/paused"]; paused {
		return "its annotation cluster.x-k8s.io/paused"
	}
	if name := clusterOf(v); name != "" {
		c := a.version(ID{Group: capiGroup, Kind: "Cluster", Namespace: v.ID.Namespace, Name: name})
		if c != nil && object(c.Object, "spec")["paused"] == true {
			return "spec.paused of Cluster/" + strings.TrimPrefix(c.ID.Namespace+"/", "/") + name
		}
	}
	return ""
}

// notePause finds out whether an object is paused, and tells the rules if that changed.
func (a *Auditor) notePause(h *history, first bool) {
	by := a.pausedBy(h.last)
	if by == h.pause.by {
		return
	}
	h.pause = pause{by: by, since: a.now}
	if first {
		h.pause.since = time.Time{}
	}
	p := a.pass(h, nil, h.last)
	for _, r := range a.rules {
		p.call(r, r.OnPause)
	}
}

// notePauses tells the objects of a Cluster that it was paused or resumed, in the
// order of their IDs.
func (a *Auditor) notePauses(cluster *history) {
	paused := object(cluster.last.Object, "spec")["paused"] == true
	if cluster.id.Group != capiGroup || cluster.id.Kind != "Cluster" || paused == cluster.pauses {
		return
	}
	cluster.pauses = paused
	for _, h := range a.objects.sorted() {
		if h != cluster && !h.related && h.last != nil && h.id.Namespace == cluster.id.Namespace && clusterOf(h.last) == cluster.id.Name {
			a.notePause(h, false)
		}
	}
}
