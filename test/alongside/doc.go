// Package alongside runs dropin and fluxcd/cli-utils beside each other on the same objects of a
// real cluster. It compares the statuses of each object in their order, and the requests.
//
// sides.go starts both. scenarios_test.go has the scenarios and their differences, and
// requests_test.go counts requests and ends watches early.
package alongside
