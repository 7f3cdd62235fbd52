package explain

import (
	"cmp"
	"slices"
	"strconv"

	"kstatus.dev/explain/internal/reference"
	"kstatus.dev/status"
)

var (
	certificate        = status.Kind{Group: "cert-manager.io", Kind: "Certificate"}
	certificateRequest = status.Kind{Group: "cert-manager.io", Kind: "CertificateRequest"}
	order              = status.Kind{Group: "acme.cert-manager.io", Kind: "Order"}
	challenge          = status.Kind{Group: "acme.cert-manager.io", Kind: "Challenge"}
	issuer             = status.Kind{Group: "cert-manager.io", Kind: "Issuer"}
)

// issuerRefs returns the issuer of a certificate.
func issuerRefs(o *object) []objectRef {
	at := o.Under("spec.issuerRef")
	id := o.refer(status.Kind{Group: cmp.Or(at.Text("group"), issuer.Group), Kind: cmp.Or(at.Text("kind"), issuer.Kind)}, o.ID.Namespace, at.Text("name"))
	id.Namespace = reference.Namespace(id.Kind.Kind, id.Namespace)
	if id.Name == "" {
		return nil
	}
	return []objectRef{{Path: at.Path + "name", ID: id}}
}

// issuerSecretRefs returns the Secret with the key of a certificate authority, and the
// generic references of an issuer.
func issuerSecretRefs(o *object) (all []objectRef) {
	if name := o.Text("spec.ca.secretName"); name != "" && o.ID.Namespace != "" {
		all = append(all, objectRef{Path: "spec.ca.secretName", ID: o.refer(secret, o.ID.Namespace, name)})
	}
	return append(all, genericRefs(o)...)
}

// lastIssue removes the requests for former issues of a certificate.
func lastIssue(parts []*object) []*object {
	issue := func(p *object) int64 {
		i, _ := strconv.ParseInt(p.Text("metadata.annotations[cert-manager.io/certificate-revision]"), 10, 64)
		return i
	}
	latest := int64(0)
	for _, p := range parts {
		latest = max(latest, issue(p))
	}
	return slices.DeleteFunc(parts, func(p *object) bool {
		return p.ID.Kind == certificateRequest && issue(p) < latest
	})
}
