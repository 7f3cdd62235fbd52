package failure

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestFromNetwork(t *testing.T) {
	request := func(err error) error {
		return &url.Error{Op: "Get", URL: "https://user:pw@cloud.example.com:5000/v3?token=abc", Err: err}
	}
	dial := func(err error) error {
		return &net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(192, 0, 2, 7), Port: 5000}, Err: err}
	}
	for _, row := range []struct {
		name string
		err  error
		want string // of the message; empty for no failure of the network
	}{
		{"nil", nil, ""},
		{"another error", errors.New("other"), ""},
		{"another wrapped error", fmt.Errorf("a: %w", io.ErrShortWrite), ""},
		{"a missing file", &fs.PathError{Op: "open", Path: "clouds.yaml", Err: syscall.ENOENT}, ""},
		{"refused", request(dial(os.NewSyscallError("connect", syscall.ECONNREFUSED))), "cloud.example.com:5000: the connection is refused"},
		{"refused, wrapped", fmt.Errorf("read a: %w", request(dial(syscall.ECONNREFUSED))), "read a: cloud.example.com:5000: the connection is refused"},
		{"refused, without a request", dial(syscall.ECONNREFUSED), "192.0.2.7:5000: the connection is refused"},
		{"reset", request(syscall.ECONNRESET), "cloud.example.com:5000: the connection was closed"},
		{"closed", request(net.ErrClosed), "cloud.example.com:5000: the connection was closed"},
		{"no route", request(dial(syscall.EHOSTUNREACH)), "cloud.example.com:5000: no route to the host"},
		{"EOF", request(io.EOF), "cloud.example.com:5000: the connection ended before the response was complete"},
		{"EOF in a body", fmt.Errorf("read the body: %w", io.ErrUnexpectedEOF), "read the body: the endpoint: the connection ended before the response was complete"},
		{"timeout", request(dial(os.ErrDeadlineExceeded)), "cloud.example.com:5000: no response in time"},
		{"deadline", request(context.DeadlineExceeded), "cloud.example.com:5000: no response in time"},
		{"deadline alone", context.DeadlineExceeded, "the endpoint: no response in time"},
		{"canceled", request(context.Canceled), "cloud.example.com:5000: the request was canceled"},
		{"no such host", request(dial(&net.DNSError{Err: "no such host", Name: "cloud.example.com", Server: "192.0.2.53:53", IsNotFound: true})), "cloud.example.com:5000: the host name cloud.example.com does not exist"},
		{"no DNS", request(dial(&net.DNSError{Err: "read udp 127.0.0.1:41234->192.0.2.53:53: i/o timeout", Name: "cloud.example.com", IsTimeout: true})), "cloud.example.com:5000: the host name cloud.example.com cannot be resolved"},
		{"no TLS", request(tls.RecordHeaderError{Msg: "first record does not look like a TLS handshake"}), "cloud.example.com:5000: no TLS connection is possible"},
		{"HTTP instead of HTTPS", request(http.ErrSchemeMismatch), "cloud.example.com:5000: no TLS connection is possible"},
		{"another network", request(dial(errors.New("network is odd"))), "cloud.example.com:5000: no request is possible: dial tcp 192.0.2.7:5000: network is odd"},
		{"another network, without a request", dial(errors.New("network is odd")), "192.0.2.7:5000: the network fails: network is odd"},
		{"a scheme", &url.Error{Op: "Get", URL: "ftp://cloud.example.com", Err: errors.New("unsupported protocol scheme")}, "cloud.example.com: no request is possible: unsupported protocol scheme"},
		{"a malformed URL", &url.Error{Op: "parse", URL: "://", Err: errors.New("missing protocol scheme")}, "the endpoint: no request is possible: missing protocol scheme"},
		{"joined", errors.Join(errors.New("other"), request(io.EOF)), "cloud.example.com:5000: the connection ended before the response was complete"},
	} {
		t.Run(row.name, func(t *testing.T) {
			f := FromNetwork(row.err)
			if row.want == "" {
				if f != nil {
					t.Errorf("have %+v, want nil", *f)
				}
				return
			}
			if f == nil || f.Message != row.want || f.Class != EndpointUnreachable || f.Reason != "EndpointUnreachable" || f.Known || f.Until != 0 || f.Scope != ScopeEndpoint {
				t.Fatalf("have %+v, want %q", f, row.want)
			}
			if !errors.Is(f, row.err) {
				t.Errorf("the error is not in the tree of its failure")
			}
		})
	}
}

func TestFromNetworkOfCertificates(t *testing.T) {
	expired := &x509.Certificate{NotAfter: time.Unix(0, 0)}
	for _, row := range []struct {
		name string
		err  error
		want string
	}{
		{"unknown authority", x509.UnknownAuthorityError{}, "the certificate is signed by an unknown authority"},
		{"expired", x509.CertificateInvalidError{Cert: expired, Reason: x509.Expired}, "the certificate has expired or is not yet valid"},
		{"another problem", x509.CertificateInvalidError{Cert: expired, Reason: x509.TooManyIntermediates}, "the certificate cannot be verified"},
		{"another host", x509.HostnameError{Certificate: expired, Host: "cloud.example.com"}, "the certificate is not valid for the host cloud.example.com"},
	} {
		for _, err := range []error{row.err, &tls.CertificateVerificationError{Err: row.err}, fmt.Errorf("a: %w", &tls.CertificateVerificationError{Err: row.err})} {
			f := FromNetwork(&url.Error{Op: "Get", URL: "https://cloud.example.com/v3", Err: err})
			if f == nil || f.Reason != "InvalidCACertificate" || !f.Known || f.Until != UntilCredentials || f.Message != "cloud.example.com: "+row.want {
				t.Errorf("%s: have %+v", row.name, f)
			}
		}
	}
}

// TestFromNetworkOfServers classifies the errors that a client returns for servers on loopback.
func TestFromNetworkOfServers(t *testing.T) {
	closes := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if hijacker, ok := w.(http.Hijacker); ok {
			if c, _, err := hijacker.Hijack(); err == nil {
				c.Close()
			}
		}
	}))
	defer closes.Close()
	release := make(chan struct{})
	hangs := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer hangs.Close()
	defer close(release)
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	stopped := httptest.NewServer(http.NotFoundHandler())
	stopped.Close()
	trusting := secure.Client()
	for _, row := range []struct {
		name   string
		client *http.Client
		url    string
		reason string
		words  string
	}{
		{"a server that closes", closes.Client(), closes.URL, "EndpointUnreachable", "the connection ended before the response was complete"},
		{"a server that hangs", &http.Client{Timeout: 50 * time.Millisecond}, hangs.URL, "EndpointUnreachable", "no response in time"},
		{"a server that has stopped", &http.Client{}, stopped.URL, "EndpointUnreachable", "the connection is refused"},
		{"an authority that is unknown", &http.Client{}, secure.URL, "InvalidCACertificate", "the certificate is signed by an unknown authority"},
		{"a certificate of another host", trusting, strings.Replace(secure.URL, "127.0.0.1", "localhost", 1), "InvalidCACertificate", "the certificate is not valid for the host localhost"},
		{"a server without TLS", &http.Client{}, strings.Replace(closes.URL, "http:", "https:", 1), "EndpointUnreachable", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			var messages []string
			for range 2 {
				response, err := row.client.Get(row.url + "/v3?secret=1")
				if err == nil {
					response.Body.Close()
					t.Fatal("the request succeeds")
				}
				f := FromNetwork(err)
				if f == nil || f.Reason != row.reason || !strings.Contains(f.Message, row.words) || strings.Contains(f.Message, "secret") {
					t.Fatalf("have %+v for %v", f, err)
				}
				messages = append(messages, f.Message)
			}
			if messages[0] != messages[1] {
				t.Errorf("equal failures have the messages %q", messages)
			}
		})
	}
}
