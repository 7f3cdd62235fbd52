package lint

import (
	"slices"
	"strings"

	"kstatus.dev/internal/condition"
	"kstatus.dev/internal/decoded"
)

// DeclaredConditions returns the types of conditions that the controller of a kind writes, and the
// source of that information. The source is the options, or else an object of the kind in the
// bundle with conditions. A schema does not have them.
func (o Options) DeclaredConditions(b Bundle, crd CRD) (types []string, source string) {
	return o.declaredConditionsIn(slices.DeleteFunc(slices.Clone(b.Objects), func(o map[string]any) bool { return !crd.hasKindOf(o) }), crd)
}

// declaredConditionsIn is DeclaredConditions for the given objects of the kind.
func (o Options) declaredConditionsIn(samples []map[string]any, crd CRD) (types []string, source string) {
	if all := o.Conditions[crd.Kind+"."+crd.Group]; len(all) > 0 {
		return all, "the declared conditions"
	}
	if crd.Kind == "" {
		return nil, ""
	}
	known := map[string]bool{}
	for _, sample := range samples {
		for c := range condition.All(condition.Of(sample)) {
			if !known[c.Type] {
				known[c.Type] = true
				types = append(types, c.Type)
			}
		}
		if source == "" && len(types) > 0 {
			source = crd.Kind + " " + nameOf(sample)
		}
	}
	return types, source
}

// hasKindOf reports whether an object is of the kind, in any version.
func (crd CRD) hasKindOf(object map[string]any) bool {
	group, _, ok := strings.Cut(decoded.Text(object, "apiVersion"), "/")
	return ok && crd.Kind != "" && group == crd.Group && decoded.Text(object, "kind") == crd.Kind
}

// writesReady reports whether the controller of the kind is known to write a condition Ready. It is
// known if the condition is declared, an object has it, a column prints it, or the default of the
// status has it.
func (p *Pass) writesReady(v Version) bool {
	if types, _ := p.declaredConditions(*v.CRD); len(types) > 0 {
		return slices.Contains(types, "Ready")
	}
	return slices.ContainsFunc(v.columns(), func(c column) bool { return c.condition() == "Ready" })
}
