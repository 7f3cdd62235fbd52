// Package conditionstest helps to test controllers that report by package conditions:
//
//	clock := conditionstest.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
//	server, err := conditionstest.NewServer(machine)     // instead of a cluster
//	set := conditionstest.StrictSet(set, clock)          // a wrong statement panics
//	…
//	conditionstest.Assert(t, machine.Status.Conditions,  // times do not matter
//		metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "AsExpected"})
//	if server.WriteCount() != 1 { … }
//
// A [Recorder] wraps any Writer, also that of a real cluster, and records what was written
// for package audit.
package conditionstest
