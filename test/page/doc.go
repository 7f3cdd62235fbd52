// Package page drives the page of --report html in a real Chromium: that it opens
// without errors and without the network, what filters, keys and links do, that it
// can be read in both themes and heard, that it is smooth with many objects, and
// that nothing which a cluster says runs in it.
//
// go test ./page -update takes the picture for the README.
package page
