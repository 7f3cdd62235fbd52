package explain

import (
	"kstatus.dev/explain/internal/reference"
	"kstatus.dev/status"
)

// shapedRefs are the references that the fields of an object look like.
func shapedRefs(n *node) (all []Ref) {
	for _, r := range reference.Find(n.section.Section, n.ID.Group, n.ID.Namespace, 2*mostRefs) {
		id := ID{n.ID.Cluster, r.Group, r.Kind, r.Namespace, r.Name}
		all = append(all, Ref{Path: r.Path, ID: id, Optional: r.Optional, Guessed: r.Guessed})
	}
	return all
}

// snapshotRefs are the class of a snapshot and the claim that it is made of.
func snapshotRefs(n *node) (all []Ref) {
	if name := n.Text("spec.volumeSnapshotClassName"); name != "" {
		class := status.Kind{Group: snapshot.Group, Kind: "VolumeSnapshotClass"}
		all = append(all, Ref{Path: "spec.volumeSnapshotClassName", ID: n.refer(class, "", name)})
	}
	if name := n.Text("spec.source.persistentVolumeClaimName"); name != "" {
		all = append(all, Ref{Path: "spec.source.persistentVolumeClaimName", ID: n.refer(claim, n.ID.Namespace, name)})
	}
	if name := n.Text("status.boundVolumeSnapshotContentName"); name != "" {
		content := status.Kind{Group: snapshot.Group, Kind: "VolumeSnapshotContent"}
		all = append(all, Ref{Path: "status.boundVolumeSnapshotContentName", ID: n.refer(content, "", name)})
	}
	return all
}

var snapshot = status.Kind{Group: "snapshot.storage.k8s.io", Kind: "VolumeSnapshot"}
