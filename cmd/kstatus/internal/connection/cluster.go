// Package connection connects to clusters like kubectl, and turns errors of servers into exit
// codes.
package connection

import (
	"context"
	"net/http"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/rest"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/internal/guard"
	"kstatus.dev/kube/celrule"
	"kstatus.dev/kube/sets"
	kubesource "kstatus.dev/kube/source"
)

// A Cluster is a connection to a cluster, for reading and judging its objects.
type Cluster struct {
	Name         string // the name of the cluster in targets, if several are used; otherwise empty
	Flags        *genericclioptions.ConfigFlags
	Config       *rest.Config
	Mapper       meta.RESTMapper
	Namespace    string // from the flag, otherwise from the context
	Context      string // the name of the context; empty inside a cluster
	Requests     *Requests
	Client       *kubesource.Client // caches the schemas of kinds
	Rules        *celrule.Set
	rules        []*celrule.Rule   // of rule files.
	readsData    bool              // a rule reads the data of ConfigMaps
	Notify       func(note string) // prints a note to standard error
	notes        printedNotes
	unknownTypes bool // a type was not served; later lookups call the server again
}

// tokenVariable is the environment variable with a value for --token that other users of the machine
// cannot read.
const tokenVariable = "KSTATUS_TOKEN"

// Connect reads the kubeconfig. It sends no request. Later requests end with ctx, or with the
// context that [Requests.UseContext] sets.
func Connect(ctx context.Context, env cli.Env, flags *genericclioptions.ConfigFlags) (*Cluster, error) {
	if token := env.Getenv(tokenVariable); token != "" && flags.BearerToken != nil && *flags.BearerToken == "" {
		*flags.BearerToken = token
	}
	flags.WithDiscoveryQPS(-1) // a limit would ignore the end of ctx
	life := newRequests(ctx)
	var silent *silence
	flags.WrapConfigFn = func(config *rest.Config) *rest.Config {
		config.Wrap(life.bindContext)
		if server, _, err := rest.DefaultServerUrlFor(config); err == nil { // otherwise requests are impossible
			if silent == nil {
				silent = newSilence(config.Timeout, server.Path)
			}
			config.Wrap(silent.refuse)
			config.Wrap(func(next http.RoundTripper) http.RoundTripper { return guard.Transport(server, next) })
		}
		return config
	}
	loader := flags.ToRawKubeConfigLoader()
	raw, unread := loader.RawConfig()
	if unread == nil {
		if err := checkContext(env, loader.ConfigAccess(), flags, raw); err != nil {
			return nil, err
		}
	}
	config, err := flags.ToRESTConfig()
	if err != nil {
		return nil, err
	}
	namespace, _, err := loader.Namespace()
	if err != nil {
		return nil, err
	}
	if problems := validation.IsDNS1123Label(namespace); len(problems) > 0 {
		return nil, exit.Usagef("-n %q: want the name of one namespace", namespace)
	}
	mapper, err := flags.ToRESTMapper()
	if err != nil {
		return nil, err
	}
	c := &Cluster{
		Flags: flags, Config: config, Mapper: mapper, Namespace: namespace, Requests: life, Rules: &celrule.Set{},
		Notify: cli.NotePrinter(env.Err),
	}
	if c.Client, err = kubesource.NewClient(config, kubesource.Options{Mapper: mapper, Rules: rulesOf{c}}); err != nil {
		return nil, err
	}
	if unread == nil {
		c.Context = raw.CurrentContext
	}
	if flags.Context != nil && *flags.Context != "" {
		c.Context = *flags.Context
	}
	return c, nil
}

// Source returns the cluster as a source of events.
func (c *Cluster) Source() *kubesource.Cluster {
	return &kubesource.Cluster{Client: c.Client, Namespace: c.Namespace, ReadConfigMapData: c.readsData, OnNote: c.Notify}
}

// Sets returns the cluster as package sets needs it.
func (c *Cluster) Sets() *sets.Cluster {
	return &sets.Cluster{Config: c.Config, Mapper: c.Mapper, Namespace: c.Namespace}
}

// Judge returns a judge for the objects of the cluster.
func (c *Cluster) Judge(by output.Criteria, d output.Detail) output.Judge {
	j := by.Judge(d).With(c.Client.Evaluator())
	j.Cluster = c.Name
	return j
}
