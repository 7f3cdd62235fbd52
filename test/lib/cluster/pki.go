package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"

	"kstatus.dev/test/lib/node"
)

// credentials are the files by which the programs trust each other. One self-signed certificate
// serves all programs on loopback. A key signs the tokens of service accounts. The tokens
// authenticate the programs and our clients to the API server.
type credentials struct {
	cert, key, serviceAccountKey, tokens string // paths
	certPEM                              []byte
	token                                string
	nodeTokens                           []string // of the real Nodes
}

// newCredentials writes new credentials to dir. They are useless after the end of the cluster.
func newCredentials(dir string, realNodes int) (credentials, error) {
	c := credentials{
		cert: filepath.Join(dir, "serving.crt"), key: filepath.Join(dir, "serving.key"),
		serviceAccountKey: filepath.Join(dir, "service-account.key"), tokens: filepath.Join(dir, "tokens.csv"),
		token: rand.Text(),
	}
	serving, servingPEM, err := newKey()
	if err != nil {
		return c, err
	}
	_, accountPEM, err := newKey()
	if err != nil {
		return c, err
	}
	if c.certPEM, err = selfSigned(serving); err != nil {
		return c, err
	}
	tokens := fmt.Appendf(nil, "%s,admin,admin,system:masters\n", c.token)
	for i := range realNodes {
		c.nodeTokens = append(c.nodeTokens, rand.Text())
		tokens = fmt.Appendf(tokens, "%s,system:node:%s,%[2]s,system:nodes\n", c.nodeTokens[i], node.Name(i))
	}
	for path, content := range map[string][]byte{
		c.cert:              c.certPEM,
		c.key:               servingPEM,
		c.serviceAccountKey: accountPEM,
		c.tokens:            tokens,
	} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			return c, err
		}
	}
	return c, nil
}

func newKey() (*ecdsa.PrivateKey, []byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, nil, err
	}
	return key, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), nil
}

// selfSigned creates a self-signed certificate for localhost.
func selfSigned(key *ecdsa.PrivateKey) ([]byte, error) {
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "kstatus test cluster", Organization: []string{"system:masters"}},
		NotBefore:             now.Add(-time.Hour),
		NotAfter:              now.AddDate(1, 0, 0),
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		BasicConstraintsValid: true,
		IsCA:                  true,
		DNSNames:              []string{"localhost"},
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1), net.ParseIP(node.ServiceIP)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("a certificate for the test cluster: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), nil
}
