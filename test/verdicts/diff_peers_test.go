package test

import (
	"fmt"
	"slices"
	"time"

	today "github.com/fluxcd/cli-utils/pkg/kstatus/status"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	sigsstatus "sigs.k8s.io/cli-utils/pkg/kstatus/status"
	old "sigs.k8s.io/kustomize/kstatus/status"

	"kstatus.dev/status"
)

// An answer contains the compared values: the words of a verdict, or the reason for its
// absence.
type answer struct {
	status, message string
	conditions      []string // type, status, reason and message in one
	err             string   // the returned error
	panicked        string   // the panic
}

func (a answer) String() string {
	switch {
	case a.panicked != "":
		return "panic: " + a.panicked
	case a.err != "":
		return "error: " + a.err
	}
	return fmt.Sprintf("%s %q %q", a.status, a.message, a.conditions)
}

func (a answer) same(b answer) bool {
	return a.status == b.status && a.message == b.message && slices.Equal(a.conditions, b.conditions) &&
		a.err == b.err && a.panicked == b.panicked
}

// A peer is a version of kstatus, with the profile that agrees with it.
type peer struct {
	name    string
	profile string
	ask     func(*unstructured.Unstructured) (answer, error)
}

// The peers. Version 0.0.2 is built with the present apimachinery.
var peers = []peer{
	{"fluxcd/cli-utils", "compat", func(u *unstructured.Unstructured) (a answer, err error) {
		r, err := today.Compute(u)
		if err != nil {
			return a, err
		}
		for _, c := range r.Conditions {
			a.conditions = append(a.conditions, fmt.Sprintf("%s=%s %s: %s", c.Type, c.Status, c.Reason, c.Message))
		}
		a.status, a.message = string(r.Status), r.Message
		return a, nil
	}},
	{"sigs.k8s.io/cli-utils", "compat", func(u *unstructured.Unstructured) (a answer, err error) {
		r, err := sigsstatus.Compute(u)
		if err != nil {
			return a, err
		}
		for _, c := range r.Conditions {
			a.conditions = append(a.conditions, fmt.Sprintf("%s=%s %s: %s", c.Type, c.Status, c.Reason, c.Message))
		}
		a.status, a.message = string(r.Status), r.Message
		return a, nil
	}},
	{"kustomize/kstatus v0.0.2", "compat-0.0.2", func(u *unstructured.Unstructured) (a answer, err error) {
		r, err := old.Compute(u)
		if err != nil {
			return a, err
		}
		for _, c := range r.Conditions {
			a.conditions = append(a.conditions, fmt.Sprintf("%s=%s %s: %s", c.Type, c.Status, c.Reason, c.Message))
		}
		a.status, a.message = string(r.Status), r.Message
		return a, nil
	}},
}

// theirs calls the peer and recovers from its panics.
func (p peer) theirs(obj map[string]any) (a answer) {
	defer func() {
		if r := recover(); r != nil {
			a = answer{panicked: fmt.Sprint(r)}
		}
	}()
	a, err := p.ask(&unstructured.Unstructured{Object: obj})
	if err != nil {
		return answer{err: err.Error()}
	}
	return a
}

// ours calls the profile. A panic ends the test.
func (p peer) ours(obj map[string]any) (a answer) {
	profile, err := status.ParseProfile(p.profile)
	if err != nil {
		return answer{err: err.Error()}
	}
	r, err := status.Evaluator{Profile: profile, Now: time.Now}.Compute(&unstructured.Unstructured{Object: obj})
	if err != nil {
		return answer{err: err.Error()}
	}
	a = answer{status: string(r.Status), message: r.Message}
	for _, c := range r.Conditions {
		a.conditions = append(a.conditions, fmt.Sprintf("%s=%s %s: %s", c.Type, c.Status, c.Reason, c.Message))
	}
	if r.Reason == "Malformed" && r.Status == status.UnknownStatus {
		a.status = "Malformed"
	}
	return a
}
