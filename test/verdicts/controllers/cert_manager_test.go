package controllers

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// certManager is cert-manager. Its ACME issuers have no server here.
func certManager() *controller {
	authority, request := newAuthority(), newRequest()
	return &controller{
		name: "cert-manager", folder: "certmanager", module: "github.com/cert-manager/cert-manager", tool: "cert-manager",
		definitions: []string{"github.com/cert-manager/cert-manager:deploy/crds/*.yaml"},
		arguments: func(s *setting) []string {
			// A failed request is repeated after a second instead of an hour.
			return []string{"--kubeconfig=" + s.kubeconfig, "--certificate-request-minimum-backoff-duration=1s"}
		},
		scenarios: []scenario{
			{it: "is self-signed", target: issuer, apply: selfSigned, truth: reported(issuer)},
			{it: "is created before its controller runs", late: true, waits: "InProgress", target: issuer, apply: selfSigned, truth: reported(issuer)},
			{it: "has a Secret with an authority", target: issuer, given: authority, apply: byAuthority, truth: hasAuthority},
			{it: "has no Secret yet", target: issuer, apply: byAuthority, waits: "Failed not found", fix: authority, truth: hasAuthority},
			{it: "has a Secret without an authority", target: issuer, given: notAuthority, apply: byAuthority, waits: "Failed", fix: authority, truth: hasAuthority},
			{it: "has an ACME server that does not answer", target: issuer, apply: acme, waits: "Failed", never: true, truth: never},
			{it: "gets a missing Secret while its controller is stopped", late: true, target: issuer, given: authority, first: byAuthority,
				apply: byMissing, waits: "InProgress", fix: strings.Replace(authority, "name: authority", "name: missing", 1), truth: hasSecret("missing")},
			{it: "is self-signed", target: "ClusterIssuer.cert-manager.io/$NS", apply: `{apiVersion: cert-manager.io/v1, kind: ClusterIssuer, metadata: {name: $NS}, spec: {selfSigned: {}}}`,
				truth: func(ctx context.Context, w *world) error {
					return reported("ClusterIssuer.cert-manager.io/"+w.ns)(ctx, w)
				}},

			{it: "is issued by an authority", target: certificate, given: authority + "---\n" + byAuthority, apply: webCertificate("web.example.com"), truth: certified("web.example.com")},
			{it: "is created together with its issuer", target: certificate, apply: authority + "---\n" + byAuthority + "---\n" + webCertificate("web.example.com"), truth: certified("web.example.com")},
			{it: "is created before its controller runs", late: true, waits: "InProgress", target: certificate, given: authority + "---\n" + byAuthority,
				apply: webCertificate("web.example.com"), truth: certified("web.example.com")},
			{it: "has no issuer yet", target: certificate, apply: webCertificate("web.example.com"), waits: "InProgress", fix: authority + "---\n" + byAuthority, truth: certified("web.example.com")},
			{it: "has an issuer that is not ready", target: certificate, given: byAuthority, apply: webCertificate("web.example.com"), waits: "InProgress", fix: authority, truth: certified("web.example.com")},
			{it: "gets another name", target: certificate, given: authority + "---\n" + byAuthority, first: webCertificate("web.example.com"),
				apply: webCertificate("shop.example.com"), truth: certified("shop.example.com")},
			{it: "gets another name while its controller is stopped", late: true, target: certificate, given: authority + "---\n" + byAuthority, first: webCertificate("web.example.com"),
				apply: webCertificate("shop.example.com"), waits: "InProgress", truth: certified("shop.example.com")},
			{it: "gets an issuer that does not exist yet", target: certificate, given: authority + "---\n" + byAuthority, first: webCertificate("web.example.com"),
				apply: byOther(webCertificate("shop.example.com")), waits: "InProgress", fix: byOther(byAuthority), truth: certified("shop.example.com")},
			{it: "waits for an ACME server that does not answer", target: certificate, given: acme, apply: webCertificate("web.example.com"), waits: "InProgress", never: true, truth: never},

			{it: "is signed", target: certificateRequest, given: authority + "---\n" + byAuthority, apply: request, truth: signed},
			{it: "is created before its controller runs", late: true, waits: "InProgress", target: certificateRequest, given: authority + "---\n" + byAuthority, apply: request, truth: signed},
			{it: "has a request that cannot be read", target: certificateRequest, given: authority + "---\n" + byAuthority,
				apply: "{apiVersion: cert-manager.io/v1, kind: CertificateRequest, metadata: {name: web}, spec: {request: bm90aGluZw==, issuerRef: {name: ca}}}", waits: "Failed", never: true, truth: signed},
			{it: "has no issuer yet", target: certificateRequest, apply: request, waits: "InProgress", fix: authority + "---\n" + byAuthority, truth: signed},
		},
	}
}

const (
	issuer             = "Issuer.cert-manager.io/ca"
	certificate        = "Certificate.cert-manager.io/web"
	certificateRequest = "CertificateRequest.cert-manager.io/web"

	selfSigned   = "{apiVersion: cert-manager.io/v1, kind: Issuer, metadata: {name: ca}, spec: {selfSigned: {}}}\n"
	byAuthority  = "{apiVersion: cert-manager.io/v1, kind: Issuer, metadata: {name: ca}, spec: {ca: {secretName: authority}}}\n"
	byMissing    = "{apiVersion: cert-manager.io/v1, kind: Issuer, metadata: {name: ca}, spec: {ca: {secretName: missing}}}\n"
	acme         = "{apiVersion: cert-manager.io/v1, kind: Issuer, metadata: {name: ca}, spec: {acme: {server: 'https://127.0.0.1:1/directory', privateKeySecretRef: {name: account}, solvers: [{http01: {ingress: {}}}]}}}\n"
	notAuthority = "{apiVersion: v1, kind: Secret, metadata: {name: authority}, type: kubernetes.io/tls, stringData: {tls.crt: x, tls.key: x}}\n"
)

func webCertificate(host string) string {
	return "{apiVersion: cert-manager.io/v1, kind: Certificate, metadata: {name: web}, spec: {secretName: web, dnsNames: [" + host + "], issuerRef: {name: ca}}}\n"
}

// byOther replaces the issuer.
func byOther(text string) string {
	return strings.ReplaceAll(text, "name: ca}", "name: other}")
}

// reported is the truth that the controller has written to an object.
func reported(name string) func(context.Context, *world) error {
	return func(ctx context.Context, w *world) error {
		o, err := w.get(ctx, name)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(o.GetManagedFields(), func(f metav1.ManagedFieldsEntry) bool { return f.Subresource == "status" }) {
			return errors.New("its controller has not written to it")
		}
		return nil
	}
}

func hasSecret(name string) func(context.Context, *world) error {
	return func(ctx context.Context, w *world) error {
		_, err := w.client.CoreV1().Secrets(w.ns).Get(ctx, name, metav1.GetOptions{})
		return err
	}
}

func never(context.Context, *world) error { return errors.New("nothing makes it ready") }

// authorityOf reads the authority of the issuer.
func authorityOf(ctx context.Context, w *world) (*x509.Certificate, error) {
	s, err := w.client.CoreV1().Secrets(w.ns).Get(ctx, "authority", metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	return parseCertificate(s.Data["tls.crt"])
}

func hasAuthority(ctx context.Context, w *world) error {
	ca, err := authorityOf(ctx, w)
	if err == nil && !ca.IsCA {
		err = errors.New("the certificate is not that of an authority")
	}
	return err
}

func parseCertificate(text []byte) (*x509.Certificate, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errors.New("it has no certificate")
	}
	return x509.ParseCertificate(block.Bytes)
}

// verify checks that a certificate is of the authority.
func verify(ctx context.Context, w *world, text []byte, host string) error {
	ca, err := authorityOf(ctx, w)
	if err != nil {
		return err
	}
	leaf, err := parseCertificate(text)
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	roots.AddCert(ca)
	_, err = leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: host})
	return err
}

// certified is the truth that the Secret has a certificate of the authority for a host.
func certified(host string) func(context.Context, *world) error {
	return func(ctx context.Context, w *world) error {
		s, err := w.client.CoreV1().Secrets(w.ns).Get(ctx, "web", metav1.GetOptions{})
		if err != nil {
			return err
		}
		return verify(ctx, w, s.Data["tls.crt"], host)
	}
}

// signed is the truth that the request has a certificate of the authority.
func signed(ctx context.Context, w *world) error {
	o, err := w.get(ctx, certificateRequest)
	if err != nil {
		return err
	}
	text, _, _ := unstructured.NestedString(o.Object, "status", "certificate")
	der, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return err
	}
	return verify(ctx, w, der, "web.example.com")
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// newAuthority returns the Secret of a new authority.
func newAuthority() string {
	key := must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(1, 0, 0),
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature, BasicConstraintsValid: true, IsCA: true,
	}
	der := must(x509.CreateCertificate(rand.Reader, template, template, key.Public(), key))
	encode := func(kind string, der []byte) string {
		return base64.StdEncoding.EncodeToString(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	return fmt.Sprintf("{apiVersion: v1, kind: Secret, metadata: {name: authority}, type: kubernetes.io/tls, data: {tls.crt: %s, tls.key: %s}}\n",
		encode("CERTIFICATE", der), encode("EC PRIVATE KEY", must(x509.MarshalECPrivateKey(key))))
}

// newRequest returns a CertificateRequest.
func newRequest() string {
	key := must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	der := must(x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{DNSNames: []string{"web.example.com"}}, key))
	text := base64.StdEncoding.EncodeToString(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE REQUEST", Bytes: der}))
	return "{apiVersion: cert-manager.io/v1, kind: CertificateRequest, metadata: {name: web}, spec: {request: " + text + ", issuerRef: {name: ca}}}\n"
}
