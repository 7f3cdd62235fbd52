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

// webhooks yields the client configuration of each webhook of an object, or the spec of
// an APIService.
func (o *object) webhooks() iter.Seq[section] {
	return func(yield func(section) bool) {
		switch o.ID.Kind {
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

// bundleExpired finds that all certificates have expired by which the API server verifies
// a webhook or an API.
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

// maxCertificates is the maximum number of certificates that are read from one bundle.
const maxCertificates = 100

// certificates parses the CA bundle of an object. It skips invalid certificates.
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

// certExpired finds that the certificate of a cert-manager Certificate has expired.
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

// The error of a Go program that rejects a certificate because it has expired or is not
// valid yet.
var expiredWords = regexp.MustCompile(`certificate has expired or is not yet valid(?:: current time \S+ is (after|before) (\S+))?`)

// The host that a program has called.
var calledHost = regexp.MustCompile(`(?:https?|wss?|tcp)://([A-Za-z0-9.:\[\]-]+)`)

// certificateError finds statements that a certificate has expired or is not valid yet,
// and whose certificate it is.
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
