// Package session opens sessions with clouds for the credentials in Secrets, and limits what all
// sessions send: a limiter for each user of a project, and a circuit breaker for each service.
//
// A request either is sent once, or fails at once with a *failure.Failure. Only a token that has
// expired makes a request be sent again, with another token.
package session
