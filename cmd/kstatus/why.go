package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"kstatus.dev/explain"
	"kstatus.dev/kube/tree"
	"kstatus.dev/status"
)

// A whyFlags says what an explanation may rest on besides the objects; explain
// and wait share it.
type whyFlags struct {
	logs string
	tail int
}

// The values of --logs.
var logModes = []string{"failed", "none"}

func (f *whyFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.logs, "logs", "failed", "of which containers to read logs for explanations: "+strings.Join(logModes, ", "))
	flags.IntVar(&f.tail, "tail", 10, "how many of the last lines of a log to read")
	completeWords(cmd, "logs", logModes)
}

func (f *whyFlags) check() error {
	if err := oneOf("--logs", f.logs, logModes); err != nil {
		return err
	}
	const most = 1000
	if f.tail < 1 || f.tail > most {
		return usagef("--tail %d: want 1 to %d; --logs=none reads none", f.tail, most)
	}
	return nil
}

// collect reads from the clusters what explains objects.
func (f *whyFlags) collect(ctx context.Context, clusters []*connected, by criteria, about []verdict) (*explain.Facts, error) {
	all := &explain.Facts{Now: by.now}
	for _, c := range clusters {
		var ids []explain.ID
		var known []explain.Thing
		for _, v := range about {
			if v.ID.Cluster == c.name {
				ids = append(ids, explain.ID(v.ID))
				if v.thing != nil {
					known = append(known, *v.thing)
				}
			}
		}
		if len(ids) == 0 {
			continue
		}
		facts, err := f.reader(c, c.judge(by, detailObject)).Collect(ctx, ids, known...)
		if err != nil {
			return nil, err
		}
		all.Join(facts)
	}
	return all, nil
}

// reader returns what reads from a cluster what explains its objects.
func (f *whyFlags) reader(c *connected, j judge) tree.Reader {
	return tree.Reader{
		Config: c.config, Mapper: c.mapper, Cluster: c.name, Namespace: c.namespace,
		Teach: c.source().Teach,
		Judge: func(obj status.Object) (status.Result, []status.Read) {
			e, err := j.evaluator.Explain(obj)
			if err != nil {
				return status.Result{Status: status.UnknownStatus, Reason: "Malformed", Message: err.Error()}, nil
			}
			return e.Result, e.Reads
		},
		Logs: f.logs != "none", Tail: int64(f.tail),
	}
}
