package explain

import (
	"cmp"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"iter"
	"regexp"
	"strings"
	"time"

	"kstatus.dev/explain/internal/show"
)

// webhooks yields how the API server reaches each webhook of an object, or the
// API that it stands for.
func (n *node) webhooks() iter.Seq[section] {
	return func(yield func(section) bool) {
		switch n.ID.GroupKind() {
		case apiService:
			yield(n.Under("spec"))
		case crd:
			yield(n.Under("spec.conversion.webhook.clientConfig"))
		case validatingWebhooks, mutatingWebhooks:
			for hook := range n.Each("webhooks") {
				if !yield(hook.Under("clientConfig")) {
					return
				}
			}
		}
	}
}

// bundleExpired tells that none of the certificates by which the API server
// knows a webhook or an API is valid any more.
func bundleExpired(n *node) (all []found) {
	for at := range n.webhooks() {
		bundle := certificates(at.Text("caBundle"))
		if len(bundle) == 0 || n.scene.now.IsZero() {
			continue
		}
		last := bundle[0]
		for _, c := range bundle {
			if c.NotAfter.After(last.NotAfter) {
				last = c
			}
		}
		if last.NotAfter.After(n.scene.now) {
			continue
		}
		until := last.NotAfter.UTC().Format(time.RFC3339)
		all = append(all, found{
			kind: "CertificateExpired", text: "the CA certificate in ." + at.Path + "caBundle expired at " + until,
			evidence: []Evidence{{From: FromSpec, Object: n.ID, Path: "." + at.Path + "caBundle", Value: show.Line("subject " + cmp.Or(last.Subject.String(), "none") + ", valid until " + until)}},
		})
	}
	return all
}

// mostCertificates is how many certificates of one bundle are read.
const mostCertificates = 100

// certificates reads a bundle as it stands in an object. What cannot be read is left out.
func certificates(bundle string) (all []*x509.Certificate) {
	rest, err := base64.StdEncoding.DecodeString(strings.TrimSpace(bundle))
	if err != nil {
		return nil
	}
	for len(all) < mostCertificates {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			return all
		}
		if c, err := x509.ParseCertificate(block.Bytes); err == nil {
			all = append(all, c)
		}
	}
	return all
}

// certExpired tells that the certificate of cert-manager has run out.
func certExpired(n *node) []found {
	until, err := time.Parse(time.RFC3339, n.Text("status.notAfter"))
	if err != nil || n.scene.now.IsZero() || until.After(n.scene.now) {
		return nil
	}
	f := found{
		kind: "CertificateExpired", text: "the certificate in secret " + n.ID.Namespace + "/" + n.Text("spec.secretName") + " expired at " + n.Text("status.notAfter"),
		evidence: []Evidence{n.evidence("status.notAfter")},
	}
	if n.Has("status.renewalTime") {
		f.evidence = append(f.evidence, n.evidence("status.renewalTime"))
	}
	if n.Has("status.failedIssuanceAttempts") {
		f.evidence = append(f.evidence, n.evidence("status.failedIssuanceAttempts"))
	}
	return []found{f}
}

// How a Go program says that it refused a certificate for its time.
var expiredWords = regexp.MustCompile(`certificate has expired or is not yet valid(?:: current time \S+ is (after|before) (\S+))?`)

// The host that a program called.
var calledHost = regexp.MustCompile(`(?:https?|wss?|tcp)://([A-Za-z0-9.:\[\]-]+)`)

// expiredSaid tells that somebody says that a certificate is out of its time, and whose.
func expiredSaid(n *node) []found {
	for s := range n.sayings() {
		m := expiredWords.FindStringSubmatch(s.text)
		if m == nil {
			continue
		}
		text := "a certificate"
		if hook := webhookFailed.FindStringSubmatch(s.text); hook != nil {
			text = "the certificate of webhook " + hook[1]
		} else if host := calledHost.FindStringSubmatch(s.text); host != nil {
			text = "the certificate of " + host[1]
		}
		switch until := strings.TrimRight(m[2], `.,;)"`); {
		case m[1] == "after":
			text += " expired at " + until
		case m[1] == "before":
			text += " is not valid before " + until
		default:
			text += " has expired or is not valid yet"
		}
		return []found{{kind: "CertificateExpired", text: text, evidence: []Evidence{s.evidence()}}}
	}
	return nil
}
