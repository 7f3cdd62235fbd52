package provider

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/clusterapi/contract"
	"kstatus.dev/test/clusterapi/managers"
	"kstatus.dev/test/clusterapi/naive"
)

// shelfObject is an object of the provider, as users write it.
func shelfObject(kind string, spec map[string]any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "infrastructure.cluster.x-k8s.io/v1beta1", "kind": kind, "spec": spec,
	}}
}

// contractProvider is the description of the example provider for package contract.
func (w *fixture) contractProvider() contract.Provider {
	return contract.Provider{
		Namespace:            w.Namespace,
		InfraCluster:         shelfObject("ShelfCluster", map[string]any{}),
		InfraMachine:         shelfObject("ShelfMachine", map[string]any{"size": "small"}),
		InfraMachineTemplate: shelfObject("ShelfMachineTemplate", map[string]any{"template": map[string]any{"spec": map[string]any{"size": "small"}}}),
		TemplatePatch:        `{"spec": {"template": {"spec": {"size": "large"}}}}`,
		ClusterPatch:         `{"spec": {"tags": {"edited": "yes"}}}`,
		MachinePatch:         `{"spec": {"tags": {"edited": "yes"}}}`,
		ListExternal:         w.cloudResources,
		Timeout:              patience,
		QuietPeriod:          time.Second,
	}
}

// cloudResources returns the cloud resources of an object.
func (w *fixture) cloudResources(_ context.Context, obj *unstructured.Unstructured) ([]string, error) {
	kind := map[string]string{"ShelfCluster": "loadbalancers", "ShelfMachine": "servers"}[obj.GetKind()]
	return slices.DeleteFunc(w.cloud.Resources(), func(line string) bool {
		return !strings.HasPrefix(line, kind+" "+obj.GetNamespace()+"/"+obj.GetName()+" ")
	}), nil
}

// The example provider satisfies the contract in every scenario.
func TestExampleKeepsTheContract(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.runProvider(w.Cluster.Config(), nil)
	report, err := contract.Run(t.Context(), w.Cluster.Config(), w.contractProvider())
	if err != nil {
		t.Error(err)
	}
	for _, f := range report.Findings {
		t.Error(f)
	}
	for _, p := range report.Results {
		for _, measured := range p.Measured {
			t.Logf("scenario %s: %s", p.Scenario, measured)
		}
		if p.Skipped != "" || len(p.Notes) > 0 {
			t.Errorf("scenario %s: %s%v", p.Scenario, p.Skipped, p.Notes)
		}
	}
}

// plainProvider is the description of the naive provider for package contract. Its objects have
// the annotations.
func (w *fixture) plainProvider(annotations map[string]string) contract.Provider {
	plain := func(kind string) *unstructured.Unstructured {
		obj := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"size": "small"}}}
		obj.SetGroupVersionKind(naive.Kind(kind))
		obj.SetAnnotations(annotations)
		return obj
	}
	template := plain("PlainMachineTemplate")
	template.Object["spec"] = map[string]any{"template": map[string]any{"spec": map[string]any{"size": "small"}}}
	p := w.contractProvider()
	p.InfraCluster, p.InfraMachine, p.InfraMachineTemplate = plain("PlainCluster"), plain("PlainMachine"), template
	p.ListExternal = func(_ context.Context, obj *unstructured.Unstructured) ([]string, error) {
		return slices.DeleteFunc(w.cloud.Resources(), func(line string) bool {
			token, name := strings.Fields(line)[1], obj.GetKind()+"/"+obj.GetNamespace()+"/"+obj.GetName()
			return token != name && token[:max(0, strings.LastIndex(token, "-"))] != name
		}), nil
	}
	p.Timeout = 10 * time.Second // a scenario waits this long for a missing change
	// A mistake is found only if it is made within this time, which a busy machine may need.
	p.QuietPeriod = 10 * time.Second
	return p
}

// The scenarios report the mistakes of the naive provider.
func TestNaiveProviderBreaksTheContract(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.awaitCollector()
	w.runNaiveProvider(w.Cluster.Config())
	report, err := contract.Run(t.Context(), w.Cluster.Config(), w.plainProvider(nil))
	if err != nil {
		t.Error(err)
	}
	var found []string
	for _, f := range report.Findings {
		t.Log(f)
		if f.Rule == "C-IM-11" {
			continue // this mistake is a race, and may not show
		}
		found = append(found, fmt.Sprintf("%-9s %-20s %-20s %s\n", f.Rule, f.Scenario, f.Role, f.Severity))
	}
	slices.Sort(found)
	golden(t, "testdata/naive-contract.txt", strings.Join(slices.Compact(found), ""))
}

// Each of these mistakes alone is a finding of the scenarios about moves.
func TestMistakesThatPreventMoves(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ mistake, scenario, rule, evidence string }{
		{"blocks-moves-for-ever", "pause-acknowledged", "C-ALL-8", "the annotation clusterctl.cluster.x-k8s.io/block-move remains"},
		{"silent-about-the-pause", "pause-acknowledged", "C-ALL-8", "is not acknowledged within"},
		{"keeps-its-acknowledgement", "pause-before-create", "C-ALL-8", "it still reported Paused=True when the provider wrote: finalizers"},
		{"identity-in-the-uid", "move", "C-ALL-10", "after its move, its external resources changed"},
		{"identity-in-the-status", "move", "C-ALL-10", "after its move, its external resources changed"},
	} {
		t.Run(test.mistake, func(t *testing.T) {
			t.Parallel()
			w := newFixture(t)
			if test.scenario == "move" {
				w.awaitCollector()
			}
			w.runNaiveProvider(w.Cluster.Config())
			p := w.plainProvider(map[string]string{naive.MistakesAnnotation: test.mistake})
			p.Scenarios = []string{test.scenario}
			report, err := contract.Run(t.Context(), w.Cluster.Config(), p)
			if err != nil {
				t.Error(err)
			}
			found := slices.ContainsFunc(report.Findings, func(f contract.Finding) bool {
				return f.Rule == test.rule && strings.Contains(f.Evidence, test.evidence)
			})
			if !found {
				t.Errorf("want %s: %s; found %v", test.rule, test.evidence, report.Findings)
			}
		})
	}
}

// A provider acknowledges a pause although a request to its cloud, which an earlier pass began, is
// not complete. The cloud gets the request after the scenario has seen the acknowledgement.
func TestEarlyAcknowledgementIsFound(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	gate := &managers.Gate{}
	held := gate.Requests(func(req *http.Request) bool {
		return req.Method == http.MethodPut && strings.Contains(req.URL.Path, "/servers/PlainCluster/")
	})
	w.through = gate.Wrap(http.DefaultTransport)
	w.runNaiveProvider(w.Cluster.Config())
	p := w.plainProvider(map[string]string{naive.MistakesAnnotation: "works-in-the-background"})
	p.Scenarios = []string{"pause-acknowledged"}
	list, release := p.ListExternal, sync.OnceFunc(held.Release)
	t.Cleanup(release)
	p.ListExternal = func(ctx context.Context, obj *unstructured.Unstructured) (found []string, err error) {
		if obj.GetKind() != "PlainCluster" {
			return list(ctx, obj)
		}
		select {
		case <-held.Released():
			err = managers.Until(ctx, func() bool { found, _ = list(ctx, obj); return len(found) > 0 })
		default:
			found, err = list(ctx, obj)
			release()
		}
		return found, err
	}
	report, err := contract.Run(t.Context(), w.Cluster.Config(), p)
	if err != nil {
		t.Error(err)
	}
	const want = "it acknowledged the pause during the creation of the InfraCluster, and then its external resources changed from [] to"
	if !slices.ContainsFunc(report.Findings, func(f contract.Finding) bool { return strings.Contains(f.Evidence, want) }) {
		t.Errorf("want %s; found %v", want, report.Findings)
	}
}
