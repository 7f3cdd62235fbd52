// Package least runs kstatus in tests as users who may do exactly what kstatus rbac prints
// for each command line, and finds in the audit log of the API server what they did.
//
// A script calls kstatus by its name, and gets a stand-in, test/cmd/least. That tells its
// arguments to a [Server] in the test, which has kstatus rbac print the roles for them,
// makes a service account with these roles, and answers with a kubeconfig for it. The
// stand-in then becomes kstatus, with that kubeconfig.
//
// server.go makes the users, roles.go their rights, and audit.go reads the audit log.
package least
