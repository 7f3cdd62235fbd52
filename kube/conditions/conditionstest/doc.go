// Package conditionstest holds what the tests of a controller need that reports
// through package conditions:
//
//	clock := conditionstest.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
//	server := conditionstest.NewServer(machine)          // in place of a cluster
//	set := conditionstest.Strict(set, clock)             // a wrong statement panics
//	…
//	conditionstest.Want(t, machine.Status.Conditions,    // without times
//		metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "AsExpected"})
//	if server.Writes() != 1 { … }
//
// A [Recorder] stands before any Writer, also that of a real cluster, and keeps
// what was written as package audit takes it.
package conditionstest
