package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"kstatus.dev/author/audit"
	"kstatus.dev/author/severity"
	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/internal/surrogate"
)

// auditRules are the flags that select the rules, and set how strictly they are checked.
type auditRules struct {
	only, skip         []string
	severities         []string
	budgets            []string
	suppress, declared string
}

func (f *auditRules) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVar(&f.only, "only", nil, "Use only these rules, by ID or name.")
	flags.StringSliceVar(&f.skip, "skip", nil, "Leave out these rules, by ID or name.")
	flags.StringSliceVar(&f.severities, "severity", nil, "Severity of a rule as `RULE=SEVERITY`, with info, warning or error. Only errors change the exit code.")
	flags.StringArrayVar(&f.budgets, "budget", nil, "Limit for each object as `MEASURE=LIMIT`, with "+string(audit.MeasureTimeToFirstStatus)+", "+string(audit.MeasureTimeToReady)+", "+
		string(audit.MeasureWritesPerConvergence)+" or "+string(audit.MeasureWritesPerIdleHour)+". More is an error. Can be repeated.")
	flags.StringVar(&f.suppress, "suppress", "", "`FILE` in YAML or JSON with accepted findings: a list of rule, kind, namespace, name, path, reason, until.")
	flags.StringVar(&f.declared, "declare", "", "`FILE` in YAML or JSON that declares the conditions of kinds.")
	for _, name := range []string{"suppress", "declare"} {
		// The only possible error is a flag that does not exist: it is defined above.
		_ = cmd.MarkFlagFilename(name, "yaml", "yml", "json")
	}
	cli.CompleteWords(cmd, "only", ruleNames())
	cli.CompleteWords(cmd, "skip", ruleNames())
}

// options returns the options for the flags.
func (f *auditRules) options() (o audit.Options, err error) {
	o.Severities = map[string]severity.Level{}
	for _, text := range f.severities {
		name, word, _ := strings.Cut(text, "=")
		if o.Severities[name], err = severity.Parse(word); err != nil {
			return o, exit.Usagef("--severity %s: %w", text, err)
		}
	}
	for _, name := range f.skip {
		o.Severities[name] = severity.Off
	}
	o.Budgets = map[audit.Measure]float64{}
	for _, text := range f.budgets {
		measure, most, err := parseBudget(text)
		if err != nil {
			return o, exit.Usagef("--budget: %w", err)
		}
		o.Budgets[measure] = most
	}
	if len(f.only) > 0 {
		if o.Rules, err = onlyRules(f.only); err != nil {
			return o, err
		}
	}
	if f.suppress != "" {
		if err := readYAML(f.suppress, &o.Suppress); err != nil {
			return o, exit.Usagef("--suppress %s: %w", f.suppress, err)
		}
	}
	if f.declared != "" {
		data, err := jsonOf(f.declared)
		if err == nil {
			o.Declarations, err = audit.ParseDeclarations(data)
		}
		if err != nil {
			return o, exit.Usagef("--declare %s: %w", f.declared, err)
		}
	}
	if err := (audit.Options{Severities: o.Severities, Suppress: o.Suppress}).Check(); err != nil {
		return o, exit.Usage(err)
	}
	return o, nil
}

// onlyRules returns the rules with the given names.
func onlyRules(names []string) (all []*audit.Rule, err error) {
	wanted := map[string]bool{}
	for _, name := range names {
		wanted[name] = true
	}
	for _, r := range audit.Rules {
		if wanted[r.ID] || wanted[r.Name] {
			all = append(all, r)
			delete(wanted, r.ID)
			delete(wanted, r.Name)
		}
	}
	for _, name := range names {
		if wanted[name] {
			return nil, exit.Usagef("--only %q: want a rule such as W-12", name)
		}
	}
	return all, nil
}

// jsonOf returns the contents of a YAML or JSON file as JSON.
func jsonOf(file string) ([]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if err := manifest.CheckAliases(text); err != nil {
		return nil, err
	}
	return yaml.YAMLToJSONStrict(surrogate.ForYAML(text))
}

// readYAML decodes a YAML or JSON file. An unknown field is an error.
func readYAML(file string, into any) error {
	data, err := jsonOf(file)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("want a list: %w", err)
	}
	return nil
}
