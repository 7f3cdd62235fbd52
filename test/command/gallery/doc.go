// Package gallery creates one fault after the other on a real cluster. It requires that kstatus
// wait names the fault as the first cause, with its evidence.
//
// A situation is one file, testdata/<family>/<name>.txtar. It begins with a sentence that
// describes the fault. Then it has these lines:
//
//	apply FILE              apply the objects of the file
//	report FILE             write the status of objects, as their controller would
//	remove FILE             delete objects, without waiting for their end
//	until WHAT PATH=VALUE   wait until a field has a value, such as
//	                        until pods/db-0 {.status.phase}=Pending;
//	                        VALUE… is any value that begins with VALUE
//	event WHAT REASON       wait until an event about an object exists
//	refused                 wait until the server refuses Pods
//	power-off NODE          end all processes of a real Node
//	real                    a real Node plays the situation too; see package real
//	real STEP…              a step that only a real Node needs, after the others
//	wait ARG…               the command: kstatus wait ARG…
//	cause KIND              the kind of the expected first cause
//	evidence TEXT           a required text in its evidence
//	by-hand COMMAND         a command that a person would use to find the same facts
//
// The files follow. Files can contain variables. $NS is the namespace of the situation, and the
// default for its objects. $WEBHOOKURL and $EXPIREDURL are the URLs of two webhooks that deny
// everything, the second with an expired certificate. $WEBHOOKCA and $EXPIREDCA are their
// certificate authorities. $UID/KIND/NAME is the UID of an earlier object.
//
// All situations together are the page docs/reference/gallery.md, with the output as it was
// when the page was written. A test compares it with the present output, except for texts that
// differ from run to run; see stable.go. After a change, make gallery writes the page.
package gallery
