// Package gallery breaks things on a real cluster, one way after the other, and wants
// kstatus wait to name what was broken as the first cause, with its evidence.
//
// A situation is one file, testdata/<family>/<name>.txtar. It begins with a sentence that
// says what was done, then come lines:
//
//	apply FILE              bring what the file holds into the cluster
//	report FILE             write the status of objects, as their controller would
//	remove FILE             delete objects, without waiting for their end
//	until WHAT PATH=VALUE   wait until a field is so, such as
//	                        until pods/db-0 {.status.phase}=Pending
//	event WHAT REASON       wait until there is an event about an object
//	refused                 wait until the server refuses Pods
//	wait ARG…               the command: kstatus wait ARG…
//	cause KIND              the kind of the cause that it must name first
//	evidence TEXT           what its evidence must say
//	by-hand COMMAND         a command with which a person would have found the same facts
//
// and the files. In files, $NS is the namespace of the situation, which is made for it and
// where everything goes that names none; $WEBHOOKURL and $EXPIREDURL are where two webhooks are served
// that refuse everything, the second with a certificate that has expired, and $WEBHOOKCA and
// $EXPIREDCA who vouches for them; $UID/KIND/NAME is the UID of an object that was applied before.
//
// All situations together are the page docs/reference/gallery.md, with the output as it was when the
// page was written. A test compares it with what is printed now, as far as it does not
// differ from run to run; see stable.go. After a change, make gallery writes the page.
package gallery
