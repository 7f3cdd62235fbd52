// Package explainer reads the facts for an explanation, and explains why a wait has not met its
// goals.
package explainer

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/explain"
	"kstatus.dev/kube/tree"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// Flags are the flags of explain and wait that set what an explanation reads in addition to the
// objects.
type Flags struct {
	Logs        string
	ShowSecrets bool // keep secrets in facts
	tail        int

	// RequestTimeout limits each request of an explanation; zero for the default.
	RequestTimeout time.Duration

	// Everywhere reads the events and logs of all namespaces, not only of the requested ones.
	Everywhere bool
}

// logModes are the values of --logs.
var logModes = []string{"failed", "none"}

// AddTo defines the flags.
func (f *Flags) AddTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.Logs, "logs", "failed", "Containers whose logs explanations read. One of: "+strings.Join(logModes, ", "))
	flags.IntVar(&f.tail, "tail", 10, "Number of the last lines of a log to read.")
	flags.BoolVar(&f.Everywhere, "cross-namespace", false, "Read events and logs in other namespaces too, if an object names objects there.")
	cli.CompleteWords(cmd, "logs", logModes)
}

// Check returns an error if a value is not allowed.
func (f *Flags) Check() error {
	if err := cli.CheckOneOf("--logs", f.Logs, logModes); err != nil {
		return err
	}
	const most = 1000
	if f.tail < 1 || f.tail > most {
		return exit.Usagef("--tail %d: want 1 to %d; --logs=none reads none", f.tail, most)
	}
	return nil
}

// A Scope is a cluster with objects to explain.
type Scope struct {
	Cluster *connection.Cluster
	Homes   map[observe.Target]string // the namespaces that the user requested the objects of sets in
}

// Collect reads the facts about objects of the clusters.
func (f *Flags) Collect(ctx context.Context, scopes []Scope, by output.Criteria, about []output.Verdict) (*explain.Facts, error) {
	all := &explain.Facts{Now: by.Now}
	for _, scope := range scopes {
		c := scope.Cluster
		var ids []status.ID
		var known []explain.ObjectFact
		for _, v := range about {
			if v.ID.Cluster == c.Name {
				ids = append(ids, v.ID)
				if v.ObjectFact != nil {
					known = append(known, *v.ObjectFact)
				}
			}
		}
		if len(ids) == 0 {
			continue
		}
		reader := f.Reader(c, c.Judge(by, output.DetailObject))
		reader.Namespaces = f.namespaces(scope.Homes, ids)
		facts, err := reader.Collect(ctx, ids, known...)
		if err != nil {
			return nil, err
		}
		all.Merge(facts)
	}
	return all, nil
}

// namespaces returns the namespaces that the user requested.
func (f *Flags) namespaces(homes map[observe.Target]string, ids []status.ID) []string {
	if f.Everywhere {
		return []string{metav1.NamespaceAll}
	}
	byID := make(map[status.ID]string, len(homes))
	for t, home := range homes {
		byID[t.ID()] = home
	}
	all := []string{}
	for _, id := range ids {
		if namespace := cmp.Or(byID[id], id.Namespace); namespace != "" {
			all = append(all, namespace)
		}
	}
	return all
}

// Reader returns a reader of the facts about objects of a cluster.
func (f *Flags) Reader(c *connection.Cluster, j output.Judge) tree.Reader {
	return tree.Reader{
		Config: c.Config, Mapper: c.Mapper, Cluster: c.Name, Namespace: c.Namespace,
		LoadSchemas: c.Client.LoadSchemas, LoadEvictions: c.Client.LoadEvictions,
		Explain: func(obj status.Object) (status.Result, []status.Read) {
			result, reads, err := j.Evaluator.Explain(obj)
			if err != nil {
				return status.Result{Status: status.UnknownStatus, Reason: "Malformed", Message: err.Error()}, nil
			}
			return *result, reads
		},
		Logs: f.Logs != "none", TailLines: int64(f.tail), KeepSecrets: f.ShowSecrets, RequestTimeout: f.RequestTimeout,
	}
}
