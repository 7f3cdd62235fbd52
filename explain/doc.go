// Package explain finds the causes why objects are not ready, with the evidence for each cause. It
// reads the objects, the objects that they have created or refer to, events, and the last lines of
// logs.
//
//	e := explain.Explain(facts, ids...)
//	for _, c := range e.Causes {
//		fmt.Println(c.Kind, c.Text, c.Evidence)
//	}
//
// The package is pure: it does not use the network, and the same facts give the same
// explanation, byte for byte. Every cause has evidence: the field, the event or the log
// that shows it. An explanation also names everything that could not be read. If no cause
// is found, the cause is Unexplained and has the last observation.
//
// # Reading order
//
// explain.go has the output, facts.go the input, and query.go the facts to read next.
// fact_lines.go encodes and decodes facts, and fact_redact.go removes secrets from them.
//
// index.go indexes the facts. traversal.go follows an object down to its problems.
// group.go merges equal findings into one cause, with the chain of steps.go. object.go and
// the files object_*.go read one object: its fields, events, containers, parts and the
// statements of its controllers. ref.go and ref_similar.go find the objects that it refers to.
//
// kinds.go is the table of all kinds of causes. finders.go has the tables by kind of object: its
// finders, parts, references and lists. The files cause_<name>.go have these functions. The
// files project_<name>.go know Flux, Argo CD and other projects.
//
// The files output_*.go write an explanation for people: its text, what changed before, and
// the commands to run next. tree.go arranges objects below their owners.
//
// The packages under internal do not depend on objects of this package. fields reads maps
// by paths, messages reads the errors of programs, and podspec compares templates of
// Pods. brief removes unused texts from objects. reference finds references in any fields, and
// problems finds the problems that any status reports. controllers knows controllers and
// finalizers, and show makes text safe to print.
package explain
