package contract

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"

	"kstatus.dev/author/severity"
)

// A Provider is an infrastructure provider to test. Its objects are as users write them,
// without a namespace, an owner or the label of a Cluster. Run replaces their names.
type Provider struct {
	// InfraCluster is required, since machines need a cluster.
	InfraCluster *unstructured.Unstructured
	// InfraMachine is optional.
	InfraMachine *unstructured.Unstructured
	// InfraMachineTemplate is optional.
	InfraMachineTemplate *unstructured.Unstructured
	// TemplatePatch is a merge patch that changes the machines of the template. Without it,
	// changes of templates are not tested.
	TemplatePatch string
	// ClusterPatch and MachinePatch are merge patches of fields that users may change. Without
	// them, the tests of paused objects change labels only.
	ClusterPatch, MachinePatch string
	// ExtraObjects are other objects that the provider's objects need, such as
	// credentials. They are created first.
	ExtraObjects []*unstructured.Unstructured

	// ListExternal returns the external resources of an object, such as servers
	// and load balancers, one string each. If it is nil, external resources are
	// not tested.
	ListExternal func(ctx context.Context, obj *unstructured.Unstructured) ([]string, error)

	// Namespace is the namespace of all objects; the provider must watch it. Empty means a new
	// namespace, which is deleted at the end.
	Namespace string
	// KubernetesVersion is the version of Machines. Empty means v1.34.0.
	KubernetesVersion string
	// Timeout limits how long the provider may take for each step. Zero means two minutes.
	Timeout time.Duration
	// QuietPeriod is how long the provider is observed where it must do nothing. It should be
	// longer than the shortest poll interval of the provider. Zero means three seconds.
	QuietPeriod time.Duration
	// Scenarios names the scenarios to run. Nil means all.
	Scenarios []string
}

// A Finding is an observed violation of a rule of the contract.
type Finding struct {
	Rule     string         `json:"rule"` // such as C-ALL-6
	Severity severity.Level `json:"severity"`
	Scenario string         `json:"scenario"`
	Role     string         `json:"role"`   // InfraCluster, InfraMachine or InfraMachineTemplate
	Object   string         `json:"object"` // kind and name
	Evidence string         `json:"evidence"`
}

// String returns the finding as one line of text.
func (f Finding) String() string {
	return fmt.Sprintf("%s: %s: %s: %s %s: %s", f.Severity, f.Rule, f.Scenario, f.Role, f.Object, f.Evidence)
}

// A ScenarioResult is the result of one scenario.
type ScenarioResult struct {
	Scenario string   `json:"scenario"`
	Rules    []string `json:"rules"`
	Skipped  string   `json:"skipped,omitempty"`  // why the scenario could not run; empty if it ran
	Notes    []string `json:"notes,omitempty"`    // what could not be checked
	Measured []string `json:"measured,omitempty"` // the times that the scenario has measured
}

// A Report is the result of Run, in the order of [Scenarios].
type Report struct {
	Results  []ScenarioResult `json:"played"`
	Findings []Finding        `json:"findings"`
}

func (p Provider) withDefaults() Provider {
	p.KubernetesVersion = cmp.Or(p.KubernetesVersion, "v1.34.0")
	p.Timeout = cmp.Or(p.Timeout, 2*time.Minute)
	p.QuietPeriod = cmp.Or(p.QuietPeriod, 3*time.Second)
	return p
}

// check returns an error if Run cannot start.
func (p Provider) check() error {
	if p.InfraCluster == nil || p.InfraCluster.GetKind() == "" {
		return errors.New("contract: InfraCluster: want an object with a kind, have none")
	}
	for _, name := range p.Scenarios {
		if !slices.ContainsFunc(Scenarios, func(s *Scenario) bool { return s.Name == name }) {
			return fmt.Errorf("contract: unknown scenario %q", name)
		}
	}
	return nil
}

// Run runs all scenarios concurrently, each with objects of its own, and
// deletes these afterwards. The report lists violations by the provider as
// findings. Run returns an error for each scenario that it cannot complete, and
// a report of the others.
func Run(ctx context.Context, config *rest.Config, p Provider) (*Report, error) {
	p = p.withDefaults()
	if err := p.check(); err != nil {
		return nil, err
	}
	env, err := newEnvironment(ctx, config, p)
	if err != nil {
		return nil, err
	}
	report, err := env.run(ctx)
	return report, errors.Join(err, env.close(ctx))
}
