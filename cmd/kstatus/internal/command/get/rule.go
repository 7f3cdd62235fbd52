package get

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/status"
)

// An apiKind is a kind with its names and a version. The version is empty if no schema is known.
type apiKind struct {
	status.Kind
	plural, version string
}

// guessKind returns a kind with a plural by the usual rule.
func guessKind(kind status.Kind) apiKind {
	plural, _ := meta.UnsafeGuessKindToResource(schema.GroupVersionKind{Group: kind.Group, Kind: kind.Kind})
	return apiKind{Kind: kind, plural: plural.Resource}
}

// isCalled reports whether word is a name of k: the kind, KIND.GROUP, or the plural with or
// without the group.
func (k apiKind) isCalled(word string) bool {
	name, group, grouped := strings.Cut(word, ".")
	return (!grouped || group == k.Group) && (strings.EqualFold(name, k.Kind.Kind) || strings.EqualFold(name, k.plural))
}

// explainRule prints how a kind is judged.
func (g *command) explainRule(ctx context.Context, args []string, by output.Criteria) error {
	switch {
	case len(args) > 0 || len(g.Selection.Files) > 0 || g.Selection.Kustomize != "":
		return exit.Usagef("--explain-rule %s cannot be used with objects", g.ruleArg)
	case g.output != "table":
		return exit.Usagef("--explain-rule %s cannot be used with -o", g.ruleArg)
	case len(g.Selection.Contexts) > 0:
		return exit.Usagef("--explain-rule %s cannot be used with --contexts; --context names one cluster", g.ruleArg)
	}
	if err := g.CheckOrigin(); err != nil {
		return err
	}
	x := ruleText{evaluator: by.Evaluator}
	var err error
	if x.rules, err = by.Rules.NewSet(); err != nil {
		return err
	}
	kinds, err := g.findKinds(ctx, &x, by.Rules)
	if err != nil {
		return err
	}
	for i, kind := range kinds {
		if i > 0 {
			fmt.Fprintln(g.Env.Out)
		}
		if _, err := fmt.Fprint(g.Env.Out, x.explain(kind)); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	return nil
}

// findKinds returns the kinds that the word may name: the kind that the cluster resolves it to,
// otherwise all known kinds with that name.
func (g *command) findKinds(ctx context.Context, x *ruleText, rules output.Rules) ([]apiKind, error) {
	var known []apiKind
	var fromCluster error // why the cluster could not resolve the word
	if g.Local {
		var unread int
		x.evaluator.Expect, unread = g.Expectations(ctx, nil, func(definition status.Object) {
			x.rules.AddDefinition(definition)
			known = append(known, kindOfDefinition(definition.UnstructuredContent()))
		})
		if unread > 0 {
			return nil, exit.With(exit.Uncertain)
		}
	} else {
		served, err := g.servedKind(ctx, x, rules)
		if err == nil {
			return []apiKind{served}, nil
		}
		fromCluster = err
	}
	for kind := range x.evaluator.Profile.Rules() {
		known = append(known, guessKind(kind))
	}
	for _, kind := range (status.Evaluator{}).HintedKinds() {
		known = append(known, guessKind(kind))
	}
	for _, rule := range rules.Files {
		known = append(known, guessKind(rule.Kind))
	}
	found := kindsCalled(g.ruleArg, known)
	name, group, grouped := strings.Cut(g.ruleArg, ".")
	isNamed := grouped && unicode.IsUpper([]rune(name + " ")[0])
	unserved, isUnserved := errors.AsType[*connection.TypeError](fromCluster)
	switch {
	case len(found) == 0 && !isNamed && isUnserved && unserved.Similar != "":
		return nil, exit.Usage(unserved)
	case fromCluster != nil:
		g.Env.Print("note: %v; the answer is not from the cluster", fromCluster)
	}
	switch {
	case len(found) == 0 && isNamed:
		return []apiKind{{Kind: status.Kind{Group: group, Kind: name}}}, nil
	case len(found) == 0:
		err := fmt.Errorf("--explain-rule %s: no known kind has this name; for other kinds, use KIND.GROUP, such as Widget.example.com", g.ruleArg)
		if fromCluster == nil || isUnserved {
			err = exit.Usage(err)
		}
		return nil, err
	}
	return found, nil
}

// kindsCalled returns the known kinds that the word may name, sorted by name. Of two equal kinds
// it returns the first. It omits kinds of the group extensions unless the word has the group,
// since these kinds moved to other groups.
func kindsCalled(word string, known []apiKind) []apiKind {
	found := map[status.Kind]apiKind{}
	for _, kind := range slices.Backward(known) {
		if kind.isCalled(word) && (kind.Group != "extensions" || strings.Contains(word, ".")) {
			found[kind.Kind] = kind
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b apiKind) int { return strings.Compare(a.String(), b.String()) })
}

// kindOfDefinition returns the kind of a definition, in its first served version.
func kindOfDefinition(root map[string]any) apiKind {
	k := apiKind{
		Kind:   status.Kind{Group: decoded.Text(root, "spec", "group"), Kind: decoded.Text(root, "spec", "names", "kind")},
		plural: decoded.Text(root, "spec", "names", "plural"),
	}
	for _, version := range decoded.Maps(root, "spec", "versions") {
		if version["served"] == true && k.version == "" {
			k.version = decoded.Text(version, "name")
		}
	}
	return k
}

// servedKind resolves the word in the cluster. It returns the kind, and adds the definition and
// rules of the cluster to x.
func (g *command) servedKind(ctx context.Context, x *ruleText, rules output.Rules) (apiKind, error) {
	c, err := connection.Connect(ctx, g.Env, g.Connection)
	if err != nil {
		return apiKind{}, err
	}
	if err := connection.UseRules(rules, c); err != nil {
		return apiKind{}, err
	}
	full, resource := schema.ParseResourceArg(strings.ToLower(g.ruleArg))
	var found schema.GroupVersionKind
	if full != nil {
		found, err = c.Mapper.KindFor(*full)
	}
	if full == nil || err != nil {
		if found, err = c.Mapper.KindFor(resource.WithVersion("")); err != nil {
			if _, wrong := c.Types(g.ruleArg); wrong != nil {
				err = wrong
			}
			if unserved, ok := errors.AsType[*connection.TypeError](err); ok {
				unserved.Object = true // the error says that the server has no such type
			}
			return apiKind{}, err
		}
	}
	kind := status.Kind{Group: found.Group, Kind: found.Kind}
	if err := c.Client.LoadSchemas(ctx, kind); err != nil {
		return apiKind{}, err
	}
	x.rules, x.evaluator.Expect = c.Rules, c.Client.Evaluator().Expect
	return apiKind{Kind: kind, version: found.Version}, nil
}
