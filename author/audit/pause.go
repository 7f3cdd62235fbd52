package audit

import (
	"strings"
	"time"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/status"
)

const capiGroup = "cluster.x-k8s.io"

var (
	capiCluster     = status.Kind{Group: capiGroup, Kind: "Cluster"}
	capiMachine     = status.Kind{Group: capiGroup, Kind: "Machine"}
	capiMachinePool = status.Kind{Group: capiGroup, Kind: "MachinePool"}
)

// PausedBy returns what pauses the object: its own annotation, or the Cluster
// that its label names. It is empty if the object is not paused.
func (p *Pass) PausedBy() string { return p.history.pause.by }

// PauseChanged returns when the result of [Pass.PausedBy] last changed. It is
// zero if it has not changed since the object was first seen.
func (p *Pass) PauseChanged() time.Time { return p.history.pause.since }

// A pause is the origin of a pause, and its time.
type pause struct {
	by    string
	since time.Time
}

func clusterOf(v *Version) string {
	if v.ID.Kind == capiCluster {
		return v.ID.Name
	}
	return decoded.Text(v.Object, "metadata", "labels", "cluster.x-k8s.io/cluster-name")
}

func (a *Auditor) pausedBy(v *Version) string {
	if _, paused := decoded.Map(v.Object, "metadata", "annotations")["cluster.x-k8s.io/paused"]; paused {
		return "its annotation cluster.x-k8s.io/paused"
	}
	if name := clusterOf(v); name != "" {
		c := a.lastVersion(status.ID{Kind: capiCluster, Namespace: v.ID.Namespace, Name: name})
		if c != nil && decoded.Bool(c.Object, "spec", "paused") {
			return "spec.paused of Cluster/" + strings.TrimPrefix(c.ID.Namespace+"/", "/") + name
		}
	}
	return ""
}

// updatePause determines whether an object is paused, and calls the rules if that
// changed.
func (a *Auditor) updatePause(h *history, first bool) {
	by := a.pausedBy(h.last)
	if by == h.pause.by {
		return
	}
	h.pause = pause{by: by, since: a.now}
	if first {
		h.pause.since = time.Time{}
	}
	p := a.newPass(h, nil, h.last)
	for _, r := range a.rules {
		p.callHook(r, r.OnPause)
	}
}

// updatePauses updates the objects of a Cluster that was paused or resumed, in
// the order of their IDs.
func (a *Auditor) updatePauses(cluster *history) {
	paused := decoded.Bool(cluster.last.Object, "spec", "paused")
	if cluster.id.Kind != capiCluster || paused == cluster.pausesOthers {
		return
	}
	cluster.pausesOthers = paused
	for _, h := range a.objects.sorted() {
		if h != cluster && !h.related && h.last != nil && h.id.Namespace == cluster.id.Namespace && clusterOf(h.last) == cluster.id.Name {
			a.updatePause(h, false)
		}
	}
}
