package audit

import (
	"slices"

	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var lateFinalizer = &Rule{
	ID: "W-36", Name: "late-finalizer", Severity: severity.Error,
	Doc: `The finalizer is set before external resources are created, and not while the object is paused

If an object without a finalizer is deleted at the wrong moment, its external
resources are left behind. Add the finalizer in a separate request, before the first
call to the external system. Do not add it to a paused object, which may be about to
be moved and deleted. A violation is that the ID of an external resource
(spec.providerID, status.instanceID and the like) is written first, and the finalizer
later. Another is a finalizer that is added more than Limits.GracePeriod after a
pause.`,
	OnChange: func(p *Pass) {
		if p.New.Gone || !p.New.Deleting.IsZero() {
			return
		}
		if path, set := newIdentity(p.Old, p.New); set && !isBuiltinKind(p.New.ID) && len(finalizers(p.New)) == 0 {
			*State[identity](p) = identity{path, p.New.ResourceVersion}
		}
		if equal(decoded.At(p.Old.Object, "metadata", "finalizers"), decoded.At(p.New.Object, "metadata", "finalizers")) {
			return
		}
		had, has := finalizers(p.Old), finalizers(p.New)
		for _, f := range has {
			if slices.Contains(had, f) || !p.BySameWriter() {
				continue
			}
			if id := existingState[identity](p); id != nil && id.path != "" && len(had) == 0 {
				p.Report(".metadata.finalizers", "%s was added after %s had been set in resourceVersion %s", f, id.path, id.version)
				*id = identity{}
			}
			if by := p.PausedBy(); by != "" && p.Now.Sub(p.PauseChanged()) > p.Options.GracePeriod {
				p.Report(".metadata.finalizers", "%s was added while the object is paused by %s", f, by)
			}
		}
	},
}

// An identity is the field and the resourceVersion in which the ID of an
// external resource was written.
type identity struct{ path, version string }

// identities lists the fields in which controllers write IDs of external
// resources.
var identities = [][2]string{
	{"spec", "providerID"}, {"status", "providerID"}, {"status", "instanceID"}, {"status", "instanceId"}, {"status", "externalID"},
	{"status", "externalId"}, {"status", "resourceID"}, {"status", "resourceId"}, {"status", "arn"}, {"status", "vmID"},
}

// newIdentity returns the first ID that a write has set in an empty field.
func newIdentity(old, v *Version) (path string, set bool) {
	for _, at := range identities {
		if decoded.Text(v.Object, at[0], at[1]) != "" && decoded.Text(old.Object, at[0], at[1]) == "" {
			return "." + at[0] + "." + at[1], true
		}
	}
	return "", false
}
