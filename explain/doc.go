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
// explain.go holds what comes out and facts.go what goes in; lines.go writes and
// reads facts, redact.go takes secrets out of them, and scene.go indexes them.
// walk.go goes from an object down to what is wrong, finders.go is the table of who
// looks for what there, one file cause_<name>.go each, and kinds.go the table of
// what can be found. fold.go joins equal causes. text.go is the explanation as
// people read it.
//
// wishes.go says, for who collects the facts, which of them are lacking: parts.go,
// lists.go, the files refs*.go and makers.go hold which other objects matter.
// finalizers.go and controllers.go are the tables of who works on what. What is
// known of Flux, Argo CD, Cluster API, Crossplane, cert-manager and the Gateway API
// stands in a file of each. fields.go and containers.go read objects, events.go
// events; messages.go, phrase.go and scheduler_message.go the words of programs.
// changed.go and changed_template.go compare revisions, and next.go writes commands.
// trees.go needs no cause: it arranges things below what has made them.
package explain
