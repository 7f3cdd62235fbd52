package gallery

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Webhooks starts the webhooks of situations, until the test ends, and returns the words for a Player.
func Webhooks(t testing.TB) map[string]string {
	t.Helper()
	words := map[string]string{}
	for name, until := range map[string]time.Time{"WEBHOOK": time.Now().AddDate(0, 0, 1), "EXPIRED": time.Now().AddDate(0, 0, -1)} {
		server, authority, err := Webhook(until)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(server.Close)
		words[name+"CA"], words[name+"URL"] = authority, server.URL
	}
	return words
}

// Webhook serves an admission webhook that denies everything, with a certificate that is valid
// until then. It returns its URL and its certificate authority in base64.
func Webhook(until time.Time) (server *httptest.Server, authority string, err error) {
	certificate, err := certificate(until)
	if err != nil {
		return nil, "", err
	}
	server = httptest.NewUnstartedServer(http.HandlerFunc(refuse))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // untrusting clients are intended
	server.StartTLS()
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Certificate[0]})
	return server, base64.StdEncoding.EncodeToString(block), nil
}

func refuse(w http.ResponseWriter, req *http.Request) {
	var review admissionv1.AdmissionReview
	if err := json.NewDecoder(req.Body).Decode(&review); err != nil || review.Request == nil {
		http.Error(w, "want an AdmissionReview", http.StatusBadRequest)
		return
	}
	review.Response = &admissionv1.AdmissionResponse{
		UID: review.Request.UID, Result: &metav1.Status{Code: http.StatusForbidden, Message: "label team is required"},
	}
	w.Header().Set("Content-Type", "application/json")
	// An error here means that the client has closed the connection.
	_ = json.NewEncoder(w).Encode(review)
}

// certificate creates a self-signed certificate for loopback.
func certificate(until time.Time) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "pods.policy.example.com"},
		NotBefore:             until.AddDate(-1, 0, 0),
		NotAfter:              until,
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
		IsCA:                  true,
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}
