// Package explain says why objects are not there: from what is known of them,
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
// evidence: each cause tells the field, the event or the log that carries it,
// and what could not be read is named. Where nothing explains what is seen, the
// cause is Unexplained and says what was last seen.
//
// # Reading order
//
// explain.go holds what comes out and facts.go what goes in. walk.go goes from an
// object down to what is wrong, finders.go is the table of who looks for what
// there, one file cause_<name>.go each, and kinds.go the table of what can be
// found. fold.go joins equal causes. parts.go, lists.go, refs.go and makers.go say
// which other objects matter, for who collects the facts; finalizers.go and
// controllers.go are the tables of who works on what. What is known of Flux, Argo
// CD, Cluster API, Crossplane, cert-manager and the Gateway API stands in a file of
// each. messages.go and phrase.go read the words of programs, changed.go compares
// revisions, and next.go writes commands. text.go is the explanation as people
// read it.
package explain
