package status

import "time"

// How long a controller has to touch the status of an object whose spec has
// been written after it, where no generation tells more.
const answerTime = 10 * time.Second

// Written reports whether a controller has written the status of an object, as
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
func Written(obj Object) Truth {
	if obj == nil {
		return Unknown
	}
	h := hear(obj.UnstructuredContent())
	defer h.dismiss()
	return h.root.writers().status
}

// A writers tells who wrote an object, and when last, in seconds as the record
// has it. A time that is empty is not known.
type writers struct {
	status Truth  // as Written
	report string // the last write of the status by the status subresource, or of nothing else
	wish   string // the last write of what the object asks for; that of a label alone counts as well
	mixed  bool   // somebody writes both at once
}

// writers reads metadata.managedFields.
func (f *Fields) writers() (w writers) {
	w.status = Unknown
	unsure := false
	for _, item := range asList(f.get("metadata.managedFields")) {
		entry, _ := item.(map[string]any)
		fields, _ := entry["fieldsV1"].(map[string]any)
		at, _ := entry["time"].(string)
		_, reports := fields["f:status"]
		switch {
		case entry["subresource"] == "status":
			w.status, w.report = True, max(w.report, at)
			continue
		case entry["subresource"] != nil && entry["subresource"] != "":
			continue
		case entry["manager"] == "before-first-apply", entry["manager"] == nil, reports:
			unsure = true
		}
		wishes := wishes(fields)
		w.mixed = w.mixed || reports && wishes
		if wishes {
			w.wish = max(w.wish, at)
		} else if reports {
			w.report = max(w.report, at)
		}
		if w.status == Unknown {
			w.status = False
		}
	}
	if unsure && w.status == False {
		w.status = Unknown
	}
	if f.traced() {
		f.saw("metadata.managedFields", "status written: "+string(w.status))
	}
	return w
}

// wishes reports whether fields of an object are some that ask for something.
func wishes(fields map[string]any) bool {
	for name := range fields {
		if name != "f:metadata" && name != "f:status" {
			return true
		}
	}
	return false
}

// untouched: the status subresource of a kind without a rule is there to be
// written, so that an object on which nobody has written it has not been seen.
func (f *Fields) untouched() (r Result) {
	e, hint := &f.hearing.expectation, f.hearing.hint
	if hint != nil && hint.Silent || e.Subresource != Promised || e.Status == Denied || e.Status == NotKnown && e.Others.Status == Denied {
		return r
	}
	if f.writers().status == False {
		r = InProgress("NotObserved", "nobody has written its status yet, for which %s has a subresource", e.name())
		r.Confidence = Medium
	}
	return r
}

// predates: without a generation that its controller reports, only the times of
// the last writes tell whether a status is from before the last change of the
// spec. They do not tell a change of the spec from one of a label, nor that a
// controller looked and had nothing to write. So they hold a verdict back for a
// moment only, and after it take some confidence from it. Writes in the same
// second count as in order.
func (f *Fields) predates() (r Result) {
	if f.hearing.generation <= 1 || f.hearing.expectation.Subresource == Denied {
		return r
	}
	w := f.writers()
	if w.status != True || w.wish <= w.report {
		return r
	}
	if left := f.answerLeft(w.wish); left > 0 {
		r = InProgress("StatusPredatesSpec", "its status was last written before its spec or its labels were; it counts %s after that all the same", answerTime)
		r.Confidence, r.Recheck = Medium, left
		return r
	}
	f.hearing.doubtful = true
	return r
}

// newborn returns how long an object is to be taken for one on which its
// controller has but begun to report, unless that tells which generation it has
// observed.
func (f *Fields) newborn() time.Duration {
	root := &f.hearing.root
	if root.get(root.generationPath()) != nil {
		return 0
	}
	if latest, _ := root.ownGenerations(); latest > 0 {
		return 0
	}
	created, _ := root.get("metadata.creationTimestamp").(string)
	return f.answerLeft(created)
}

// answerLeft returns how much of the time to answer a write is left.
func (f *Fields) answerLeft(at string) time.Duration {
	written, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return 0
	}
	age := f.hearing.now().Sub(written)
	if age < -answerTime { // the clocks differ, so that nothing is known
		return 0
	}
	return min(answerTime, max(answerTime-age, 0))
}

// countsItself reports whether a generation that is behind is so because writes
// of the status have raised that of the object.
func (f *Fields) countsItself(seen int64) bool {
	return f.hearing.expectation.Subresource == Denied && f.hearing.root.selfCounted(seen).Status == ""
}

// selfCounted judges an observed generation that is behind, of a kind without
// a status subresource: there each write of the status is a new generation. One
// such write is allowed for; how many there were does not matter where it is
// recorded that the status was written last.
func (f *Fields) selfCounted(seen int64) (r Result) {
	want, w := f.hearing.generation, f.writers()
	created, _ := f.get("metadata.creationTimestamp").(string)
	r = InProgress("LatestGenerationNotObserved", "generation is %d, its controller has observed %d", want, seen)
	switch {
	case w.report > w.wish && w.wish != "", w.report != "" && w.wish == created:
		return Result{}
	case w.report != "" && w.wish > w.report:
		return r
	case seen == want-1:
		return Result{}
	case w.report != "" && w.wish == w.report: // both in one second
		if left := f.answerLeft(w.wish); left > 0 {
			f.hearing.recheck = left
			return r
		}
	case !w.mixed:
		return r
	}
	f.Warn("generation is %d, its controller has observed %d: without a status subresource that may be due to its own writes", want, seen)
	f.hearing.doubtful = true
	return Result{}
}
