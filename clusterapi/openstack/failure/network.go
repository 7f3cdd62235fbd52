package failure

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"syscall"
)

// FromNetwork classifies an error that prevented a response: DNS, connections, TLS, timeouts. It
// returns nil if the error is none of these. The message has the host, but no path and no query. A
// Failure in the error is returned as [As] does, since a transport can refuse a request with one.
//
// A certificate that cannot be verified is known to be wrong, with the reason
// InvalidCACertificate, and ends when the credentials or the certificate change. All other failures
// of the network are not Known.
func FromNetwork(err error) *Failure {
	if f := As(err); f != nil {
		return f
	}
	if inner := errors.Unwrap(err); inner != nil && !isConnection(err) {
		if f := FromNetwork(inner); f != nil {
			return f.Within(err, inner)
		}
		return nil
	}
	f := Failure{Class: EndpointUnreachable, Reason: string(EndpointUnreachable), Retry: quick, Scope: ScopeEndpoint, Err: err}
	why := certificateProblem(err)
	if why != "" {
		f.Reason, f.Known, f.Until = reasonCA, true, UntilCredentials
	} else if why = networkProblem(err); why == "" {
		return nil
	}
	f.Message = Clean(fmt.Sprintf("%s: %s", peer(err), why))
	return &f
}

// isConnection reports whether an error describes a request or a connection, so that the errors in
// it are details.
func isConnection(err error) bool {
	switch err.(type) {
	case net.Error, *tls.CertificateVerificationError:
		return true
	}
	return false
}

// certificateProblem returns what is wrong with the certificate of a server.
func certificateProblem(err error) string {
	var (
		authority x509.UnknownAuthorityError
		invalid   x509.CertificateInvalidError
		host      x509.HostnameError
		verify    *tls.CertificateVerificationError
	)
	switch {
	case errors.As(err, &authority):
		return "the certificate is signed by an unknown authority"
	case errors.As(err, &host):
		return "the certificate is not valid for the host " + host.Host
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "the certificate has expired or is not yet valid"
	case errors.As(err, &invalid), errors.As(err, &verify):
		return "the certificate cannot be verified"
	}
	return ""
}

// networkProblem returns what is wrong with a connection.
func networkProblem(err error) string {
	var (
		name   *net.DNSError
		record tls.RecordHeaderError
		alert  tls.AlertError
		failed net.Error
		whole  *url.Error
		op     *net.OpError
	)
	switch {
	case errors.As(err, &name) && name.IsNotFound:
		return "the host name " + name.Name + " does not exist"
	case errors.As(err, &name):
		return "the host name " + name.Name + " cannot be resolved"
	case errors.As(err, &record), errors.As(err, &alert), errors.Is(err, http.ErrSchemeMismatch):
		return "no TLS connection is possible"
	case errors.Is(err, context.Canceled):
		return "the request was canceled"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "the connection is refused"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, net.ErrClosed):
		return "the connection was closed"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EHOSTDOWN), errors.Is(err, syscall.ENETDOWN):
		return "no route to the host"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection ended before the response was complete"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &failed) && failed.Timeout():
		return "no response in time"
	case errors.As(err, &whole):
		return "no request is possible: " + fmt.Sprint(whole.Err)
	case errors.As(err, &op):
		return "the network fails: " + fmt.Sprint(op.Err)
	}
	return ""
}

// peer returns the host that a request was for.
func peer(err error) string {
	var request *url.Error
	if errors.As(err, &request) {
		if u, err := url.Parse(request.URL); err == nil && u.Host != "" {
			return u.Host
		}
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Addr != nil {
		return op.Addr.String()
	}
	return "the endpoint"
}
