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

	"kstatus.dev/severity"
)

// A Provider is what there is to know of a provider of infrastructure. Its objects are as users
// write them, without a namespace, an owner or the label of a Cluster; their names are replaced.
type Provider struct {
	// InfraCluster is needed: machines need one as well.
	InfraCluster *unstructured.Unstructured
	// InfraMachine is left out if there is none.
	InfraMachine *unstructured.Unstructured
	// InfraMachineTemplate is left out if there is none.
	InfraMachineTemplate *unstructured.Unstructured
	// TemplateEdit is a merge patch that makes another machine of the template. Without it,
	// nothing is said of changes of templates.
	TemplatePatch string
	// ClusterEdit and MachineEdit are merge patches of what users may change. Without them,
	// objects that are paused are told apart by their labels only.
	ClusterPatch, MachinePatch string
	// Also are other objects that these need, such as credentials. They are made first.
	ExtraObjects []*unstructured.Unstructured

	// Outside says what exists outside of the cluster for an object: servers, load balancers, one
	// string each. Without it, nothing is said of what is outside.
	ListExternal func(ctx context.Context, obj *unstructured.Unstructured) ([]string, error)

	// Namespace is where everything is made; the provider has to look there. Empty means a new
	// one, which is deleted at the end.
	Namespace string
	// Version is the version of Kubernetes that Machines ask for; empty means v1.34.0.
	KubernetesVersion string
	// Patience is how long the provider may take for anything; zero means two minutes.
	Timeout time.Duration
	// Quiet is how long it is watched where it has to do nothing; zero means three seconds. It
	// should be longer than the provider's shortest poll.
	QuietPeriod time.Duration
	// Only names the scenarios to play; nil means all.
	Scenarios []string
}

// A Finding is a rule of the contract that a provider has been seen to break.
type Finding struct {
	Rule     string         `json:"rule"` // such as C-ALL-6
	Severity severity.Level `json:"severity"`
	Scenario string         `json:"scenario"`
	Role     string         `json:"role"`   // InfraCluster, InfraMachine or InfraMachineTemplate
	Object   string         `json:"object"` // its kind and name
	Evidence string         `json:"evidence"`
}

func (f Finding) String() string {
	return fmt.Sprintf("%s: %s: %s: %s %s: %s", f.Severity, f.Rule, f.Scenario, f.Role, f.Object, f.Evidence)
}

// A ScenarioResult scenario is one that Run has played, or why it could not.
type ScenarioResult struct {
	Scenario string   `json:"scenario"`
	Rules    []string `json:"rules"`
	Skipped  string   `json:"skipped,omitempty"` // why there was nothing to play it with
	Notes    []string `json:"notes,omitempty"`   // what could not be looked at
}

// A Report is all that Run has to say, in the order of the scenarios.
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

// check says what Run cannot do without.
func (p Provider) check() error {
	if p.InfraCluster == nil || p.InfraCluster.GetKind() == "" {
		return errors.New("contract: InfraCluster: want an object with a kind, have none")
	}
	for _, name := range p.Scenarios {
		if !slices.ContainsFunc(Scenarios, func(s *Scenario) bool { return s.Name == name }) {
			return fmt.Errorf("contract: there is no scenario %q", name)
		}
	}
	return nil
}

// Run plays all scenarios, side by side, each with objects of its own, and deletes these
// afterwards. What the provider does wrong is in the report; an error says why a scenario could not
// be played to its end.
func Run(ctx context.Context, config *rest.Config, p Provider) (*Report, error) {
	p = p.withDefaults()
	if err := p.check(); err != nil {
		return nil, err
	}
	stage, err := newEnvironment(ctx, config, p)
	if err != nil {
		return nil, err
	}
	report, err := stage.play(ctx)
	return report, errors.Join(err, stage.close(ctx))
}
