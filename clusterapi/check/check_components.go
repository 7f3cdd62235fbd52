package check

import (
	"slices"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var components = &check{
	ID: "C-PK-3", Name: "components", Severity: severity.Error,
	Doc: `a components file has one Namespace, a container named manager and variables that clusterctl can parse

clusterctl aborts on a second Namespace. It moves all objects into the namespace that
the user names, also those that belong elsewhere. The container of the controller is
named manager. A variable is ${NAME}, with optional spaces and an optional default.`,
	Bundle: func(p *pass) {
		if !slices.ContainsFunc(p.Bundle.Objects, func(o map[string]any) bool { return decoded.Text(o, "kind") == "Deployment" }) {
			return
		}
		first := ""
		for i, o := range p.Bundle.Objects {
			p.component(i, o, &first)
		}
	},
}

func (p *pass) component(i int, o map[string]any, first *string) {
	switch decoded.Text(o, "kind") {
	case "Namespace":
		if name := decoded.Text(o, "metadata", "name"); *first == "" {
			*first = name
		} else if name != *first {
			p.ForObject(i).Report(lint.Finding{
				Path:       lint.Path{"metadata", "name"},
				Message:    "a second Namespace: clusterctl aborts",
				Suggestion: "keep one",
			})
		}
	case "Deployment":
		at := lint.Path{"spec", "template", "spec", "containers"}
		if !slices.ContainsFunc(decoded.List(o, "spec", "template", "spec", "containers"), func(item any) bool {
			container, _ := item.(map[string]any)
			return decoded.Text(container, "name") == "manager"
		}) {
			p.ForObject(i).Report(lint.Finding{
				Path:       at,
				Message:    "no container is named manager",
				Suggestion: "name: manager",
			})
		}
	case "CustomResourceDefinition":
		return // the texts of schemas are long and have no variables
	}
	walk(o, nil, func(at lint.Path, s string) {
		for _, v := range variablePattern.FindAllString(s, -1) {
			if !validVariable.MatchString(v) {
				p.ForObject(i).Report(lint.Finding{
					Path:       at,
					Message:    "clusterctl cannot parse the variable " + quote(v),
					Suggestion: "write ${NAME}",
				})
			}
		}
	})
}

// walk calls f for each string at or below v, maps in the order of their keys.
func walk(v any, at lint.Path, f func(lint.Path, string)) {
	if len(at) > 50 {
		return
	}
	switch v := v.(type) {
	case string:
		f(at, v)
	case []any:
		for i, item := range v {
			walk(item, at.With(i), f)
		}
	case map[string]any:
		for _, name := range sortedKeys(v) {
			walk(v[name], at.With(name), f)
		}
	}
}
