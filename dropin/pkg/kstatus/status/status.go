// Package status computes the status of an object.
package status

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// A Status is the verdict on an object in one word.
type Status string

// The statuses.
const (
	InProgressStatus  Status = "InProgress"
	FailedStatus      Status = "Failed"
	CurrentStatus     Status = "Current"
	TerminatingStatus Status = "Terminating"
	NotFoundStatus    Status = "NotFound"
	UnknownStatus     Status = "Unknown"
)

// Statuses are the statuses that [FromStringOrDie] accepts. As in cli-utils, NotFound is not one
// of them.
var Statuses = []Status{InProgressStatus, FailedStatus, CurrentStatus, TerminatingStatus, UnknownStatus}

// String returns the word itself.
func (s Status) String() string { return string(s) }

// FromStringOrDie returns the status with that name. It panics if [Statuses] does not have it.
func FromStringOrDie(text string) Status {
	if s := Status(text); slices.Contains(Statuses, s) {
		return s
	}
	panic(fmt.Errorf("string has invalid status: %s", text))
}

// A ConditionType is the type of a standard condition.
type ConditionType string

// The standard conditions. A missing one counts as False.
const (
	ConditionStalled     ConditionType = "Stalled"
	ConditionReconciling ConditionType = "Reconciling"
)

// String returns the word itself.
func (c ConditionType) String() string { return string(c) }

// ScheduleWindow is how long a Pod may wait for a node before it counts as failed.
const ScheduleWindow = 15 * time.Second

// A Result is the verdict on an object.
type Result struct {
	Status     Status
	Message    string
	Conditions []Condition // Reconciling or Stalled, if the status implies one of them
}

// A Condition is a standard condition.
type Condition struct {
	Type    ConditionType          `json:"type,omitempty"`
	Status  corev1.ConditionStatus `json:"status,omitempty"`
	Reason  string                 `json:"reason,omitempty"`
	Message string                 `json:"message,omitempty"`
}

// A GetConditionsFn computes the status of objects of one kind.
type GetConditionsFn func(*unstructured.Unstructured) (*Result, error)
