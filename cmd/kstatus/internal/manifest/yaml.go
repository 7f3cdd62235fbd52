package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"kstatus.dev/internal/expansion"
)

// parseYAML parses one document. It returns nil if the document is empty.
func parseYAML(text []byte) (*yaml.Node, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, locatedYAMLError(err)
	}
	if document.Kind != yaml.DocumentNode || len(document.Content) == 0 {
		return nil, nil
	}
	root := document.Content[0]
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		return nil, nil
	}
	if at, err := expansion.Check(root, aliasNode); err != nil {
		return nil, located(at, err)
	}
	return root, nil
}

// aliasNode describes a node for [expansion.Check].
func aliasNode(n *yaml.Node) expansion.Node[*yaml.Node] {
	return expansion.Node[*yaml.Node]{Text: n.Value, Content: n.Content, Named: n.Kind == yaml.MappingNode, Target: n.Alias}
}

// CheckAliases returns an error if the aliases of a YAML document expand too much. It checks
// each document of a text. It returns nil for a text that is not YAML, and leaves that error to
// the caller.
func CheckAliases(text []byte) error {
	if !bytes.Contains(text, []byte("*")) {
		return nil
	}
	for documents := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var document yaml.Node
		if documents.Decode(&document) != nil { // also at the end of the text
			return nil
		}
		if at, err := expansion.Check(&document, aliasNode); err != nil {
			return fmt.Errorf("line %d: %w", at.Line, err)
		}
	}
}

var (
	yamlErrorLine   = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)
	yamlErrorAnchor = regexp.MustCompile(`unknown anchor '.*' referenced`)
)

// locatedYAMLError returns a parser error as a lineError. The parser has the line only in its
// text (go.yaml.in/yaml/v3, fail in yaml.go). It also removes the name of an undefined anchor,
// which may be a password without quotes.
func locatedYAMLError(err error) error {
	text := err.Error()
	match := yamlErrorLine.FindStringSubmatch(text)
	if match == nil {
		return err
	}
	text = strings.TrimPrefix(text, match[0])
	text = yamlErrorAnchor.ReplaceAllString(text, "an alias is referenced that no anchor defines")
	line, _ := strconv.Atoi(match[1]) // digits, or empty without a line
	return &lineError{max(0, line-1), errors.New(text)}
}

// A yamlItem is an item of a list of objects, or a single object.
type yamlItem struct {
	node *yaml.Node
	list listType
}

// yamlItems returns the items of a list of objects. Each item has its own line, and an invalid
// item does not affect the others.
func yamlItems(root *yaml.Node, in listType) []yamlItem {
	list := listType{scalarAt(root, "apiVersion"), scalarAt(root, "kind")}
	items := field(root, "items")
	if !strings.HasSuffix(list.kind, "List") || items == nil || items.Kind != yaml.SequenceNode {
		return []yamlItem{{root, in}}
	}
	var all []yamlItem
	for _, n := range items.Content {
		all = append(all, yamlItem{n, list})
	}
	return all
}

// secondObject returns the key at which a second object begins in a document, or nil. Files that were
// joined without a line --- make such a document.
func secondObject(root *yaml.Node) *yaml.Node {
	if root.Kind != yaml.MappingNode {
		return nil
	}
	seen := map[string]int{}
	var first *yaml.Node // the earliest repeated key
	for i := 0; i+1 < len(root.Content); i += 2 {
		key := root.Content[i]
		if seen[key.Value]++; seen[key.Value] == 2 && first == nil {
			first = key
		}
	}
	if seen["apiVersion"] > 1 && seen["kind"] > 1 {
		return first
	}
	return nil
}

// field returns the value of a key of a mapping, or nil without one.
func field(n *yaml.Node, key string) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

func scalarAt(n *yaml.Node, key string) string {
	if v := field(n, key); v != nil && v.Kind == yaml.ScalarNode {
		return v.Value
	}
	return ""
}

// A converter converts nodes to the values of decoded JSON, like kubectl. The caller has checked
// the expansion of aliases.
type converter struct {
	firstLine int                 // the line of the input at which the text begins
	warnings  []string            // warnings about keys that are set twice
	aliases   map[*yaml.Node]bool // anchors whose expansion is in progress
}

func (c *converter) value(n *yaml.Node) (any, error) {
	switch n.Kind {
	case yaml.MappingNode:
		return c.mapping(n)
	case yaml.SequenceNode:
		list := make([]any, 0, len(n.Content))
		for _, item := range n.Content {
			v, err := c.value(item)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	case yaml.ScalarNode:
		v, err := scalar(n)
		if err != nil {
			return nil, located(n, err)
		}
		return v, nil
	case yaml.AliasNode:
		var v any
		err := c.alias(n, func(target *yaml.Node) (err error) {
			v, err = c.value(target)
			return err
		})
		return v, err
	}
	return nil, located(n, errors.New("a node has no kind"))
}

// alias expands the target of an alias. It returns an error if the expansion of the target is
// already in progress.
func (c *converter) alias(n *yaml.Node, expand func(*yaml.Node) error) error {
	if n.Alias == nil || c.aliases[n.Alias] {
		return located(n, errors.New("an anchor contains itself"))
	}
	if c.aliases == nil {
		c.aliases = map[*yaml.Node]bool{}
	}
	c.aliases[n.Alias] = true
	defer delete(c.aliases, n.Alias)
	return expand(n.Alias)
}

func (c *converter) mapping(n *yaml.Node) (map[string]any, error) {
	m := make(map[string]any, len(n.Content)/2)
	var merges []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if isMerge(key) {
			merges = append(merges, value)
			continue
		}
		name, err := keyName(key)
		if err != nil {
			return nil, located(key, err)
		}
		if _, twice := m[name]; twice {
			c.warnings = append(c.warnings, fmt.Sprintf("line %d: key %q is set twice: the last value counts", c.firstLine+key.Line-1, name))
		}
		if m[name], err = c.value(value); err != nil {
			return nil, err
		}
	}
	for _, from := range merges {
		if err := c.merge(m, from); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// merge adds the missing keys from a merged mapping or list of mappings.
func (c *converter) merge(m map[string]any, from *yaml.Node) error {
	switch from.Kind {
	case yaml.AliasNode:
		return c.alias(from, func(target *yaml.Node) error { return c.merge(m, target) })
	case yaml.SequenceNode:
		for _, one := range from.Content {
			if err := c.merge(m, one); err != nil {
				return err
			}
		}
		return nil
	case yaml.MappingNode:
		more, err := c.mapping(from)
		for key, value := range more {
			if _, ok := m[key]; !ok {
				m[key] = value
			}
		}
		return err
	}
	return located(from, errors.New("a merge requires a mapping"))
}

func isMerge(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!merge" }

// keyName returns a key as a JSON string.
func keyName(n *yaml.Node) (string, error) {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		n = n.Alias
	}
	if n.Kind != yaml.ScalarNode {
		return "", errors.New("a key is not a scalar")
	}
	v, err := scalar(n)
	switch v := v.(type) {
	case string:
		return v, err
	case nil:
		return "", errors.Join(err, errors.New("a key is null"))
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 32), err
	}
	return fmt.Sprint(v), err
}

func located(n *yaml.Node, err error) error { return &lineError{max(0, n.Line-1), err} }
