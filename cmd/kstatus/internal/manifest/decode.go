package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"kstatus.dev/internal/decoded"
)

// Objects returns the objects of a document. It returns the items of a list instead of the list.
func (p *Document) Objects() []Object {
	switch {
	case p.Items != nil:
		return p.Items
	case !p.json:
		return p.decodedYAML()
	}
	value, odd, err := DecodeJSON(p.Text)
	if err != nil {
		if items := p.decodedYAML(); !anyBroken(items) {
			return items // a YAML mapping in braces
		}
		from := Source{File: p.from.File, Line: p.first + lineOf(err)}
		return []Object{{From: from, Err: err}}
	}
	return objects(value, Object{From: p.from, Warnings: odd}, p.list)
}

func anyBroken(items []Object) bool {
	for _, i := range items {
		if i.Err != nil {
			return true
		}
	}
	return false
}

// decodedYAML decodes one YAML document.
func (p *Document) decodedYAML() []Object {
	items := []Object{}
	root, err := parseYAML(p.Text)
	if err != nil {
		from := p.from
		if line := lineOf(err); line > 0 {
			from.Line = p.first + line
		}
		return append(items, Object{From: from, Err: p.syntaxError(err)})
	}
	if root == nil {
		return items
	}
	if second := secondObject(root); second != nil {
		from := Source{File: p.from.File, Line: p.first + second.Line - 1}
		return append(items, Object{From: from, Err: errors.New("a second object begins here, in the same document: is the line --- missing before it?")})
	}
	for _, n := range yamlItems(root, p.list) {
		c := converter{firstLine: p.first}
		from := Source{File: p.from.File, Line: p.first + n.node.Line - 1}
		value, err := c.value(n.node)
		if err != nil {
			from.Line = p.first + lineOf(err)
			items = append(items, Object{From: from, Err: p.syntaxError(err)})
			continue
		}
		items = append(items, objects(value, Object{From: from, Warnings: c.warnings}, n.list)...)
	}
	for i, it := range items {
		if it.Err != nil && helmOutput.Match(p.Text) && it.Content != nil {
			items[i].Err = p.syntaxError(it.Err)
		}
	}
	return items
}

// helmOutput matches the headings in the output of helm install, helm upgrade, helm status and
// helm get all.
var helmOutput = regexp.MustCompile(`(?m)^(LAST DEPLOYED|USER-SUPPLIED VALUES|COMPUTED VALUES|HOOKS|MANIFEST|NOTES|TEST SUITE):|^Release ".*" has been `)

// tableHeading matches the first words of a table of kubectl or kstatus.
var tableHeading = regexp.MustCompile(`\A\s*(NAME|NAMESPACE|OBJECT|CONTEXT|CLUSTER|LAST SEEN|TYPE) {2,}\S`)

// tableAdvice is the advice for a table instead of objects.
const tableAdvice = "it looks like a table: kubectl get -o yaml prints objects"

// syntaxError adds advice to a syntax error in a template, a table, or the output of Helm.
func (p *Document) syntaxError(err error) error {
	switch {
	case helmOutput.Match(p.Text):
		return fmt.Errorf("%w; it looks like the output of helm. 'helm get manifest NAME' prints the objects of a release. 'helm template NAME CHART' prints those of a chart", err)
	case tableHeading.Match(p.Text):
		return fmt.Errorf("%w; %s", err, tableAdvice)
	case bytes.Contains(p.Text, []byte("{{")):
		return fmt.Errorf("%w; it looks like a template: render it first, such as with helm template", err)
	}
	return err
}

// objects returns the objects in a decoded value: the items if it is a list of objects,
// otherwise the value itself. Each object has the other fields of of.
func objects(value any, of Object, list listType) []Object {
	o, ok := value.(map[string]any)
	if !ok {
		of.Err = notAnObject(value)
		return []Object{of}
	}
	list.complete(o)
	kind := decoded.Text(o, "kind")
	members, ok := o["items"].([]any)
	if !ok || !strings.HasSuffix(kind, "List") {
		dropSecrets(o)
		of.Content, of.Err = o, check(o)
		return []Object{of}
	}
	inner := listType{decoded.Text(o, "apiVersion"), kind}
	items := []Object{}
	for _, m := range members {
		items = append(items, objects(m, of, inner)...)
	}
	return items
}

// check returns an error if a decoded document is not an object of a cluster.
func check(o map[string]any) error {
	version, kind := decoded.Text(o, "apiVersion"), decoded.Text(o, "kind")
	for _, field := range []string{"apiVersion", "kind"} {
		if err := notText(field, o[field]); err != nil {
			return err
		}
	}
	switch {
	case kind == "" && o["items"] != nil:
		return errors.New("it has items and no kind: is the end of the text missing? kubectl prints the kind of a list last")
	case version == "" && kind == "" && decoded.Text(o, "type") == "run" && o["v"] != nil:
		return errors.New("it is a report of kstatus wait, which has no objects; use a file that kstatus wait --record has written")
	case version == "" && kind == "":
		return errors.New("it is not a Kubernetes object: apiVersion and kind are not set")
	case version == "":
		return errors.New("it is not a Kubernetes object: apiVersion is not set")
	case kind == "":
		return errors.New("it is not a Kubernetes object: kind is not set")
	case strings.HasPrefix(version, "kustomize.config.k8s.io/"):
		return errors.New("it is a kustomization, not an object of a cluster; -k builds the directory")
	}
	if err := nameError(o); err != nil {
		return fmt.Errorf("%s: %w", kind, err)
	}
	return nil
}

// dropSecrets removes the values of a Secret, also from the copy that kubectl apply keeps in an
// annotation. The keys stay, since they are not secret.
func dropSecrets(o map[string]any) {
	if o["kind"] != "Secret" {
		return
	}
	for _, field := range []string{"data", "stringData"} {
		m, ok := o[field].(map[string]any)
		if !ok && o[field] != nil {
			o[field] = map[string]any{}
		}
		for key := range m {
			m[key] = ""
		}
	}
	const applied = "kubectl.kubernetes.io/last-applied-configuration"
	if m := decoded.Map(o, "metadata", "annotations"); m[applied] != nil {
		m[applied] = ""
	}
}
