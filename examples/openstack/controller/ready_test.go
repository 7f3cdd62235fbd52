package controller

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kstatus.dev/author/conditions"
	"kstatus.dev/clusterapi/openstack/failure"
	"kstatus.dev/examples/openstack/api/v1beta1"
)

// The object is a machine that was Ready, and InstanceReady has failed since some time.
func TestReadyDuringAFailure(t *testing.T) {
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		failure     failure.Failure
		condition   string
		provisioned bool
		before      metav1.ConditionStatus
		generation  int64         // of Ready
		since       time.Duration // for how long the condition is Unknown
		want        metav1.ConditionStatus
		until       time.Duration
	}{
		"stays True at first":               {failure.Failure{Class: failure.RateLimited}, InstanceReady, true, "True", 1, 0, "True", 5*time.Minute + time.Second},
		"stays True during the grace":       {failure.Failure{Class: failure.ServiceUnavailable}, InstanceReady, true, "True", 1, 3 * time.Minute, "True", 2*time.Minute + time.Second},
		"is Unknown after the grace":        {failure.Failure{Class: failure.RateLimited}, InstanceReady, true, "True", 1, 5 * time.Minute, "Unknown", forever},
		"is Unknown for a new spec":         {failure.Failure{Class: failure.RateLimited}, InstanceReady, true, "True", 0, 0, "Unknown", forever},
		"is Unknown before provisioned":     {failure.Failure{Class: failure.RateLimited}, InstanceReady, false, "True", 1, 0, "Unknown", forever},
		"stays Unknown":                     {failure.Failure{Class: failure.RateLimited}, InstanceReady, true, "Unknown", 1, 0, "Unknown", forever},
		"is Unknown without a network":      {failure.Failure{Class: failure.EndpointUnreachable}, InstanceReady, true, "True", 1, 0, "Unknown", forever},
		"is False for a defect":             {failure.Failure{Class: "InstanceNotReady", Known: true}, InstanceReady, true, "True", 1, 0, "False", forever},
		"is Unknown with a wrong password":  {failure.Failure{Class: failure.Credentials, Known: true}, AuthenticationSucceeded, true, "True", 1, 0, "Unknown", forever},
		"is False if it never was observed": {failure.Failure{Class: failure.Credentials, Known: true}, AuthenticationSucceeded, false, "Unknown", 1, 0, "False", forever},
	} {
		t.Run(name, func(t *testing.T) {
			obj := &v1beta1.OpenStackMachine{}
			obj.Generation = 1
			stored := []metav1.Condition{
				{Type: "Ready", Status: test.before, Reason: "Before", ObservedGeneration: test.generation},
				{Type: test.condition, Status: "Unknown", Reason: "Before", LastTransitionTime: metav1.NewTime(now.Add(-test.since)), ObservedGeneration: 1},
			}
			obj.Status.Conditions = stored
			b := &base{attempts: newAttempts(Options{Clock: func() time.Time { return now }})}
			pass := begin(t, obj)
			test.failure.Reason = "Tested"
			for _, detail := range machineDetails {
				pass.True(detail, "Good", "")
			}
			stateFailure(pass, nil, result{failed: test.condition, failure: &test.failure}, 0)
			until := b.stateReady(pass, report{object: obj, details: machineDetails, provisioned: test.provisioned}, stored, &test.failure)
			if have := pass.Get("Ready"); have.Status != test.want || until != test.until {
				t.Errorf("Ready is %s (%s) for %s, want %s for %s", have.Status, have.Reason, until, test.want, test.until)
			}
		})
	}
}

func begin(t *testing.T, obj *v1beta1.OpenStackMachine) *conditions.Pass {
	t.Helper()
	pass, err := machineConditions.Begin(obj)
	if err != nil {
		t.Fatal(err)
	}
	return pass
}

// A failure of the same class waits longer each time. Another input may be tried at once.
func TestAttempts(t *testing.T) {
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	a := newAttempts(Options{
		Clock: func() time.Time { return now },
		Delay: func(r failure.Retry, attempt int, _ float64) time.Duration { return r.Delay(attempt, 0.5) },
	})
	quota := &failure.Failure{Class: failure.QuotaExceeded, Retry: failure.Retry{First: time.Minute, Last: 10 * time.Minute}}
	first, second := input{generation: 1, credentials: "a"}, input{generation: 1, credentials: "b"}
	for i, want := range []time.Duration{1, 2, 4, 8, 10, 10} {
		if have, _ := a.fail("x", first, quota); have != want*time.Minute {
			t.Errorf("attempt %d waits %s, want %d minutes", i, have, want)
		}
	}
	now = now.Add(4 * time.Minute)
	if _, wait := a.last("x", first); wait != 6*time.Minute {
		t.Errorf("after 4 of 10 minutes it waits %s", wait)
	}
	if f, wait := a.last("x", second); f != nil || wait != 0 {
		t.Errorf("with another Secret it waits %s for %v", wait, f)
	}
	if wait, failing := a.fail("x", first, &failure.Failure{Class: failure.Conflict, Retry: failure.Retry{First: time.Second}}); wait != time.Second || failing != 0 {
		t.Errorf("a failure of another class waits %s, after %s", wait, failing)
	}
	a.forget("x")
	if f, _ := a.last("x", first); f != nil {
		t.Errorf("after a success there is %v", f)
	}
}

// A status says that the spec is invalid. After a restart it is not sent again for this generation.
func TestInvalidConfigurationSurvivesARestart(t *testing.T) {
	for name, test := range map[string]struct {
		reason   string
		observed int64
		waits    bool
	}{
		"invalid for this generation":    {InvalidConfiguration, 2, true},
		"invalid for another generation": {InvalidConfiguration, 1, false},
		"another failure":                {"QuotaExceeded", 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			obj := &v1beta1.OpenStackMachine{}
			obj.UID, obj.Generation = "x", 2
			obj.Status.Conditions = []metav1.Condition{{Type: InstanceReady, Status: "False", Reason: test.reason, ObservedGeneration: test.observed}}
			b := &base{attempts: newAttempts(Options{})}
			wait := b.tooEarly(report{object: obj, details: machineDetails, input: input{generation: 2}})
			if waits := wait > 7*time.Minute; waits != test.waits || !waits && wait != 0 {
				t.Errorf("it waits %s", wait)
			}
		})
	}
}
