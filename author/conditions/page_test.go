package conditions_test

import (
	"os"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/author/conditions"
	"kstatus.dev/author/conditions/wellknown"
)

// The block of docs/guides/controllers.md about conditions of other objects.
var clusterConditions = conditions.MustSet(
	conditions.Summary(wellknown.TypeReady, "VolumeReady", "MachinesReady"),
	conditions.Positive("VolumeReady"),
	conditions.Positive("MachinesReady"),
)

func setFromOthers(pass *conditions.Pass, volume *unstructured.Unstructured, machines []*Server) {
	pass.Set(conditions.Mirror(volume, conditions.Mapping{From: "Ready", To: "VolumeReady"}))
	pass.Set(conditions.Aggregate(machines, conditions.Mapping{From: "Ready", To: "MachinesReady"}))
}

// The calls on the page work with the declaration on the page.
func TestConditionsOfOtherObjects(t *testing.T) {
	ready := metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Up"}
	volume := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "example.com/v1", "kind": "Volume", "metadata": map[string]any{"name": "v"},
		"status": map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": "True", "reason": "Up"}}},
	}}
	machine, cluster := newServer(), newServer()
	machine.Status.Conditions = []metav1.Condition{ready}
	pass, err := clusterConditions.Begin(cluster)
	if err != nil {
		t.Fatal(err)
	}
	setFromOthers(pass, volume, []*Server{machine})
	if _, err := pass.CommitInMemory(); err != nil {
		t.Error(err)
	}
	for i, typ := range []string{"Ready", "VolumeReady", "MachinesReady"} {
		if c := cluster.Status.Conditions[i]; c.Type != typ || c.Status != metav1.ConditionTrue {
			t.Errorf("have %+v, want %s True", c, typ)
		}
	}
}

// The page has the code of this file.
func TestPageHasTheTestedCode(t *testing.T) {
	page, err := os.ReadFile("../../docs/guides/controllers.md")
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile("page_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "## Use conditions of other objects\n")
	section, _, _ = strings.Cut(section, "\n## ")
	found := 0
	for line := range strings.Lines(section) {
		line = strings.TrimSpace(line)
		if !strings.Contains(line, "conditions.") || strings.HasPrefix(line, "<!--") {
			continue
		}
		if found++; !strings.Contains(string(own), line) {
			t.Errorf("not in page_test.go: %s", line)
		}
	}
	if found != 6 {
		t.Errorf("the section has %d lines of code, want 6", found)
	}
}
