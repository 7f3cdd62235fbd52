package explain

import (
	"cmp"

	"kstatus.dev/explain/internal/reference"
	"kstatus.dev/status"
)

var externalSecret = status.Kind{Group: "external-secrets.io", Kind: "ExternalSecret"}

// storeRefs returns the store of an ExternalSecret.
func storeRefs(o *object) (all []objectRef) {
	add := func(at section) {
		id := o.refer(status.Kind{Group: externalSecret.Group, Kind: cmp.Or(at.Text("kind"), "SecretStore")}, o.ID.Namespace, at.Text("name"))
		id.Namespace = reference.Namespace(id.Kind.Kind, id.Namespace)
		if id.Name != "" {
			all = append(all, objectRef{Path: at.Path + "name", ID: id})
		}
	}
	add(o.Under("spec.secretStoreRef"))
	for _, list := range [...]string{"spec.data", "spec.dataFrom"} {
		for d := range o.Each(list) {
			add(d.Under("sourceRef.storeRef"))
		}
	}
	return all
}
