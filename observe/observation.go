package observe

import (
	"errors"
	"time"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/status"
)

// An observation is an Event with the verdict on its object.
type observation struct {
	Event
	result status.Result
	reads  []status.Read
}

// judge computes the verdict on the object of an event.
func (tr *tracker) judge(s Event) observation {
	tr.evaluators.AddExpectations(s.Target.Cluster, s.Evaluator)
	switch {
	case s.Err != nil && reasonOf(s.Err) == status.ReasonNeverSeen:
		text := s.Err.Error()
		s.Err = nil
		return observation{s, status.Result{Status: status.NotFoundStatus, Reason: "NeverSeen", Message: text, Confidence: status.ConfidenceExplicit}, nil}
	case s.Err != nil:
		return observation{s, status.Result{Status: status.UnknownStatus, Reason: reasonOf(s.Err), Message: s.Err.Error(), Confidence: status.ConfidenceExplicit}, nil}
	case s.Object == nil:
		return observation{s, status.Result{Status: status.NotFoundStatus, Reason: "NeverSeen", Message: "it does not exist", Confidence: status.ConfidenceExplicit}, nil}
	case tr.watcher.Evidence:
		result, reads, err := tr.evaluators.Of(s.Target.Cluster).Explain(s.Object)
		if err != nil {
			return observation{s, malformed(err), nil}
		}
		return observation{s, *result, reads}
	}
	r, err := tr.evaluators.Of(s.Target.Cluster).Compute(s.Object)
	if err != nil {
		return observation{s, malformed(err), nil}
	}
	return observation{s, *r, nil}
}

// malformed returns the verdict on an object that the evaluator rejects.
func malformed(err error) status.Result {
	return status.Result{Status: status.UnknownStatus, Reason: "Malformed", Message: err.Error(), Confidence: status.ConfidenceExplicit}
}

// reasonOf returns the reason of the verdict on a target that cannot be read.
func reasonOf(err error) string {
	if why, ok := errors.AsType[*Unreadable](err); ok {
		return why.Reason
	}
	return "Transport"
}

// versionOf reads the version of an object.
func versionOf(obj status.Object) (v Version) {
	root := obj.UnstructuredContent()
	meta := decoded.Map(root, "metadata")
	v.UID, v.ResourceVersion = decoded.Text(meta, "uid"), decoded.Text(meta, "resourceVersion")
	v.Generation, _ = decoded.Int(meta, "generation")
	v.ObservedGeneration, _ = decoded.Int(root, "status", "observedGeneration")
	if text, ok := meta["creationTimestamp"].(string); ok {
		if t, err := time.Parse(time.RFC3339, text); err == nil {
			v.Created = t.Unix()
		}
	}
	return v
}
