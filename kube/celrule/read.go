package celrule

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"go.yaml.in/yaml/v3"

	"kstatus.dev/internal/expansion"
	"kstatus.dev/internal/surrogate"
	"kstatus.dev/kube/celrule/internal/expression"
	"kstatus.dev/status"
)

// FileAPIVersion and FileKind are the apiVersion and kind of a file of rules.
const (
	FileAPIVersion = "kstatus.dev/v1alpha1"
	FileKind       = "Rules"
)

// A ParseError is an error in a rule, and its position.
type ParseError struct {
	Source string // "rules.yaml:7"
	Field  string // such as "current"; empty if the error is about the whole rule or file
	Err    error
}

// Error returns the position and the error, in the format of compilers.
func (p *ParseError) Error() string {
	if p.Field == "" {
		return fmt.Sprintf("%s: %v", p.Source, p.Err)
	}
	return fmt.Sprintf("%s: %s: %v", p.Source, p.Field, p.Err)
}

// Unwrap returns the error without its position.
func (p *ParseError) Unwrap() error { return p.Err }

// Parse parses the rules of a file, which holds YAML documents of these shapes:
//
//   - apiVersion kstatus.dev/v1alpha1, kind Rules, and a list of rules.
//   - a list of rules, as Flux publishes them.
//   - an object of Flux with spec.healthCheckExprs, such as a Kustomization.
//
// The error joins all problems, each a [ParseError]. The rules are valid only if the error
// is nil. The name is for error messages.
func Parse(name string, text []byte) ([]*Rule, error) {
	r := reader{file: name}
	documents := yaml.NewDecoder(bytes.NewReader(surrogate.ForYAML(text)))
	for {
		var document yaml.Node
		err := documents.Decode(&document)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			r.problems = append(r.problems, &ParseError{Source: name, Err: err})
			break
		}
		if at, err := expansion.Check(&document, describe); err != nil {
			r.addProblem(at, "", "%w", err)
			continue
		}
		r.document(document.Content[0])
	}
	if len(r.rules) == 0 && len(r.problems) == 0 {
		r.problems = append(r.problems, &ParseError{Source: name, Err: errors.New("want rules, have none")})
	}
	return r.rules, errors.Join(r.problems...)
}

// describe returns the properties of a node that determine the size of the expanded
// document.
func describe(n *yaml.Node) expansion.Node[*yaml.Node] {
	return expansion.Node[*yaml.Node]{Text: n.Value, Content: n.Content, Target: n.Alias}
}

// A reader collects the rules and the errors of a file.
type reader struct {
	file     string
	rules    []*Rule
	problems []error
}

func (r *reader) addProblem(n *yaml.Node, field, format string, args ...any) {
	r.problems = append(r.problems, &ParseError{r.position(n), field, fmt.Errorf(format, args...)})
}

func (r *reader) position(n *yaml.Node) string {
	if n.Line == 0 {
		return r.file
	}
	return fmt.Sprintf("%s:%d", r.file, n.Line)
}

// document reads a document of one of the three shapes.
func (r *reader) document(root *yaml.Node) {
	switch {
	case root.Kind == yaml.SequenceNode:
		r.list(root, "")
		return
	case root.Kind == yaml.ScalarNode && root.Tag == "!!null":
		return
	case root.Kind != yaml.MappingNode:
		r.addProblem(root, "", "want kind %s of %s, a list of rules, or an object of Flux, have %s", FileKind, FileAPIVersion, nodeName(root))
		return
	}
	version, kind := scalarAt(root, "apiVersion"), scalarAt(root, "kind")
	group, _, _ := strings.Cut(version, "/")
	switch {
	case version == FileAPIVersion && kind == FileKind:
		if fields := r.mapping(root, "", "apiVersion", "kind", "rules"); fields["rules"] != nil {
			r.list(fields["rules"], "rules")
		}
	case strings.HasSuffix(group, ".toolkit.fluxcd.io"):
		if list := valueAt(valueAt(root, "spec"), "healthCheckExprs"); list != nil {
			r.list(list, "spec.healthCheckExprs")
		}
	case slices.ContainsFunc([]string{"inProgress", "failed", "current"}, func(key string) bool { return valueAt(root, key) != nil }):
		r.addProblem(root, "", "want kind %s of %s, a list of rules, or an object of Flux, have one rule; put it into a list", FileKind, FileAPIVersion)
	default:
		r.addProblem(root, "", "want kind %s of %s, a list of rules, or an object of Flux, have %s", FileKind, FileAPIVersion, typeName(version, kind))
	}
}

// typeName describes the kind and the apiVersion of a document.
func typeName(version, kind string) string {
	switch {
	case kind == "":
		return "a document without a kind"
	case version == "":
		return fmt.Sprintf("kind %q without an apiVersion", kind)
	}
	return fmt.Sprintf("kind %q of %q", kind, version)
}

func (r *reader) list(n *yaml.Node, field string) {
	if n = resolveAlias(n); n.Kind != yaml.SequenceNode {
		r.addProblem(n, field, "want a list of rules, have %s", nodeName(n))
		return
	}
	for _, item := range n.Content {
		rule := r.rule(item, status.Kind{})
		if rule != nil && rule.Kind.Kind == "" {
			r.addProblem(item, "kind", "want the kind of the rule, have none")
		}
		r.rules = append(r.rules, rule)
	}
}

// ruleKeys are the keys of a rule, in the order of error messages.
var ruleKeys = []string{
	"apiVersion", "group", "kind", "inProgress", "failed", "current", "message", "messageExpression", "generation", "terminal",
}

// rule reads a rule. A rule in an annotation is about a known kind, which it
// may omit.
func (r *reader) rule(n *yaml.Node, known status.Kind) *Rule {
	n = resolveAlias(n)
	fields := r.mapping(n, "", ruleKeys...)
	if fields == nil {
		return nil
	}
	rule := &Rule{Source: r.position(n), message: strings.Join(strings.Fields(r.text(fields, "message")), " ")}
	rule.Kind = r.kind(n, fields, known)
	rule.inProgress = r.expression(fields, "inProgress", cel.BoolType)
	rule.failed = r.expression(fields, "failed", cel.BoolType)
	rule.current = r.expression(fields, "current", cel.BoolType)
	rule.messageExpression = r.expression(fields, "messageExpression", cel.StringType)
	rule.generation = r.oneOf(fields, "generation", "compare", "required", "tolerateAhead", "ignore")
	rule.terminal = r.oneOf(fields, "terminal", "true", "false") == "true"
	if fields["inProgress"] == nil && fields["failed"] == nil && fields["current"] == nil {
		r.addProblem(n, "", "want inProgress, failed or current, have none")
	}
	if rule.terminal && fields["failed"] == nil {
		r.addProblem(fields["terminal"], "terminal", "want failed with it, have none")
	}
	return rule
}

// kind reads the kind of a rule. As with Flux, the version does not matter.
func (r *reader) kind(n *yaml.Node, fields map[string]*yaml.Node, known status.Kind) status.Kind {
	kind := status.Kind{Group: r.text(fields, "group"), Kind: r.text(fields, "kind")}
	version := r.text(fields, "apiVersion")
	switch {
	case fields["group"] != nil && fields["apiVersion"] != nil:
		r.addProblem(n, "", "want either apiVersion or group, have both")
	case strings.Count(version, "/") > 1:
		r.addProblem(fields["apiVersion"], "apiVersion", "want a group and a version, have %q", version)
	case strings.Contains(version, "/"):
		kind.Group, _, _ = strings.Cut(version, "/")
	}
	if known == (status.Kind{}) {
		return kind
	}
	named := fields["group"] != nil || fields["apiVersion"] != nil
	if kind.Kind != "" && kind.Kind != known.Kind || named && kind.Group != known.Group {
		r.addProblem(n, "", "want a rule for %s, which has the annotation, have one for %s", known, kind)
	}
	return known
}

func (r *reader) expression(fields map[string]*yaml.Node, key string, want *cel.Type) *expression.Expression {
	text := r.text(fields, key)
	if text == "" {
		return nil
	}
	x, err := expression.Compile(key, text, want)
	if err != nil {
		r.addProblem(fields[key], key, "%w", err)
	}
	return x
}

// mapping returns the values of a mapping. It reports keys other than the given
// ones, and duplicates.
func (r *reader) mapping(n *yaml.Node, field string, keys ...string) map[string]*yaml.Node {
	if n.Kind != yaml.MappingNode {
		r.addProblem(n, field, "want a mapping, have %s", nodeName(n))
		return nil
	}
	fields := make(map[string]*yaml.Node, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i].Value
		switch {
		case !slices.Contains(keys, key):
			r.addProblem(n.Content[i], "", "key %q: want one of %s", key, strings.Join(keys, ", "))
		case fields[key] != nil:
			r.addProblem(n.Content[i], "", "key %q is set twice", key)
		default:
			fields[key] = resolveAlias(n.Content[i+1])
		}
	}
	return fields
}

// text reads a text. It reports an empty one.
func (r *reader) text(fields map[string]*yaml.Node, key string) string {
	n := fields[key]
	switch {
	case n == nil:
		return ""
	case n.Kind == yaml.ScalarNode && scalarNames[n.Tag] != "":
		r.addProblem(n, key, "want a string, have the %s %s; write it in quotes", scalarNames[n.Tag], shorten(n.Value))
		return ""
	case n.Kind != yaml.ScalarNode || n.Tag != "!!str":
		r.addProblem(n, key, "want a string, have %s", nodeName(n))
		return ""
	case strings.TrimSpace(n.Value) == "":
		r.addProblem(n, key, "want a string, have an empty one")
		return ""
	}
	return n.Value
}

// scalarNames are the types of values without quotes that are not strings, by their YAML tags.
var scalarNames = map[string]string{"!!bool": "boolean", "!!int": "number", "!!float": "number", "!!timestamp": "time"}

func (r *reader) oneOf(fields map[string]*yaml.Node, key string, words ...string) string {
	n := fields[key]
	if n == nil {
		return ""
	}
	if n.Kind != yaml.ScalarNode || !slices.Contains(words, n.Value) {
		r.addProblem(n, key, "want one of %s, have %s", strings.Join(words, ", "), nodeName(n))
		return ""
	}
	return n.Value
}

// resolveAlias returns the node that an alias refers to.
func resolveAlias(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

// valueAt returns the value of a key of a mapping, nil if there is none.
func valueAt(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return resolveAlias(n.Content[i+1])
		}
	}
	return nil
}

func scalarAt(n *yaml.Node, key string) string {
	if v := valueAt(n, key); v != nil && v.Kind == yaml.ScalarNode {
		return v.Value
	}
	return ""
}

// nodeName describes a node in the terms of YAML.
func nodeName(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.ScalarNode:
		if n.Tag == "!!null" {
			return "null"
		}
		return fmt.Sprintf("%q", shorten(n.Value))
	}
	return "nothing"
}
