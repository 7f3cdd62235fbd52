package audit

import (
	"slices"

	"kstatus.dev/severity"
)

var lateFinalizer = &Rule{
	ID: "W-36", Name: "late-finalizer", Severity: severity.Error,
	Doc: `The finalizer is there before anything outside is made, and is not added to an object at rest

Something that exists outside the cluster and belongs to an object without a
finalizer is left behind if the object is deleted at the wrong moment. Add the
finalizer in a request of its own, before the first call to the outside. A paused
object gets none: whoever paused it, to move it for instance, may delete it any
time and counts on nobody touching it. Told is that an identity of something
outside (spec.providerID, status.instanceID and the like) was written while there
was no finalizer and one came later, and that a finalizer came more than Limits.GracePeriod
after a pause.`,
	OnChange: func(p *Pass) {
		if p.New.Gone || !p.New.Deleting.IsZero() {
			return
		}
		if path, set := identified(p.Old, p.New); set && !native(p.New.ID) && len(finalizers(p.New)) == 0 {
			*State[identity](p) = identity{path, p.New.ResourceVersion}
		}
		if equal(object(p.Old.Object, "metadata")["finalizers"], object(p.New.Object, "metadata")["finalizers"]) {
			return
		}
		had, has := finalizers(p.Old), finalizers(p.New)
		for _, f := range has {
			if slices.Contains(had, f) || !p.BySameWriter() {
				continue
			}
			if id := remembered[identity](p); id != nil && id.path != "" && len(had) == 0 {
				p.Report(".metadata.finalizers", "%s was added after %s had been set in resourceVersion %s", f, id.path, id.version)
				*id = identity{}
			}
			if by := p.PausedBy(); by != "" && p.Now.Sub(p.PauseChanged()) > p.Options.GracePeriod {
				p.Report(".metadata.finalizers", "%s was added while the object is paused by %s", f, by)
			}
		}
	},
}

// An identity is where that of something outside was written, and when.
type identity struct{ path, version string }

// identities are where controllers write what something outside the cluster is called.
var identities = [][2]string{
	{"spec", "providerID"}, {"status", "providerID"}, {"status", "instanceID"}, {"status", "instanceId"}, {"status", "externalID"},
	{"status", "externalId"}, {"status", "resourceID"}, {"status", "resourceId"}, {"status", "arn"}, {"status", "vmID"},
}

// identified returns the first identity that a write set where there was none.
func identified(old, v *Version) (path string, set bool) {
	for _, at := range identities {
		if text(object(v.Object, at[0]), at[1]) != "" && text(object(old.Object, at[0]), at[1]) == "" {
			return "." + at[0] + "." + at[1], true
		}
	}
	return "", false
}
