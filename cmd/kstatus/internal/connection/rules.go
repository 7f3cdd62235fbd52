package connection

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/internal/typo"
	"kstatus.dev/kube/celrule"
	"kstatus.dev/status"
)

// RuleFlags are the flags for the rules that judge objects.
type RuleFlags struct {
	Files   []string
	Objects bool // use rules in the annotations of objects
}

// AddTo defines the flags.
func (r *RuleFlags) AddTo(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&r.Files, "rules", nil, "File with rules for kinds in CEL (docs/guides/write-rules.md). Can be repeated.")
	cmd.Flags().BoolVar(&r.Objects, "object-rules", false, "Use the rules in the annotation "+celrule.Annotation+" of objects. Then users who may change an object decide its status.")
	// The only possible error is a flag that does not exist: it is defined above.
	_ = cmd.MarkFlagFilename("rules")
}

// Read reads the rule files. If a file has an error, Read returns no rules, and an error with
// all mistakes. profile is the profile for the objects.
func (r *RuleFlags) Read(profile status.Profile) (output.Rules, error) {
	if r.Objects && strings.HasPrefix(profile.Name(), "compat") {
		return output.Rules{}, exit.Usagef("--object-rules cannot be used with --profile %s, whose verdicts objects cannot change", profile.Name())
	}
	var all []*celrule.Rule
	var errs []error
	for _, name := range r.Files {
		text, err := os.ReadFile(name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		rules, err := celrule.Parse(name, text)
		all, errs = append(all, rules...), append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return output.Rules{}, fmt.Errorf("--rules: %w", err)
	}
	if _, err := celrule.NewSet(all...); err != nil {
		return output.Rules{}, fmt.Errorf("--rules: %w", err)
	}
	return output.Rules{Files: all, Objects: r.Objects}, nil
}

// UseRules makes the clusters use these rules, and each cluster the rules in the definitions of
// its kinds.
func UseRules(rules output.Rules, clusters ...*Cluster) error {
	for _, c := range clusters {
		set, err := rules.NewSet()
		if err != nil {
			return err
		}
		c.Rules, c.rules = set, rules.Files
		c.readsData = slices.ContainsFunc(rules.Files, func(r *celrule.Rule) bool { return r.Kind == status.Kind{Kind: "ConfigMap"} })
	}
	return nil
}

// rulesOf holds the rules of a cluster. The cluster may get its rules after Connect.
type rulesOf struct{ cluster *Cluster }

// AddDefinition adds the rule of a definition.
func (r rulesOf) AddDefinition(definition status.Object) { r.cluster.Rules.AddDefinition(definition) }

// SelectRule returns the rule for an object.
func (r rulesOf) SelectRule(kind status.Kind, obj status.Object, builtin status.KindRule) status.KindRule {
	return r.cluster.Rules.SelectRule(kind, obj, builtin)
}

// NoteUnmatchedRules prints a note for each rule about a kind that the server does not serve, if
// a served kind has a similar name. Such a rule has no effect on objects of the served kind.
func (c *Cluster) NoteUnmatchedRules() {
	for _, r := range c.rules {
		_, err := c.Mapper.RESTMapping(schema.GroupKind(r.Kind))
		if !meta.IsNoMatchError(err) {
			continue
		}
		for _, t := range c.ServedTypes() {
			served := status.Kind{Group: t.Group, Kind: t.Kind}
			if typo.Is(r.Kind.String(), served.String()) {
				c.Note(fmt.Sprintf("%s: no object is judged by this rule: the server has no kind %s; did you mean %s?", r.Source, r.Kind, served))
				break
			}
		}
	}
}
