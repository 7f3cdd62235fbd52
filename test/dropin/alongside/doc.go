// Package alongside runs dropin and fluxcd/cli-utils beside each other on the same objects of a
// real cluster. It compares the statuses of each object in their order, and the requests. It also
// runs cli-utils with the adapters of dropin/flux.
//
// sides.go starts the watchers and the pollers. scenarios_test.go has the scenarios and their
// differences. requests_test.go counts requests and ends watches early, and adapters_test.go has
// the tests of the adapters.
package alongside
