// Package session opens sessions with clouds for the credentials in Secrets, and limits their
// requests. All sessions of a user of a project have one limiter, and each service has one circuit
// breaker.
//
// A request either is sent once, or fails at once with a *failure.Failure. Only a token that has
// expired makes a request be sent again, with another token.
package session
