// Package explain finds out why objects are not ready: from what is known of them,
// of what they have made and refer to, of events and of the last lines of logs,
// to causes with their evidence.
//
//	e := explain.Explain(facts, ids...)
//	for _, c := range e.Causes {
//		fmt.Println(c.Kind, c.Text, c.Evidence)
//	}
//
// The package is pure: it reads nothing by itself and knows no cluster. The same
// facts give the same explanation, byte for byte. Nothing is claimed without
// evidence: each cause names the field, the event or the log that shows it,
// and what could not be read is named. Where nothing explains what is seen, the
// cause is Unexplained and says what was last seen.
//
// # Reading order
//
// explain.go declares what comes out, facts.go what goes in, and wish.go what is
// missing. fact_lines.go writes and reads facts; fact_redact.go takes secrets from them.
//
// index.go indexes the facts. traversal.go goes from an object down to what is
// wrong. group.go makes one cause of equal findings, with the chain of link.go.
// What one object has is in object.go and the files object_*.go: its fields, events,
// containers, parts and the statements of its controllers. The files ref*.go find
// the objects that it refers to.
//
// The tables are kinds.go, all kinds of causes; finders.go, who looks for them at
// which objects; and the finders in the files cause_<name>.go. What is known of Flux,
// Argo CD and other projects is in a file project_<name>.go each.
//
// The files tell_*.go write an explanation for people: its text, what changed
// before, and the commands to run next. tree.go arranges objects below their owners.
//
// What needs no object is in the packages under internal: fields reads maps by paths,
// messages reads the errors of programs, podspec compares templates of Pods, brief
// takes from objects what is not read, reference finds references in any fields, controllers
// knows controllers and finalizers, and show makes text fit for people.
package explain
