package status

// A ChangeTransferPolicy is Current when the proposed commit of its branch is
// the active one. The rule compares the dry commits, from which the others were
// rendered. Checks of the active commit may still be pending or fail. If its
// condition Ready is not True, it is judged as for any other kind.
func changeTransferPolicy(o *Fields) Result {
	if r, ready := o.promoterReady(); !ready {
		return r
	}
	active, proposed := o.Text("status.active.dry.sha", ""), o.Text("status.proposed.dry.sha", "")
	if r := compareCommits(active, proposed, true); r.Status != "" {
		return o.pendingChecks("status.proposed.commitStatuses", r)
	}
	return currentWithMessage("its branch is at " + short(active))
}

// A PromotionStrategy is Current when every environment has its proposed
// commit, and the proposed commit is the same in all. An environment without
// autoMerge waits for a user to merge its pull request.
func promotionStrategy(o *Fields) Result {
	if r, ready := o.promoterReady(); !ready {
		return r
	}
	manual := map[string]bool{}
	for e := range o.Each("spec.environments") {
		if !e.Bool("autoMerge", true) {
			manual[e.Text("branch", "")] = true
		}
	}
	var worst Result
	proposed, many := "", false
	for e := range o.Each("status.environments") {
		branch := e.Text("branch", "")
		if r := compareCommits(e.Text("active.dry.sha", ""), e.Text("proposed.dry.sha", ""), !manual[branch]); r.Status != "" {
			worst = worse(worst, e.pendingChecks("proposed.commitStatuses", r).withSubject("environment "+branch))
		}
		next := e.Text("proposed.note.drySha", e.Text("proposed.dry.sha", ""))
		many = many || proposed != "" && next != proposed
		proposed = max(proposed, next)
	}
	switch {
	case worst.Status != "":
		return worst
	case o.Len("status.environments") == 0:
		return InProgress("NotObserved", "its controller has not reported any environment yet")
	case many:
		return InProgress("RolloutUpdating", "the environments do not have the same proposed commit yet")
	}
	return currentWithMessage("every environment is at the commit proposed for it")
}

// promoterReady reports whether the condition Ready is True. If it exists and
// is not True, the zero Result leaves the object to the next stages.
func (f *Fields) promoterReady() (r Result, ready bool) {
	c := f.Condition("Ready")
	if c.Status == "" {
		return InProgress("NotObserved", "its controller has not reported condition Ready yet"), false
	}
	return r, c.Is(conditionTrue)
}

// compareCommits compares the proposed commit of one branch with the active one.
func compareCommits(active, proposed string, automatic bool) (r Result) {
	switch {
	case active == "", proposed == "":
		return InProgress("NotObserved", "its controller has not reported the active and the proposed commit yet")
	case active == proposed:
		return r
	case !automatic:
		return InProgress("WaitingForApproval", "%s is replaced by %s when a user merges it", short(active), short(proposed))
	}
	return InProgress("RolloutUpdating", "%s is being replaced by %s", short(active), short(proposed))
}

// pendingChecks adds a check that the proposed commit has not passed to the
// result.
func (f *Fields) pendingChecks(list string, r Result) Result {
	text := ""
	for c := range f.Each(list) {
		if phase := c.Text("phase", ""); phase != "success" {
			text = max(text, ", check "+c.Text("key", "")+" is "+phase)
		}
	}
	r.Message += text
	return r
}

// short returns the short form of a commit hash.
func short(sha string) string { return sha[:min(len(sha), 7)] }
