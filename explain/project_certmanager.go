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

// issuerRefs is who is to issue a certificate.
func issuerRefs(n *node) []Ref {
	at := n.Under("spec.issuerRef")
	id := ID{n.ID.Cluster, cmp.Or(at.Text("group"), issuer.Group), cmp.Or(at.Text("kind"), issuer.Kind), n.ID.Namespace, at.Text("name")}
	id.Namespace = reference.Namespace(id.Kind, id.Namespace)
	if id.Name == "" {
		return nil
	}
	return []Ref{{Path: at.Path + "name", ID: id}}
}

// authorityRefs are the Secret with the key of a certificate authority, and what
// else the fields of an issuer look like.
func authorityRefs(n *node) (all []Ref) {
	if name := n.Text("spec.ca.secretName"); name != "" && n.ID.Namespace != "" {
		all = append(all, Ref{Path: "spec.ca.secretName", ID: n.refer(secret, n.ID.Namespace, name)})
	}
	return append(all, shapedRefs(n)...)
}

// lastIssue leaves out the requests for former issues of a certificate.
func lastIssue(parts []*node) []*node {
	issue := func(p *node) int64 {
		i, _ := strconv.ParseInt(p.Text("metadata.annotations[cert-manager.io/certificate-revision]"), 10, 64)
		return i
	}
	latest := int64(0)
	for _, p := range parts {
		latest = max(latest, issue(p))
	}
	return slices.DeleteFunc(parts, func(p *node) bool {
		return p.ID.GroupKind() == certificateRequest && issue(p) < latest
	})
}
