package main

import (
	"context"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// facts are what a controller finds out in one reconcile. Each kit is told
// the same.
type facts struct {
	// found are conditions in the order in which the controller states them.
	found []metav1.Condition
	// provisioned and addresses are the rest of the status.
	provisioned bool
	addresses   []string
	// err is with what the reconcile ends.
	err error
	// meanwhile is what others do between the read and the report.
	meanwhile func(context.Context, *world) error
}

// step is a part of the script.
type step struct {
	name string
	// times is how often the controller comes by, 1 if it is 0.
	times int
	// needed is how many writes of the status tell all that there is to tell.
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

// script is what happens, a second and more between two reconciles.
var script = []step{
	{name: "first visit: the server is being created", needed: 1, facts: facts{found: []metav1.Condition{creating}}},
	{name: "nothing new", times: 5, facts: facts{found: []metav1.Condition{creating}}},
	{name: "it is ready and has an address", needed: 1, facts: found(running, healthy)},
	{name: "nothing new", times: 10, facts: found(running, healthy)},
	{name: "only a message is new", needed: 1, facts: found(moved, healthy)},
	{name: "it goes down", needed: 1, facts: found(creating, healthy)},
	{name: "it comes up", needed: 1, facts: found(moved, healthy)},
	{name: "True, False and True again within one reconcile", facts: found(moved, creating, moved, healthy)},
	{name: "new spec, nothing to do for it", needed: 1, before: resize, facts: found(moved, healthy)},
	{name: "new spec, the reconcile fails", needed: 1, before: resize, facts: found(unknown).failing(errUnreachable)},
	{name: "the next one succeeds", needed: 1, facts: found(moved, healthy)},
	{name: "new spec, resizing", needed: 1, before: resize, facts: found(resizing, healthy)},
	{name: "ready, and the spec changes while it is looked at", needed: 1, facts: found(moved, healthy).with(resize)},
	{name: "the next reconcile", needed: 1, facts: found(moved, healthy)},
	{name: "a new message while another controller writes a condition", needed: 1, facts: found(running, healthy).with(scan)},
	{name: "paused", needed: 1, before: pause, facts: found(running, healthy)},
	{name: "still paused", times: 3, facts: found(running, healthy)},
	{name: "not paused any more", needed: 1, before: unpause, facts: found(running, healthy)},
}
