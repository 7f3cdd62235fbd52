package explainer

import (
	"errors"
	"strings"
	"testing"
	"time"

	"kstatus.dev/explain"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// If the server became unreachable, that is the cause, and older causes are not.
func TestUnreachableServerIsTheCause(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	update := func(name string, stale bool) observe.Update {
		u := observe.Update{
			Target: observe.Target{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: "shop", Name: name},
			Result: status.Result{Status: status.InProgressStatus, Reason: "NotAvailable", Message: "1/2 available"}, Progress: observe.ProgressPending, Since: now.Add(-time.Minute),
		}
		if stale {
			u.StaleSince, u.Err = now.Add(-18*time.Second), errors.New("list deployments.apps in namespace shop: dial tcp 127.0.0.1:6443: connect: connection refused")
		}
		return u
	}
	rows := []struct {
		it    string
		unmet []observe.Update
		want  []string
	}{
		{"is told for all objects together", []observe.Update{update("a", true), update("b", true)},
			[]string{"the API server has given no usable answer for 18s: list deployments.apps in namespace shop: dial tcp 127.0.0.1:6443: connect: connection refused"}},
		{"is told besides what others wait for", []observe.Update{update("a", true), update("b", false)},
			[]string{"unknown; last message: 1/2 available", "the API server has given no usable answer for 18s"}},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			e := Explain(&explain.Facts{Now: now}, row.unmet)
			if len(e.Causes) != len(row.want) {
				t.Fatalf("have %d causes, want %d: %+v", len(e.Causes), len(row.want), e.Causes)
			}
			for i, want := range row.want {
				if !strings.HasPrefix(e.Causes[i].Text, want) {
					t.Errorf("have %q, want %q", e.Causes[i].Text, want)
				}
			}
			var text strings.Builder
			for _, line := range e.Lines(now) {
				text.WriteString(line.Text + "\n")
			}
			for _, u := range row.unmet {
				if !strings.Contains(text.String(), "/"+u.Target.Name) {
					t.Errorf("nothing is told of %s:\n%s", u.Target, text.String())
				}
			}
		})
	}
}
