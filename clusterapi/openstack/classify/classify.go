// Package classify turns errors and states of OpenStack into failures: what a controller reports,
// and when it tries again.
//
// [Error] classifies what gophercloud returns. [Server] and [LoadBalancer] classify the state of
// what exists. The constructors, such as [NotFound], are for failures without an error. All of
// them return a [failure.Failure] of one of [Classes].
package classify

import (
	"crypto/tls"
	"errors"
	"io/fs"
	"net"
	"net/url"

	"github.com/gophercloud/gophercloud/v2"

	"kstatus.dev/clusterapi/openstack/failure"
)

// Error classifies an error of gophercloud, or of anything below it. It returns nil only for nil.
// The error may be wrapped with %w, and its message then begins with the words that the wrapping
// adds. Of several joined errors, the failure is the [failure.Worst]. A [failure.Failure] in the
// error is returned instead of a new one.
func Error(err error) *failure.Failure {
	if err == nil {
		return nil
	}
	if f := classify(err); f != nil {
		return f
	}
	return failure.Internal(err)
}

// classify returns the failure of the first error in a chain that a rule recognizes, and nil
// without one.
func classify(err error) *failure.Failure {
	if f := known(err); f != nil {
		return f
	}
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		var all []*failure.Failure
		for _, joined := range e.Unwrap() {
			all = append(all, Error(joined))
		}
		if worst := failure.Worst(all...); worst != nil {
			whole := *worst
			whole.Err = err
			return &whole
		}
	case interface{ Unwrap() error }:
		inner := e.Unwrap()
		if f := classify(inner); f != nil {
			return f.Within(err, inner)
		}
	default:
		return failure.FromNetwork(err)
	}
	return nil
}

// known classifies one error, without the errors that it wraps.
func known(err error) *failure.Failure {
	if f, ok := err.(*failure.Failure); ok {
		return f
	}
	if e, ok := as[gophercloud.ErrUnexpectedResponseCode](err); ok {
		return response(e, err)
	}
	if e, ok := as[gophercloud.ErrUnableToReauthenticate](err); ok {
		return reauthentication(e, err)
	}
	if e, ok := as[gophercloud.ErrErrorAfterReauthentication](err); ok {
		return again(e, err)
	}
	if e, ok := as[gophercloud.ErrResourceNotFound](err); ok {
		return because(NotFound(e.ResourceType, e.Name), err)
	}
	if e, ok := as[gophercloud.ErrMultipleResourcesFound](err); ok {
		return because(Ambiguous(e.ResourceType, e.Name, e.Count), err)
	}
	if _, ok := as[gophercloud.ErrTimeOut](err); ok {
		return timeout(err)
	}
	if e, ok := as[fs.PathError](err); ok && errors.Is(err, fs.ErrNotExist) {
		return because(CredentialsMissing("the file "+e.Path+" does not exist"), err)
	}
	switch err.(type) {
	case net.Error, *tls.CertificateVerificationError:
		return connection(err)
	}
	return unsent(err)
}

// as returns an error of a type. Gophercloud returns some types as values and some as pointers.
func as[T any](err error) (e T, ok bool) {
	if e, ok = any(err).(T); ok {
		return e, true
	}
	if p, ok := any(err).(*T); ok && p != nil {
		return *p, true
	}
	return e, false
}

// connection classifies an error of the network, and names the service.
func connection(err error) *failure.Failure {
	f := failure.FromNetwork(err)
	var request *url.Error
	if f != nil && f.Service == "" && errors.As(err, &request) {
		if u, err := url.Parse(request.URL); err == nil {
			f.Service = service(segments(u))
		}
	}
	return f
}

// because returns a failure with its cause.
func because(f *failure.Failure, err error) *failure.Failure {
	caused := *f
	caused.Err = err
	return &caused
}

// timeout is the failure of an operation of gophercloud that took too long.
func timeout(err error) *failure.Failure {
	return &failure.Failure{
		Class: failure.EndpointUnreachable, Reason: string(failure.EndpointUnreachable), Message: "no response in time",
		Retry: quick, Scope: failure.ScopeEndpoint, Err: err,
	}
}

// reauthentication classifies why a new token could not be had. An outage of keystone says nothing
// about the credentials.
func reauthentication(e gophercloud.ErrUnableToReauthenticate, err error) *failure.Failure {
	f := classify(e.ErrReauth)
	if f == nil || f.Known && f.Class != failure.Credentials && f.Class != failure.EndpointUnreachable {
		f = CredentialsInvalid("the identity service does not give a new token")
	}
	f.Service = identity
	return because(f, err)
}

// again classifies the error of a request that was repeated with a new token.
func again(e gophercloud.ErrErrorAfterReauthentication, err error) *failure.Failure {
	if f := classify(e.ErrOriginal); f != nil {
		return because(f, err)
	}
	return nil
}

// unsent classifies the errors of gophercloud about requests that it did not send.
func unsent(err error) *failure.Failure {
	switch err.(type) {
	case gophercloud.ErrServiceNotFound, *gophercloud.ErrServiceNotFound, gophercloud.ErrEndpointNotFound, *gophercloud.ErrEndpointNotFound:
		return because(Unsupported("the catalog of the cloud has no endpoint of the service in the region"), err)
	case gophercloud.ErrMissingPassword, gophercloud.ErrUsernameWithToken, gophercloud.ErrUserIDWithToken,
		gophercloud.ErrDomainIDWithToken, gophercloud.ErrDomainNameWithToken, gophercloud.ErrUsernameOrUserID,
		gophercloud.ErrDomainIDWithUserID, gophercloud.ErrDomainNameWithUserID, gophercloud.ErrDomainIDOrDomainName,
		gophercloud.ErrScopeDomainIDOrDomainName, gophercloud.ErrScopeProjectIDOrProjectName,
		gophercloud.ErrScopeProjectIDAlone, gophercloud.ErrScopeEmpty, gophercloud.ErrAppCredMissingSecret,
		gophercloud.ErrMissingEnvironmentVariable, *gophercloud.ErrMissingEnvironmentVariable,
		gophercloud.ErrMissingAnyoneOfEnvironmentVariables, *gophercloud.ErrMissingAnyoneOfEnvironmentVariables:
		return because(CredentialsInvalid(err.Error()), err)
	}
	e, missing := as[gophercloud.ErrMissingInput](err)
	if invalid, ok := as[gophercloud.ErrInvalidInput](err); ok {
		e, missing = invalid.ErrMissingInput, true // its text has the value
	}
	switch {
	case !missing:
		return nil
	case e.Argument == "Username" || e.Argument == "Password":
		return because(CredentialsInvalid("the credentials have no "+e.Argument), err)
	}
	return because(Invalid("the field "+e.Argument+" is missing or invalid"), err)
}
