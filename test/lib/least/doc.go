// Package least runs kstatus in tests as users with exactly the permissions that kstatus rbac
// prints for each command line. It reads from the audit log of the API server which requests they
// sent.
//
// A script calls kstatus by its name, and runs a stand-in, test/cmd/least. The stand-in sends
// its arguments to a [Server] in the test. The Server runs kstatus rbac for the roles, creates
// a service account with these roles, and returns its kubeconfig. The stand-in then becomes
// kstatus, with that kubeconfig.
//
// server.go creates the users, roles.go their permissions, and audit.go reads the audit log.
package least
