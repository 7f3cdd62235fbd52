package status

import "strings"

// The conditions by which a namespace tells what its deletion waits for, in
// the order in which a message names them: what has gone wrong before what is
// still there.
var namespaceTroubles = [...]string{
	"NamespaceDeletionDiscoveryFailure", "NamespaceDeletionGroupVersionParsingFailure", "NamespaceDeletionContentFailure",
	"NamespaceContentRemaining", "NamespaceFinalizersRemaining",
}

// A Namespace is current while its phase is Active, which the API server gives
// it when it is created. It is being deleted while its phase is Terminating;
// its conditions then tell what is still in it, which finalizers hold that, and
// which APIs could not be asked.
func namespace(o *Fields) Result {
	switch phase := o.Text("status.phase", ""); phase {
	case "Active":
		return Current("Reconciled", "it is active")
	case "Terminating":
		return namespaceDeletion(o)
	case "":
		return InProgress("NotObserved", "the API server has not given it a phase yet")
	default:
		return InProgress("Creating", "its phase is %q", phase)
	}
}

// namespaceDeletion says what the deletion of a namespace waits for.
func namespaceDeletion(o *Fields) Result {
	var why []string
	for _, t := range namespaceTroubles {
		if c := o.Condition(t); c.Status == conditionTrue {
			why = append(why, strings.TrimSuffix(c.Text(), "."))
		}
	}
	if len(why) == 0 {
		why = append(why, "what is in it is being deleted")
	}
	return Result{Status: TerminatingStatus, Reason: "NamespaceContent", Message: strings.Join(why, "; ")}
}
