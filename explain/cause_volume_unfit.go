package explain

import (
	"slices"
	"strings"

	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/show"
)

// volumeOf returns the known volume that a claim names, or nil.
func (o *object) volumeOf() *object {
	if pv := o.index.find(o.refer(volume, "", o.Text("spec.volumeName"))); pv != nil && pv.Object != nil {
		return pv
	}
	return nil
}

// volumeTaken finds that the volume that a claim names belongs to another claim. It needs no
// event, which may have expired.
func (o *object) volumeTaken() []finding {
	pv := o.volumeOf()
	if pv == nil || !pv.Has("spec.claimRef.name") || pv.isReservedFor(o) {
		return nil
	}
	f := finding{
		kind: "VolumeMismatch", text: "volume " + show.Quoted(pv.ID.Name) + " cannot be bound to it",
		evidence: []Evidence{o.evidence("spec.volumeName")}, next: []string{commandFor(o.ID, "describe", slash(o.ID))},
	}
	o.addHolder(&f)
	return []finding{f}
}

// isReservedFor reports whether a volume is reserved for a claim. A reservation without a UID is
// for any claim of that name.
func (o *object) isReservedFor(claim *object) bool {
	uid := o.Text("spec.claimRef.uid")
	return o.isNamedIn(claim) && (uid == "" || uid == claim.uid)
}

// isNamedIn reports whether the claimRef of a volume has the name of a claim.
func (o *object) isNamedIn(claim *object) bool {
	return o.Text("spec.claimRef.name") == claim.ID.Name && o.Text("spec.claimRef.namespace") == claim.ID.Namespace
}

// addHolder adds which claim has the volume that a claim names. A released volume still belongs to
// a claim that was deleted, perhaps one of the same name.
func (o *object) addHolder(f *finding) {
	pv := o.volumeOf()
	if pv == nil || !pv.Has("spec.claimRef.name") {
		f.text += ": it is bound to another claim"
		return
	}
	f.text += ": " + pv.holder(o)
	f.evidence = append(f.evidence, pv.evidence("status.phase"), pv.evidence("spec.claimRef.name"), pv.evidence("spec.claimRef.uid"), pv.evidence("spec.persistentVolumeReclaimPolicy"))
	f.next = append(f.next, commandFor(pv.ID, "describe", slash(pv.ID)))
}

// holder describes which claim a volume belongs to, for another claim.
func (o *object) holder(of *object) string {
	name := o.Text("spec.claimRef.namespace") + "/" + o.Text("spec.claimRef.name")
	switch phase := o.Text("status.phase"); {
	case o.isReservedFor(of):
		return "it is reserved for the claim"
	case o.isNamedIn(of):
		name = "an earlier claim of the same name, which was deleted"
	case phase == "Released":
		name = "claim " + name + ", which was deleted"
	default:
		return "it is bound to claim " + name
	}
	text := "it is released, and still belongs to " + name
	if o.Text("status.phase") == "Failed" {
		text = "it could not be reclaimed, and still belongs to " + name
	}
	if policy := o.Text("spec.persistentVolumeReclaimPolicy"); policy != "" {
		text += " (reclaim policy " + policy + ")"
	}
	return text
}

// volumeLists returns all volumes for a claim that none of them fits.
func volumeLists(o *object) []List {
	if o.Text("status.phase") != "Pending" || o.Text("spec.volumeName") != "" {
		return nil
	}
	e, ok := o.lastEvent("ProvisioningFailed", "FailedBinding")
	if message := messages.Head(e.Message); !ok || !o.Has("spec.storageClassName") || !messages.HasAny(message, "no-provisioner", "no storage class is set") {
		return nil
	}
	return []List{o.list(volume, "", nil)}
}

// maxUnfit is the maximum number of volumes that a text names.
const maxUnfit = 3

// addUnfitVolumes adds why the volumes of the class of a claim do not fit.
func (o *object) addUnfitVolumes(f *finding) {
	named := 0
	for _, l := range volumeLists(o) {
		for _, pv := range o.index.objectsIn(l) {
			if pv.Text("spec.storageClassName") != o.class() || named >= maxUnfit {
				continue
			}
			if why, path := pv.unfit(o); why != "" {
				named++
				f.text += "; " + pv.ID.Name + ": " + why
				f.evidence = append(f.evidence, pv.evidence(path))
			}
		}
	}
}

// unfit returns why a volume does not fit a claim, and the field that shows it.
func (o *object) unfit(claim *object) (why, path string) {
	modes := o.Texts("spec.accessModes")
	switch {
	case o.Has("spec.claimRef.name") && !o.isReservedFor(claim):
		return o.holder(claim), "status.phase"
	case slices.ContainsFunc(claim.Texts("spec.accessModes"), func(mode string) bool { return !slices.Contains(modes, mode) }):
		return "its access modes are " + show.Line(strings.Join(modes, ", ")), "spec.accessModes"
	case claim.Has("spec.volumeMode") && o.Has("spec.volumeMode") && o.Text("spec.volumeMode") != claim.Text("spec.volumeMode"):
		return "its volumeMode is " + show.Line(o.Text("spec.volumeMode")), "spec.volumeMode"
	}
	return "its capacity is " + show.Line(o.Text("spec.capacity.storage")), "spec.capacity.storage"
}
