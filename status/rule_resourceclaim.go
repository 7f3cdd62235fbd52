package status

// A ResourceClaim is Current when devices are allocated to it and all binding
// conditions of these devices are True. It fails when a device reports one of
// its binding failure conditions; the scheduler then tries other devices.
//
// A claim without an allocation waits for the first Pod that uses it, by
// design, since devices are allocated when a Pod is scheduled. A claim that was
// created for a Pod has that Pod as its owner, and is in progress.
func resourceClaim(o *Fields) Result {
	if !o.Has("status.allocation") {
		return o.unallocatedClaim()
	}
	var reports map[device][]*Fields
	var worst Result
	devices := 0
	for got := range o.Each("status.allocation.devices.results") {
		devices++
		if got.Len("bindingConditions") == 0 {
			continue
		}
		if reports == nil {
			reports = o.deviceReports()
		}
		d := got.device()
		worst = worse(worst, got.deviceResult(reports[d], d))
	}
	if worst.Status != "" {
		return worst
	}
	return Current("Reconciled", "%d/%d devices allocated", devices, devices)
}

// unallocatedClaim judges a claim without allocated devices.
func (f *Fields) unallocatedClaim() Result {
	pod := ""
	for owner := range f.Each("metadata.ownerReferences") {
		if name := owner.Text("name", ""); owner.Text("kind", "") == "Pod" && (pod == "" || name < pod) {
			pod = name
		}
	}
	if pod != "" {
		return InProgress("Binding", "no device is allocated to Pod %s yet", pod)
	}
	return Suspended(SuspendedByDesign, "WaitingForFirstConsumer", "devices are allocated when a Pod that uses it is scheduled")
}

// A device identifies a device, or a share of one.
type device struct{ driver, pool, name, share string }

func (f *Fields) device() device {
	return device{f.Text("driver", ""), f.Text("pool", ""), f.Text("device", ""), f.Text("shareID", "")}
}

// deviceReports returns the reports of drivers on the devices of a claim.
func (f *Fields) deviceReports() map[device][]*Fields {
	reports := map[device][]*Fields{}
	for r := range f.Each("status.devices") {
		reports[r.device()] = append(reports[r.device()], r)
	}
	return reports
}

// deviceResult judges one allocated device by the report of its driver.
func (f *Fields) deviceResult(reports []*Fields, d device) (worst Result) {
	at := d.driver + "/" + d.pool + "/" + d.name
	if len(reports) == 0 {
		return InProgress("Binding", "device %s: its driver has not reported yet", at)
	}
	for _, r := range reports {
		for _, t := range f.Texts("bindingFailureConditions") {
			if c := r.ConditionIn("conditions", t); c.Status == conditionTrue {
				worst = worse(worst, FailedRecoverable("NotAccepted", "device %s: %s", at, c.Text()).by(c))
			}
		}
		for _, t := range f.Texts("bindingConditions") {
			if c := r.ConditionIn("conditions", t); c.Status != conditionTrue {
				worst = worse(worst, InProgress("Binding", "device %s: %s is not True", at, t))
			}
		}
	}
	return worst
}
