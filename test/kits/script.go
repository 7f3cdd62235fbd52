package main

import (
	"context"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// facts are the results of a controller in one reconcile. Each kit gets the same.
type facts struct {
	// found contains the conditions in the order of the controller's report.
	found []metav1.Condition
	// provisioned and addresses are the rest of the status.
	provisioned bool
	addresses   []string
	// err is the error of the reconcile.
	err error
	// meanwhile runs between the read and the report, and acts as another client.
	meanwhile func(context.Context, *world) error
}

// step is a part of the script.
type step struct {
	name string
	// times is the number of reconciles; 0 means 1.
	times int
	// needed is the smallest number of writes that report everything.
	needed int
	before func(context.Context, *world) error
	facts  facts
}

var errUnreachable = errors.New("cloud: no answer")

func up(status metav1.ConditionStatus, reason, message string) metav1.Condition {
	return metav1.Condition{Type: serverUp, Status: status, Reason: reason, Message: message}
}

var (
	healthy  = metav1.Condition{Type: degraded, Status: metav1.ConditionFalse, Reason: "Healthy"}
	running  = up(metav1.ConditionTrue, "Running", "on host a")
	moved    = up(metav1.ConditionTrue, "Running", "on host b")
	creating = up(metav1.ConditionFalse, "Creating", "asked for it")
	resizing = up(metav1.ConditionFalse, "Resizing", "")
	unknown  = up(metav1.ConditionUnknown, "Unreachable", errUnreachable.Error())
)

func found(c ...metav1.Condition) facts {
	return facts{found: c, provisioned: true, addresses: []string{"10.0.0.1"}}
}

func (f facts) failing(err error) facts { f.err = err; return f }

func (f facts) with(meanwhile func(context.Context, *world) error) facts {
	f.meanwhile = meanwhile
	return f
}

// script is the list of steps, with more than a second between two reconciles.
var script = []step{
	{name: "first reconcile: the server is being created", needed: 1, facts: facts{found: []metav1.Condition{creating}}},
	{name: "no change", times: 5, facts: facts{found: []metav1.Condition{creating}}},
	{name: "the server is ready and has an address", needed: 1, facts: found(running, healthy)},
	{name: "no change", times: 10, facts: found(running, healthy)},
	{name: "a new message only", needed: 1, facts: found(moved, healthy)},
	{name: "the server goes down", needed: 1, facts: found(creating, healthy)},
	{name: "the server comes up", needed: 1, facts: found(moved, healthy)},
	{name: "True, False and True again within one reconcile", facts: found(moved, creating, moved, healthy)},
	{name: "new spec, without work", needed: 1, before: resize, facts: found(moved, healthy)},
	{name: "new spec, the reconcile fails", needed: 1, before: resize, facts: found(unknown).failing(errUnreachable)},
	{name: "the next reconcile succeeds", needed: 1, facts: found(moved, healthy)},
	{name: "new spec, resizing", needed: 1, before: resize, facts: found(resizing, healthy)},
	{name: "ready, and the spec changes while it is read", needed: 1, facts: found(moved, healthy).with(resize)},
	{name: "the next reconcile", needed: 1, facts: found(moved, healthy)},
	{name: "a new message while another controller writes a condition", needed: 1, facts: found(running, healthy).with(scan)},
	{name: "paused", needed: 1, before: pause, facts: found(running, healthy)},
	{name: "still paused", times: 3, facts: found(running, healthy)},
	{name: "no longer paused", needed: 1, before: unpause, facts: found(running, healthy)},
}
