package main

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"kstatus.dev/kube/celrule"
	"kstatus.dev/status"
)

// A ruleFlags says by which rules of users objects are judged; get and wait share it.
type ruleFlags struct {
	files []string
}

func (r *ruleFlags) addTo(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&r.files, "rules", nil, "file with rules for kinds, in CEL, as docs/rules-by-users.md tells; repeatable")
	// An error would mean that the flag does not exist, just above.
	_ = cmd.MarkFlagFilename("rules")
}

// read reads the files. All that is wrong with them is in the error: nothing is
// judged by half of the rules.
func (r *ruleFlags) read() ([]*celrule.Rule, error) {
	var all []*celrule.Rule
	var errs []error
	for _, name := range r.files {
		text, err := os.ReadFile(name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		rules, err := celrule.Read(name, text)
		all, errs = append(all, rules...), append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("--rules: %w", err)
	}
	if _, err := celrule.NewSet(all...); err != nil {
		return nil, fmt.Errorf("--rules: %w", err)
	}
	return all, nil
}

// judgeBy has the clusters judge by rules of files, and each by what the
// definitions of its kinds carry.
func judgeBy(rules []*celrule.Rule, clusters ...*connected) error {
	for _, c := range clusters {
		set, err := celrule.NewSet(rules...)
		if err != nil {
			return err
		}
		c.rules = set
		c.data = slices.ContainsFunc(rules, func(r *celrule.Rule) bool { return r.Kind == status.Kind{Kind: "ConfigMap"} })
	}
	return nil
}

// learn takes in what a definition promises, and the rule that it carries.
func (c *connected) learn(definition status.Object) {
	c.promises.Learn(definition)
	c.rules.Learn(definition)
}

// chosen returns which rules judge the objects of each of the clusters.
func chosen(clusters []*connected) func(cluster string) status.Choice {
	return func(cluster string) status.Choice {
		for _, c := range clusters {
			if c.name == cluster {
				return c.rules.Choose
			}
		}
		return nil
	}
}
