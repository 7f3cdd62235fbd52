// Package page tests the page of --report html in a real Chromium. The page must
// open without errors and without the network. Filters, keys and links must work,
// and both themes and screen readers must be supported. The page must be smooth
// with many objects, and must not run text from a cluster as code.
//
// go test ./page -update takes the picture for the README.
package page
