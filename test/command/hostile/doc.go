// Package hostile runs the command against an API server with malicious responses, and with objects
// and manifests whose names are paths. The server records each request, so that tests can prove
// that none leaves the paths of the API that kstatus needs.
//
// server_test.go is the server. names_test.go is about hostile names, and watches_test.go
// about watches that end early. answers_test.go is about servers that send invalid or endless
// responses, and deadlines_test.go about servers that do not answer in time, which are in
// endless_test.go. inputs_test.go is about files and objects whose processing could take long.
package hostile
