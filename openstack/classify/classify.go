// Package classify turns errors and states of OpenStack into failures: what a controller reports,
// and when it tries again.
//
// [Error] classifies what gophercloud returns. [Server] and [LoadBalancer] classify the state of
// what exists. The constructors, such as [NotFound], are for failures without an error. All of
// them return a [failure.Failure] of one of [Classes].
package classify

import (
	"errors"
	"io/fs"
	"net"

	"github.com/gophercloud/gophercloud/v2"

	"kstatus.dev/failure"
)

// Error classifies an error of gophercloud, or of anything below it. It returns nil only for nil.
// The error may be wrapped with %w, and its message then begins with the words that the wrapping
// adds. Of several joined errors, the failure is the [failure.Worst]. A [failure.Failure] in the
// error is returned instead of a new one.
func Error(err error) *failure.Failure {
	if err == nil {
		return nil
	}
	f := classify(err)
	if f == nil {
		return failure.Internal(err)
	}
	if error(f) == err || f.Err == err {
		return f
	}
	return f.Within(err)
}

// classify returns the failure of the first error in a chain that a rule recognizes, and nil
// without one.
func classify(err error) *failure.Failure {
	for err != nil {
		if f := known(err); f != nil {
			return f
		}
		switch e := err.(type) {
		case interface{ Unwrap() []error }:
			var all []*failure.Failure
			for _, joined := range e.Unwrap() {
				if f := classify(joined); f != nil {
					all = append(all, f.Within(joined))
				} else {
					all = append(all, failure.Internal(joined))
				}
			}
			return failure.Worst(all...)
		case interface{ Unwrap() error }:
			err = e.Unwrap()
		default:
			return failure.FromNetwork(err)
		}
	}
	return nil
}

// known classifies one error, without the errors that it wraps. Gophercloud returns some types as
// values and some as pointers.
func known(err error) *failure.Failure {
	switch e := err.(type) {
	case *failure.Failure:
		return e
	case gophercloud.ErrUnexpectedResponseCode:
		return response(e, err)
	case *gophercloud.ErrUnexpectedResponseCode:
		return response(*e, err)
	case gophercloud.ErrUnableToReauthenticate:
		return reauthentication(e, err)
	case *gophercloud.ErrUnableToReauthenticate:
		return reauthentication(*e, err)
	case gophercloud.ErrResourceNotFound:
		return because(NotFound(e.ResourceType, e.Name), err)
	case *gophercloud.ErrResourceNotFound:
		return because(NotFound(e.ResourceType, e.Name), err)
	case gophercloud.ErrMultipleResourcesFound:
		return because(Ambiguous(e.ResourceType, e.Name, e.Count), err)
	case *gophercloud.ErrMultipleResourcesFound:
		return because(Ambiguous(e.ResourceType, e.Name, e.Count), err)
	case gophercloud.ErrTimeOut, *gophercloud.ErrTimeOut:
		return timeout(err)
	case gophercloud.ErrServiceNotFound, *gophercloud.ErrServiceNotFound, gophercloud.ErrEndpointNotFound, *gophercloud.ErrEndpointNotFound:
		return because(Unsupported("the catalog of the cloud has no endpoint of the service in the region"), err)
	case *fs.PathError:
		if errors.Is(e, fs.ErrNotExist) {
			return because(CredentialsMissing("the file "+e.Path+" does not exist"), err)
		}
	case net.Error:
		return failure.FromNetwork(err)
	}
	if incomplete(err) {
		return because(CredentialsInvalid(err.Error()), err)
	}
	return nil
}

// because returns a failure with its cause.
func because(f *failure.Failure, err error) *failure.Failure {
	f.Err = err
	return f
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

// incomplete reports whether gophercloud did not send a request to authenticate, because its
// options are not complete.
func incomplete(err error) bool {
	switch err.(type) {
	case gophercloud.ErrMissingInput, *gophercloud.ErrMissingInput,
		gophercloud.ErrMissingEnvironmentVariable, *gophercloud.ErrMissingEnvironmentVariable,
		gophercloud.ErrMissingAnyoneOfEnvironmentVariables, *gophercloud.ErrMissingAnyoneOfEnvironmentVariables,
		gophercloud.ErrAPIKeyProvided, *gophercloud.ErrAPIKeyProvided,
		gophercloud.ErrTenantIDProvided, *gophercloud.ErrTenantIDProvided,
		gophercloud.ErrTenantNameProvided, *gophercloud.ErrTenantNameProvided,
		gophercloud.ErrUsernameWithToken, *gophercloud.ErrUsernameWithToken,
		gophercloud.ErrUserIDWithToken, *gophercloud.ErrUserIDWithToken,
		gophercloud.ErrDomainIDWithToken, *gophercloud.ErrDomainIDWithToken,
		gophercloud.ErrDomainNameWithToken, *gophercloud.ErrDomainNameWithToken,
		gophercloud.ErrUsernameOrUserID, *gophercloud.ErrUsernameOrUserID,
		gophercloud.ErrDomainIDWithUserID, *gophercloud.ErrDomainIDWithUserID,
		gophercloud.ErrDomainNameWithUserID, *gophercloud.ErrDomainNameWithUserID,
		gophercloud.ErrDomainIDOrDomainName, *gophercloud.ErrDomainIDOrDomainName,
		gophercloud.ErrMissingPassword, *gophercloud.ErrMissingPassword,
		gophercloud.ErrScopeDomainIDOrDomainName, *gophercloud.ErrScopeDomainIDOrDomainName,
		gophercloud.ErrScopeProjectIDOrProjectName, *gophercloud.ErrScopeProjectIDOrProjectName,
		gophercloud.ErrScopeProjectIDAlone, *gophercloud.ErrScopeProjectIDAlone,
		gophercloud.ErrScopeEmpty, *gophercloud.ErrScopeEmpty,
		gophercloud.ErrAppCredMissingSecret, *gophercloud.ErrAppCredMissingSecret:
		return true
	}
	return false
}
