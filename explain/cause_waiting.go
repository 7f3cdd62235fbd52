package explain

import "kstatus.dev/status"

// awaitsApproval finds that a user has to approve what an object waits for, according to its verdict.
func awaitsApproval(o *object) []finding {
	if o.Result.Reason != status.ReasonWaitingForApproval {
		return nil
	}
	f := finding{kind: "ApprovalPending", text: o.Result.Message, weak: true, next: []string{commandFor(o.ID, "describe", typedSlash(o.ID))}}
	for _, read := range o.decidingFields() {
		if len(f.evidence) < 4 && o.Has(read.Path) {
			f.evidence = append(f.evidence, o.evidence(read.Path))
		}
	}
	if len(f.evidence) == 0 {
		f.evidence = o.statusEvidence()
	}
	return []finding{f}
}

// statusAhead finds that the status of an object is for a later generation than the object has.
func statusAhead(o *object) []finding {
	if o.Result.Reason != status.ReasonObservedGenerationAhead {
		return nil
	}
	return []finding{{
		kind: "StatusOfOtherObject", text: o.Result.Message + ", and its controller has not observed it since", weak: true,
		evidence: []Evidence{o.evidence("metadata.generation"), o.evidence("status.observedGeneration")},
		next:     []string{commandFor(o.ID, "describe", typedSlash(o.ID))},
	}}
}
