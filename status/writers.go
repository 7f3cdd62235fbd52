package status

import (
	"time"

	"kstatus.dev/status/internal/managedfields"
	"kstatus.dev/status/schema"
)

// writeGrace is the time that a controller has to write the status after a later write of the
// spec, if no generation decides.
const writeGrace = 10 * time.Second

// writes reads metadata.managedFields.
func (f *Fields) writes() managedfields.Writes {
	w := managedfields.Read(f.get("metadata.managedFields"))
	if f.isTraced() {
		f.recordRead("metadata.managedFields", "status written: "+w.Text())
	}
	return w
}

// statusNeverWritten judges an object of a kind with a status subresource. If its status was
// never written, its controller has not observed it.
func (f *Fields) statusNeverWritten() (r Result) {
	e, hint := &f.eval.expectation, f.eval.hint
	if hint != nil && hint.StatusOptional || e.Subresource != schema.TristateYes || e.Status == schema.TristateNo || e.Status == schema.TristateUnknown && e.Peers.Status == schema.TristateNo {
		return r
	}
	if w := f.writes(); w.Unwritten {
		r = InProgress("NotObserved", "it has no status yet, although %s has a status subresource", nameOf(e))
		r.Confidence = ConfidenceMedium
	}
	return r
}

// statusMayPredate is the caveat of an object whose controller has not written its status.
const statusMayPredate = "its controller has not written its status since its spec was changed, so the status may be for the former spec"

// recentWrite is how long a user may still wait for the effect of a write.
const recentWrite = time.Hour

// statusPredatesSpec judges an object whose controller reports no generation, by the times of
// the last writes of status and spec. The times do not show a controller that had nothing to
// write, nor the order of writes in the same second. So they delay a verdict by writeGrace only,
// and lower its confidence after that. If the controller has not written since a recent write of
// the spec, the verdict has a caveat.
func (f *Fields) statusPredatesSpec() (r Result) {
	if f.eval.generation <= 1 {
		return r
	}
	w := f.writes()
	if w.StatusTime == "" || w.SpecTime < w.StatusTime || !w.Written && w.Mixed {
		return r
	}
	left, isEarlier := f.graceLeft(w.SpecTime), w.SpecTime > w.StatusTime
	f.eval.ambiguousWrites = left == 0
	switch {
	case left > 0:
		when := "in the same second as its spec, perhaps before it"
		if isEarlier {
			when = "before its spec"
		}
		r = InProgress("StatusPredatesSpec", "its status was last written %s; it counts anyway after %s", when, writeGrace)
		r.Confidence, r.Recheck = ConfidenceMedium, left
	case isEarlier && f.Since(w.SpecTime) < recentWrite:
		f.eval.caveat = statusMayPredate
	}
	return r
}

// creationGrace returns for how long the report of a new object counts as incomplete.
// It is zero if its controller reports which generation it has observed.
func (f *Fields) creationGrace() time.Duration {
	root := &f.eval.object
	if root.get(root.generationPath()) != nil {
		return 0
	}
	if latest, _ := root.ownGenerations(); latest > 0 {
		return 0
	}
	created, _ := root.get("metadata.creationTimestamp").(string)
	return f.graceLeft(created)
}

// graceLeft returns how much of writeGrace is left after a write.
func (f *Fields) graceLeft(at string) time.Duration {
	written, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return 0
	}
	age := f.eval.now().Sub(written)
	if age < -writeGrace { // the clocks differ, so the times prove nothing
		return 0
	}
	return min(writeGrace, max(writeGrace-age, 0))
}

// isStatusOnly reports whether the object has no other part than its status, and never had one. Then
// the latest generation is that of a write of the status.
func (f *Fields) isStatusOnly() bool {
	for entry := range f.Each("metadata.managedFields") {
		if entry.Map("fieldsV1")["f:spec"] != nil {
			return false
		}
	}
	for name, part := range f.eval.object.node {
		_, isMap := part.(map[string]any)
		_, isList := part.([]any)
		if name != "metadata" && name != "status" && (isMap || isList) {
			return false
		}
	}
	return true
}

// isOwnWrite reports whether an observed generation is behind only because writes of
// the status have raised the generation of the object.
func (f *Fields) isOwnWrite(seen int64) bool {
	return f.eval.expectation.Subresource == schema.TristateNo && f.eval.object.generationCountsStatus(seen).Status == ""
}

// generationCountsStatus judges an observed generation that is behind, of a kind
// without a status subresource, where each write of the status is a new generation. It
// allows for one such write. If the record says that the status was written last, it
// allows for any number.
func (f *Fields) generationCountsStatus(seen int64) (r Result) {
	want, w := f.eval.generation, f.writes()
	created, _ := f.get("metadata.creationTimestamp").(string)
	r = InProgress("LatestGenerationNotObserved", "generation is %d, its controller has observed %d", want, seen)
	switch {
	case f.isStatusOnly():
		return Result{}
	case w.StatusTime > w.SpecTime && w.SpecTime != "", w.StatusTime != "" && w.SpecTime == created:
		return Result{}
	case w.StatusTime != "" && w.SpecTime > w.StatusTime:
		return r
	case seen == want-1:
		return Result{}
	case w.StatusTime != "" && w.SpecTime == w.StatusTime: // both in one second
		if left := f.graceLeft(w.SpecTime); left > 0 {
			f.eval.recheck = left
			return r
		}
	case !w.Mixed:
		return r
	}
	f.Warn("generation is %d, its controller has observed %d: without a status subresource that may be due to its own writes", want, seen)
	f.eval.ambiguousWrites = true
	return Result{}
}
