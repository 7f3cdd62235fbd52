package contract

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/author/severity"
)

// blockMoveAnnotation is on objects that must not be moved yet.
const blockMoveAnnotation = "clusterctl.cluster.x-k8s.io/block-move"

// pauseAcknowledged measures how long the provider takes to acknowledge pauses.
var pauseAcknowledged = &Scenario{
	Name:  "pause-acknowledged",
	Rules: []string{"C-ALL-8"},
	Doc: "A Cluster is paused three times: when the provider begins with its InfraCluster, when it begins with its InfraMachine, and when " +
		"both are ready. Each time both report Paused=True for their generation, have no annotation block-move, and stay unchanged from then on. " +
		"When the Cluster is resumed, the report ends before the work begins. The result has the time until the acknowledgement.",
	run: func(f *fixture) error {
		machines, err := f.createCluster(false, nil)
		if err != nil {
			return err
		}
		if err := f.pauseOnce(machines, &machines.ic, "during the creation of the InfraCluster"); err != nil {
			return err
		}
		if err := f.provisionCluster(machines); err != nil {
			return err
		}
		if machines.machine != nil {
			if err := f.pauseOnce(machines, &machines.im, "during the creation of the InfraMachine"); err != nil {
				return err
			}
		}
		if err := f.awaitSettled(machines); err != nil {
			return err
		}
		if err := f.pauseOnce(machines, nil, "when all objects were ready"); err != nil {
			return err
		}
		return machines.each(f.expectNoWorkWhilePaused)
	},
}

// pauseOnce pauses a Cluster until all objects have acknowledged that, and resumes it. If started is not nil, it
// first waits until the provider has begun with this object.
func (f *fixture) pauseOnce(machines *clusterMachines, started *subject, when string) error {
	if started != nil {
		_, err := f.await("C-ALL-7", *started, "given a finalizer", func(obj *unstructured.Unstructured) bool {
			return len(obj.GetFinalizers()) > 0 || blocksMove(obj)
		})
		if err != nil {
			return err
		}
	}
	if err := f.pause(f.ctx, machines.cluster, true); err != nil {
		return err
	}
	if err := f.awaitAcknowledgements(machines, when); err != nil {
		return err
	}
	if err := f.expectStill(machines, when); err != nil {
		return err
	}
	if err := f.pause(f.ctx, machines.cluster, false); err != nil {
		return err
	}
	return machines.each(func(s subject) error {
		_, err := f.await("C-ALL-8", s, "resumed after the pause "+when, func(obj *unstructured.Unstructured) bool {
			return !hasCondition("Paused", "True")(obj)
		})
		return err
	})
}

// awaitAcknowledgements waits until each object has acknowledged a pause, and records the time.
// Objects that do not are violations; then the scenario cannot continue.
func (f *fixture) awaitAcknowledgements(machines *clusterMachines, when string) error {
	start, missing := time.Now(), machines.subjects()
	for {
		var left []subject
		for _, s := range missing {
			obj, _, err := f.last(s)
			if err != nil {
				return err
			}
			if !acknowledged(obj) {
				left = append(left, s)
				continue
			}
			f.measure("%s: the pause %s was acknowledged within %s", s.role, when, time.Since(start).Round(pollInterval))
		}
		missing = left
		switch {
		case f.ctx.Err() != nil:
			return context.Cause(f.ctx)
		case len(missing) == 0:
			return nil
		case time.Since(start) > f.env.provider.Timeout:
			return f.reportUnacknowledged(missing, when)
		}
		time.Sleep(pollInterval)
	}
}

// acknowledged reports whether an object is paused for its generation and can be moved.
func acknowledged(obj *unstructured.Unstructured) bool {
	return hasCondition("Paused", "True")(obj) && !blocksMove(obj) &&
		(conditions(obj)["Paused"]["observedGeneration"] == nil || pausedOfLatest(obj))
}

func blocksMove(obj *unstructured.Unstructured) bool {
	_, blocks := obj.GetAnnotations()[blockMoveAnnotation]
	return blocks
}

// reportUnacknowledged reports objects that have not acknowledged a pause. An object that keeps
// block-move stops every move. The contract only recommends the condition Paused.
func (f *fixture) reportUnacknowledged(missing []subject, when string) error {
	for _, s := range missing {
		obj, _, err := f.last(s)
		if err != nil {
			return err
		}
		if blocksMove(obj) {
			f.report("C-ALL-8", s, "the annotation %s remains %s after the pause %s, so the object can never be moved", blockMoveAnnotation, f.env.provider.Timeout, when)
			continue
		}
		f.add("C-ALL-8", severity.Warning, s, "the pause %s is not acknowledged within %s: want Paused=True for generation %d; %s",
			when, f.env.provider.Timeout, obj.GetGeneration(), brief(obj))
	}
	return errUnmet
}

// expectStill checks that acknowledged objects do not change any more.
func (f *fixture) expectStill(machines *clusterMachines, when string) error {
	type state struct {
		obj      *unstructured.Unstructured
		external []string
	}
	read := func(s subject) (now state, err error) {
		if now.obj, _, err = f.last(s); err == nil {
			now.external, _, err = f.externalObjects(s)
		}
		return now, err
	}
	var before []state
	err := machines.each(func(s subject) error {
		now, err := read(s)
		before = append(before, now)
		return err
	})
	if err == nil {
		err = f.waitQuietPeriod()
	}
	if err != nil {
		return err
	}
	for i, s := range machines.subjects() {
		now, err := read(s)
		if err != nil {
			return err
		}
		if what := changesOf(before[i].obj, now.obj); what != "" {
			f.report("C-ALL-8", s, "it acknowledged the pause %s, and then the provider wrote: %s", when, what)
		}
		if fmt.Sprint(before[i].external) != fmt.Sprint(now.external) {
			f.report("C-ALL-8", s, "it acknowledged the pause %s, and then its external resources changed from %v to %v", when, before[i].external, now.external)
		}
	}
	return nil
}

// expectNoWorkWhilePaused checks in all versions of an object that the provider did nothing while the
// object acknowledged a pause. A provider that goes on after a pause, and reports that only with the
// result, works under the old acknowledgement. A second pause then seems acknowledged at once.
func (f *fixture) expectNoWorkWhilePaused(s subject) error {
	versions, _, err := f.env.stream.of(s.Unstructured)
	for i := 1; i < len(versions); i++ {
		before, after := versions[i-1], versions[i]
		if !acknowledged(before) || !hasCondition("Paused", "True")(after) {
			continue
		}
		if what := workOn(before, after); what != "" {
			f.report("C-ALL-8", s, "it still reported Paused=True when the provider wrote: %s", what)
			return err
		}
	}
	return err
}
