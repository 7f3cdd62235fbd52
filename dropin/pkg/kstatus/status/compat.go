package status

import (
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	engine "kstatus.dev/status"
)

// judgeCompat returns the status, the message and the error of cli-utils, from an evaluator with a
// compat profile. Its verdict on a malformed object is Unknown. Here it is the first error of the
// functions that read the fields as cli-utils does.
func judgeCompat(e engine.Evaluator, u *unstructured.Unstructured, read ...func(*unstructured.Unstructured) error) (*Result, time.Duration, error) {
	found, err := e.Compute(u)
	if err != nil {
		return nil, 0, err
	}
	if found.Status != engine.UnknownStatus {
		return convert(found), found.Recheck, nil
	}
	for _, f := range append(read, readConditions, readPod) {
		if err := f(u); err != nil {
			return nil, 0, err
		}
	}
	return nil, 0, errors.New(found.Message) // cli-utils panics
}

// readDeletion returns the error of cli-utils for a deletionTimestamp that is not a string.
func readDeletion(u *unstructured.Unstructured) error {
	if _, _, err := unstructured.NestedString(u.Object, "metadata", "deletionTimestamp"); err != nil {
		return fmt.Errorf("looking up metadata.deletionTimestamp from resource: %w", err)
	}
	return nil
}

// readGenerations returns the error of cli-utils for a generation that is not an int64.
func readGenerations(u *unstructured.Unstructured) error {
	_, found, err := unstructured.NestedInt64(u.Object, "metadata", "generation")
	if err != nil {
		return fmt.Errorf("looking up metadata.generation from resource: %w", err)
	}
	if !found {
		return nil
	}
	if _, _, err := unstructured.NestedInt64(u.Object, "status", "observedGeneration"); err != nil {
		return fmt.Errorf("looking up status.observedGeneration from resource: %w", err)
	}
	return nil
}

// readConditions returns the error of cli-utils for malformed conditions.
func readConditions(u *unstructured.Unstructured) error {
	_, err := GetObjectWithConditions(u.Object)
	return err
}

// readPod returns the error of cli-utils for a malformed Pod.
func readPod(u *unstructured.Unstructured) error {
	switch phase := GetStringField(u.Object, ".status.phase", ""); phase {
	case "", "Succeeded", "Failed", "Pending":
		return nil
	case "Running":
		_, _, err := unstructured.NestedSlice(u.Object, "status", "containerStatuses")
		return err
	default:
		return fmt.Errorf("unknown phase %s", phase)
	}
}
