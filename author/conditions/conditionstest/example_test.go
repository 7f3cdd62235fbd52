package conditionstest_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kstatus.dev/author/audit"
	"kstatus.dev/author/conditions"
	"kstatus.dev/author/conditions/conditionstest"
	"kstatus.dev/author/conditions/wellknown"
)

// A test of a reconcile needs no cluster: two passes with the same result are one write.
func Example() {
	clock := conditionstest.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	strict := conditionstest.StrictSet(set, clock)
	server, err := conditionstest.NewServer(object())
	if err != nil {
		panic(err)
	}
	recorder := conditionstest.NewRecorder(server, "servers", clock.Now)
	obj := object()
	for range 2 {
		if err := server.ReadCached(obj); err != nil {
			panic(err)
		}
		pass, err := strict.Begin(obj)
		if err != nil {
			panic(err)
		}
		pass.True(wellknown.TypeReady, "Up", "")
		if _, err := pass.Commit(context.Background(), recorder); err != nil {
			panic(err)
		}
		clock.Advance(time.Minute)
	}
	fmt.Println(server.WriteCount(), server.ReadCount(), len(server.Patches()))

	auditor := audit.New(audit.Options{})
	for _, w := range recorder.Writes() {
		auditor.Add(w)
	}
	fmt.Println(len(auditor.Report().Findings))
	// Output:
	// 1 0 1
	// 0
}

// A Server can simulate other writers: here a write between the read and the
// write of the pass.
func ExampleServer() {
	server, err := conditionstest.NewServer(object())
	if err != nil {
		panic(err)
	}
	obj := object()
	if err := server.ReadCached(obj); err != nil {
		panic(err)
	}
	pass, err := set.Begin(obj)
	if err != nil {
		panic(err)
	}
	pass.True(wellknown.TypeReady, "Up", "")
	server.BeforeNextWrite = func() {
		server.Update(func(content map[string]any) { content["other"] = "written by somebody else" })
	}
	changed, err := pass.Commit(context.Background(), server)
	fmt.Println(changed, err, server.WriteCount(), server.ReadCount())
	// Output: true <nil> 2 1
}

// Assert compares only the fields that the wanted conditions set.
func ExampleAssert() {
	_ = func(t *testing.T, have []metav1.Condition) {
		conditionstest.Assert(t, have, metav1.Condition{Type: wellknown.TypeReady, Status: metav1.ConditionTrue})
	}
}

// A Recorder forwards requests, and records them for package audit. Here
// another client deletes the object.
func ExampleRecorder() {
	server, err := conditionstest.NewServer(object())
	if err != nil {
		panic(err)
	}
	recorder := conditionstest.NewRecorder(server, "servers", nil)
	obj := object()
	if err := recorder.Get(context.Background(), obj); err != nil {
		panic(err)
	}
	server.Delete()
	if err := recorder.RecordChange(obj, audit.WriteDeleted); err != nil {
		panic(err)
	}
	err = recorder.PatchStatus(context.Background(), obj, conditions.Patch{})
	fmt.Println(apierrors.IsNotFound(err))
	for _, w := range recorder.Writes() {
		fmt.Println(w.Type)
	}
	// Output:
	// true
	// DELETED
	// MODIFIED
}

func ExampleDiff() {
	fmt.Println(conditionstest.Diff(
		[]metav1.Condition{{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Up", ObservedGeneration: 1}},
		[]metav1.Condition{{Type: "Ready", Status: metav1.ConditionFalse, Reason: "Down", ObservedGeneration: 1}},
	))
	// Output: 0: have Ready=True(Up) of generation 1: "", want Ready=False(Down) of generation 1: ""
}

var _ conditions.Writer = (*conditionstest.Recorder)(nil)
