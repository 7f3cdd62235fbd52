package status

import "time"

// writeGrace is how long a controller has to write the status of an object whose spec
// was written later, if no generation says more.
const writeGrace = 10 * time.Second

// StatusWritten reports whether a controller has written the status of an object, as
// metadata.managedFields records who wrote what:
//
//   - True: somebody has, by the status subresource.
//   - False: the writes of the object are recorded, and none is one of its
//     status. What the status holds then are the defaults of its schema.
//   - Unknown: no write is recorded; or the record began when the object had been
//     there for a while, which is "before-first-apply"; or the status was written
//     with the rest of the object.
//
// False tells something only where the kind has a status subresource.
func StatusWritten(obj Object) ConditionStatus {
	if obj == nil {
		return ConditionUnknown
	}
	ev := newEvaluation(obj.UnstructuredContent())
	defer ev.release()
	return ev.object.writers().written
}

// A writers holds what metadata.managedFields records about the writes of an object.
// Times are in seconds, as recorded. An empty time is not known.
type writers struct {
	written    ConditionStatus // as Written
	statusTime string          // the last write of the status by the status subresource, or of nothing else
	specTime   string          // the last write of what the object asks for; that of a label alone counts as well
	mixed      bool            // somebody writes both at once
}

// writers reads metadata.managedFields.
func (f *Fields) writers() (w writers) {
	w.written = ConditionUnknown
	unsure := false
	for _, item := range asList(f.get("metadata.managedFields")) {
		entry, _ := item.(map[string]any)
		fields, _ := entry["fieldsV1"].(map[string]any)
		at, _ := entry["time"].(string)
		_, reports := fields["f:status"]
		switch {
		case entry["subresource"] == "status":
			w.written, w.statusTime = ConditionTrue, max(w.statusTime, at)
			continue
		case entry["subresource"] != nil && entry["subresource"] != "":
			continue
		case entry["manager"] == "before-first-apply", entry["manager"] == nil, reports:
			unsure = true
		}
		sets := setsSpec(fields)
		w.mixed = w.mixed || reports && sets
		if sets {
			w.specTime = max(w.specTime, at)
		} else if reports {
			w.statusTime = max(w.statusTime, at)
		}
		if w.written == ConditionUnknown {
			w.written = ConditionFalse
		}
	}
	if unsure && w.written == ConditionFalse {
		w.written = ConditionUnknown
	}
	if f.traced() {
		f.saw("metadata.managedFields", "status written: "+string(w.written))
	}
	return w
}

// setsSpec reports whether some of the fields are neither of metadata nor of status.
func setsSpec(fields map[string]any) bool {
	for name := range fields {
		if name != "f:metadata" && name != "f:status" {
			return true
		}
	}
	return false
}

// statusNeverWritten judges an object of a kind that has a status subresource. If
// nobody has written its status, its controller has not observed it.
func (f *Fields) statusNeverWritten() (r Result) {
	e, hint := &f.eval.expectation, f.eval.hint
	if hint != nil && hint.Silent || e.Subresource != TristateYes || e.Status == TristateNo || e.Status == TristateUnknown && e.Peers.Status == TristateNo {
		return r
	}
	if f.writers().written == ConditionFalse {
		r = InProgress("NotObserved", "nobody has written its status yet, for which %s has a subresource", e.name())
		r.Confidence = ConfidenceMedium
	}
	return r
}

// statusPredatesSpec judges an object whose controller reports no generation by the
// times of the last writes of the status and of the spec. The times cannot tell a
// change of the spec from one of a label, and they do not show that a controller
// looked and had nothing to write. They hold a verdict back for writeGrace only, and
// lower its confidence after that. Writes in the same second count as in order.
func (f *Fields) statusPredatesSpec() (r Result) {
	if f.eval.generation <= 1 || f.eval.expectation.Subresource == TristateNo {
		return r
	}
	w := f.writers()
	if w.written != ConditionTrue || w.specTime <= w.statusTime {
		return r
	}
	if left := f.graceLeft(w.specTime); left > 0 {
		r = InProgress("StatusPredatesSpec", "its status was last written before its spec or its labels were; it counts %s after that all the same", writeGrace)
		r.Confidence, r.Recheck = ConfidenceMedium, left
		return r
	}
	f.eval.ambiguousWrites = true
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
	if age < -writeGrace { // the clocks differ, so that nothing is known
		return 0
	}
	return min(writeGrace, max(writeGrace-age, 0))
}

// isOwnWrite reports whether an observed generation is behind only because writes of
// the status have raised the generation of the object.
func (f *Fields) isOwnWrite(seen int64) bool {
	return f.eval.expectation.Subresource == TristateNo && f.eval.object.generationCountsStatus(seen).Status == ""
}

// generationCountsStatus judges an observed generation that is behind, of a kind
// without a status subresource, where each write of the status is a new generation. It
// allows for one such write. If the record says that the status was written last, it
// allows for any number.
func (f *Fields) generationCountsStatus(seen int64) (r Result) {
	want, w := f.eval.generation, f.writers()
	created, _ := f.get("metadata.creationTimestamp").(string)
	r = InProgress("LatestGenerationNotObserved", "generation is %d, its controller has observed %d", want, seen)
	switch {
	case w.statusTime > w.specTime && w.specTime != "", w.statusTime != "" && w.specTime == created:
		return Result{}
	case w.statusTime != "" && w.specTime > w.statusTime:
		return r
	case seen == want-1:
		return Result{}
	case w.statusTime != "" && w.specTime == w.statusTime: // both in one second
		if left := f.graceLeft(w.specTime); left > 0 {
			f.eval.recheck = left
			return r
		}
	case !w.mixed:
		return r
	}
	f.Warn("generation is %d, its controller has observed %d: without a status subresource that may be due to its own writes", want, seen)
	f.eval.ambiguousWrites = true
	return Result{}
}
