// Package validation is a copy of the API server's validation of definitions. The original package
// imports gRPC and OpenTelemetry for three short functions about webhooks. The copy has these
// functions itself. `make generate` writes the copy from the required version, and
// test/author/validation compares them.
package validation
