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
func (o *object) webhooks() iter.Seq[section] {
	return func(yield func(section) bool) {
		switch o.ID.GroupKind() {
		case apiService:
			yield(o.Under("spec"))
		case crd:
			yield(o.Under("spec.conversion.webhook.clientConfig"))
		case validatingWebhooks, mutatingWebhooks:
			for hook := range o.Each("webhooks") {
				if !yield(hook.Under("clientConfig")) {
					return
				}
			}
		}
	}
}

// bundleExpired tells that none of the certificates by which the API server
// knows a webhook or an API is valid any more.
func bundleExpired(o *object) (all []finding) {
	for at := range o.webhooks() {
		bundle := certificates(at.Text("caBundle"))
		if len(bundle) == 0 || o.index.now.IsZero() {
			continue
		}
		last := bundle[0]
		for _, c := range bundle {
			if c.NotAfter.After(last.NotAfter) {
				last = c
			}
		}
		if last.NotAfter.After(o.index.now) {
			continue
		}
		until := last.NotAfter.UTC().Format(time.RFC3339)
		all = append(all, finding{
			kind: "CertificateExpired", text: "the CA certificate in ." + at.Path + "caBundle expired at " + until,
			evidence: []Evidence{{From: OriginSpec, Object: o.ID, Path: "." + at.Path + "caBundle", Value: show.Line("subject " + cmp.Or(last.Subject.String(), "none") + ", valid until " + until)}},
		})
	}
	return all
}

// maxCertificates is how many certificates of one bundle are read.
const maxCertificates = 100

// certificates reads a bundle as it stands in an object. What cannot be read is left out.
func certificates(bundle string) (all []*x509.Certificate) {
	rest, err := base64.StdEncoding.DecodeString(strings.TrimSpace(bundle))
	if err != nil {
		return nil
	}
	for len(all) < maxCertificates {
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
func certExpired(o *object) []finding {
	until, err := time.Parse(time.RFC3339, o.Text("status.notAfter"))
	if err != nil || o.index.now.IsZero() || until.After(o.index.now) {
		return nil
	}
	f := finding{
		kind: "CertificateExpired", text: "the certificate in secret " + o.ID.Namespace + "/" + o.Text("spec.secretName") + " expired at " + o.Text("status.notAfter"),
		evidence: []Evidence{o.evidence("status.notAfter")},
	}
	if o.Has("status.renewalTime") {
		f.evidence = append(f.evidence, o.evidence("status.renewalTime"))
	}
	if o.Has("status.failedIssuanceAttempts") {
		f.evidence = append(f.evidence, o.evidence("status.failedIssuanceAttempts"))
	}
	return []finding{f}
}

// How a Go program says that it refused a certificate for its time.
var expiredWords = regexp.MustCompile(`certificate has expired or is not yet valid(?:: current time \S+ is (after|before) (\S+))?`)

// The host that a program called.
var calledHost = regexp.MustCompile(`(?:https?|wss?|tcp)://([A-Za-z0-9.:\[\]-]+)`)

// certificateError finds statements that a certificate is not valid at this time,
// and whose certificate that is.
func certificateError(o *object) []finding {
	for s := range o.statements() {
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
		return []finding{{kind: "CertificateExpired", text: text, evidence: []Evidence{s.evidence()}}}
	}
	return nil
}
