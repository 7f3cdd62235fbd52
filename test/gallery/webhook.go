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
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Webhook serves an admission webhook that refuses everything, with a certificate that is
// valid until then. It returns where that is and, in base64, who vouches for the certificate.
func Webhook(until time.Time) (server *httptest.Server, authority string, err error) {
	certificate, err := certificate(until)
	if err != nil {
		return nil, "", err
	}
	server = httptest.NewUnstartedServer(http.HandlerFunc(refuse))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // that a client does not trust us is meant
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
	// An error here means that nobody listens any more.
	_ = json.NewEncoder(w).Encode(review)
}

// certificate makes a certificate for loopback that vouches for itself.
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
