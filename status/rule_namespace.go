package status

import "strings"

// namespaceProblems are the conditions that report what blocks the deletion of
// a namespace, in the order of a message: errors, then remaining content.
var namespaceProblems = [...]string{
	"NamespaceDeletionDiscoveryFailure", "NamespaceDeletionGroupVersionParsingFailure", "NamespaceDeletionContentFailure",
	"NamespaceContentRemaining", "NamespaceFinalizersRemaining",
}

// A Namespace is Current while its phase is Active, which the API server sets
// when it creates the namespace. It is Terminating while its phase is
// Terminating. Its conditions then report the remaining content, its
// finalizers, and the APIs that could not be listed.
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

// namespaceDeletion returns what blocks the deletion of a namespace.
func namespaceDeletion(o *Fields) Result {
	var why []string
	for _, t := range namespaceProblems {
		if c := o.Condition(t); c.Status == conditionTrue {
			why = append(why, strings.TrimSuffix(c.Text(), "."))
		}
	}
	if len(why) == 0 {
		why = append(why, "its content is being deleted")
	}
	return Result{Status: TerminatingStatus, Reason: "NamespaceContent", Message: strings.Join(why, "; ")}
}
