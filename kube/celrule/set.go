package celrule

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/expansion"
	"kstatus.dev/internal/surrogate"
	"kstatus.dev/status"
	"kstatus.dev/status/schema"
)

// Annotation is the annotation of an object, or of the CustomResourceDefinition of a kind,
// that holds a rule.
const Annotation = "kstatus.dev/rule"

// maxCachedRules is the number of compiled rules of object annotations in the cache,
// at some 10 to 30 KiB each. Objects from one template have equal texts.
const maxCachedRules = 500

// A Set selects the rule of an object. The first of these that exists applies:
//
//   - the rule of a file.
//   - the rule in the annotation of the CustomResourceDefinition of the kind, if package
//     status has no built-in rule for it.
//   - the rule in the annotation of the object, if ObjectRules is set.
//   - the built-in rule of package status.
//
// A rule without current leaves objects that it does not decide to the next rule. The zero
// Set has no rules of files. A Set may be used by several goroutines.
type Set struct {
	// ObjectRules enables rules in the annotations of objects. Then everybody
	// who may change an object controls its status. If it is not set, the
	// verdict on such an object has a warning. The compat profiles never use
	// such rules. Set it before the Set is used.
	ObjectRules bool

	files map[status.Kind]*Rule

	mu          sync.RWMutex // guards the fields below
	definitions map[status.Kind]*Rule
	objects     map[annotationKey]*Rule
}

// An annotationKey is the annotation text of an object of a kind.
type annotationKey struct {
	kind status.Kind
	text string
}

// NewSet returns a Set with the rules of files. Two different rules for one
// kind are an error.
func NewSet(rules ...*Rule) (*Set, error) {
	s := &Set{files: map[status.Kind]*Rule{}}
	var errs []error
	for _, rule := range rules {
		first := s.files[rule.Kind]
		switch {
		case first == nil:
			s.files[rule.Kind] = rule
		case first.String() != rule.String():
			errs = append(errs, &ParseError{Source: rule.Source, Err: fmt.Errorf("want one rule for %s, have another in %s", rule.Kind, first.Source)})
		}
	}
	return s, errors.Join(errs...)
}

// definitionKind is the kind of objects whose annotation is about the kind that
// they define.
var definitionKind = status.Kind{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}

// SelectRule selects the rule of an object, for [status.Evaluator.SelectRule].
func (s *Set) SelectRule(kind status.Kind, obj status.Object, table status.KindRule) status.KindRule {
	var definition *Rule
	if table.Rule == nil {
		definition = s.definition(kind)
	}
	if text, ok := annotation(obj.UnstructuredContent()); ok && kind != definitionKind {
		switch {
		case table.FixedRule:
			table.Note = unusedNote + "; its profile uses no rules of objects"
		case !s.ObjectRules:
			table.Note = unusedNote + "; --object-rules uses it"
		default:
			table = s.object(annotationKey{kind, text}).applyTo(table)
		}
	}
	if definition != nil {
		table = definition.applyTo(table)
	}
	if rule := s.files[kind]; rule != nil {
		table = rule.applyTo(table)
	}
	return table
}

// unusedNote is the beginning of the warning about an object whose rule is not
// used.
const unusedNote = "the rule in its annotation " + Annotation + " was not used"

// AddDefinition adds the rule in the annotation of a CustomResourceDefinition.
// It replaces the rule of an earlier version of the definition. It ignores
// other objects.
func (s *Set) AddDefinition(definition status.Object) {
	if !schema.IsCRD(definition.UnstructuredContent()) {
		return
	}
	root := definition.UnstructuredContent()
	kind := status.Kind{Group: decoded.Text(root, "spec", "group"), Kind: decoded.Text(root, "spec", "names", "kind")}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.definitions, kind)
	if text, ok := annotation(root); ok {
		if s.definitions == nil {
			s.definitions = map[status.Kind]*Rule{}
		}
		rule := parseAnnotation(kind, text, fmt.Sprintf("the annotation %s of the definition of %s", Annotation, kind))
		rule.origin = originDefinition
		s.definitions[kind] = rule
	}
}

// Problems returns the problems of the rule in the annotation of a
// CustomResourceDefinition, each with its line as in "rule:2". It returns nil
// if the definition has no rule.
func Problems(definition map[string]any) (all []string) {
	text, ok := annotation(definition)
	if !ok || !schema.IsCRD(definition) {
		return nil
	}
	kind := status.Kind{Group: decoded.Text(definition, "spec", "group"), Kind: decoded.Text(definition, "spec", "names", "kind")}
	rule := parseAnnotation(kind, text, "rule")
	if rule.err != nil {
		all = strings.Split(rule.err.Error(), "\n")
	}
	return all
}

// RulesFor returns the rules for all objects of a kind, in the order in which
// they apply. The built-in rule decides objects that the last one leaves open.
func (s *Set) RulesFor(kind status.Kind, table status.KindRule) (all []*Rule) {
	if rule := s.files[kind]; rule != nil {
		all = append(all, rule)
	}
	if rule := s.definition(kind); rule != nil && table.Rule == nil && (len(all) == 0 || !all[0].IsComplete()) {
		all = append(all, rule)
	}
	return all
}

func (s *Set) definition(kind status.Kind) *Rule {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.definitions[kind]
}

// object returns the rule of an object's annotation.
func (s *Set) object(n annotationKey) *Rule {
	s.mu.RLock()
	rule := s.objects[n]
	s.mu.RUnlock()
	if rule != nil {
		return rule
	}
	rule = parseAnnotation(n.kind, n.text, "its annotation "+Annotation)
	rule.origin = originObject
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.objects == nil || len(s.objects) >= maxCachedRules {
		s.objects = map[annotationKey]*Rule{}
	}
	s.objects[n] = rule
	return rule
}

// annotation returns the text of the annotation, and whether it exists.
func annotation(root map[string]any) (text string, ok bool) {
	text, ok = decoded.At(root, "metadata", "annotations", Annotation).(string)
	return text, ok
}

// parseAnnotation parses the rule of an annotation. An error becomes the
// verdict on every object of the rule.
func parseAnnotation(kind status.Kind, text, source string) *Rule {
	r := reader{file: source}
	var document yaml.Node
	rule := &Rule{Kind: kind}
	switch err := yaml.Unmarshal(surrogate.ForYAML([]byte(text)), &document); {
	case err != nil:
		r.problems = []error{&ParseError{Source: source, Err: err}}
	case len(document.Content) == 0:
		r.problems = []error{&ParseError{Source: source, Err: errors.New("want a rule, have an empty text")}}
	default:
		if at, err := expansion.Check(&document, describe); err != nil {
			r.addProblem(at, "", "%w", err)
			break
		}
		rule = r.rule(document.Content[0], kind)
	}
	if len(r.problems) > 0 {
		rule = &Rule{Kind: kind, err: errors.Join(r.problems...)}
	}
	rule.Source = source
	return rule
}

// applyTo returns the KindRule for objects of a rule that precedes entry.
func (r *Rule) applyTo(entry status.KindRule) status.KindRule {
	entry.Generation = r.policy(entry)
	if r.IsComplete() {
		entry.Override, entry.Rule = nil, r.judge
		return entry
	}
	first := r.judge
	if next := entry.Override; next != nil {
		first = func(o *status.Fields) status.Result {
			answer := r.judge(o)
			if answer.Status == "" {
				return next(o)
			}
			return answer
		}
	}
	entry.Override = first
	return entry
}

// IsComplete reports whether the rule decides the status of every object. A rule without
// current leaves some objects to the next rule.
func (r *Rule) IsComplete() bool { return r.current != nil || r.err != nil }

// policy returns how to compare the observed generation: as the rule says, or
// as without the rule. If the table leaves that to its own rule, which no
// longer applies, it is compared. Errors of a rule are reported whatever the
// generation.
func (r *Rule) policy(entry status.KindRule) schema.Generation {
	if r.err != nil {
		return schema.GenerationByRule
	}
	switch r.generation {
	case "compare":
		return schema.GenerationAsDeclared
	case "required":
		return schema.GenerationRequired
	case "tolerateAhead":
		return schema.GenerationAllowAhead
	case "ignore":
		return schema.GenerationByRule
	}
	if r.IsComplete() && (entry.Generation == schema.GenerationCompare || entry.Generation == schema.GenerationByRule) {
		return schema.GenerationAsDeclared
	}
	return entry.Generation
}
