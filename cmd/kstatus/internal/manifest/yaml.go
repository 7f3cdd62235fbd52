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

// parseYAML parses one document; nil if it is empty.
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
	if at, err := expansion.Check(root, look); err != nil {
		return nil, located(at, err)
	}
	return root, nil
}

// look returns what counts for the expanded size of a document.
func look(n *yaml.Node) expansion.Node[*yaml.Node] {
	return expansion.Node[*yaml.Node]{Text: n.Value, Content: n.Content, Named: n.Kind == yaml.MappingNode, Target: n.Alias}
}

// CheckAliases returns an error if the aliases of one of the YAML documents of a text expand
// to more than a reader should make of them. A text that is no YAML is left to its reader.
func CheckAliases(text []byte) error {
	if !bytes.Contains(text, []byte("*")) {
		return nil
	}
	for documents := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var document yaml.Node
		if documents.Decode(&document) != nil { // also at the end
			return nil
		}
		if at, err := expansion.Check(&document, look); err != nil {
			return fmt.Errorf("line %d: %w", at.Line, err)
		}
	}
}

var (
	yamlErrorLine   = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)
	yamlErrorAnchor = regexp.MustCompile(`unknown anchor '.*' referenced`)
)

// locatedYAMLError takes the line out of an error of the parser, which tells it
// in its text only (go.yaml.in/yaml/v3, fail in yaml.go), and the name of an
// anchor that is not there, which may be a password that was not quoted.
func locatedYAMLError(err error) error {
	text := err.Error()
	match := yamlErrorLine.FindStringSubmatch(text)
	if match == nil {
		return err
	}
	text = strings.TrimPrefix(text, match[0])
	text = yamlErrorAnchor.ReplaceAllString(text, "an alias is referenced that no anchor defines")
	line, _ := strconv.Atoi(match[1]) // digits, or empty for none
	return &lineError{max(0, line-1), errors.New(text)}
}

// A yamlItem is an item of a list of objects, or an object that is in no list.
type yamlItem struct {
	node *yaml.Node
	list listType
}

// yamlItems returns the items of a list of objects, so that each has its own
// line and one that is broken does not take the others with it.
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

// field returns the value of a key of a mapping, nil if there is none.
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

// A converter turns nodes into the values that decoded JSON has, as kubectl
// does. What its aliases expand to has been bounded for the whole document.
type converter struct {
	first   int                 // the line of the input on which the text begins
	odd     []string            // keys that are set twice
	aliases map[*yaml.Node]bool // the anchors that are being expanded
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
	return nil, located(n, errors.New("a node of no kind"))
}

// alias expands the target of an alias, unless it is being expanded already.
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
			c.odd = append(c.odd, fmt.Sprintf("line %d: key %q is set twice: the last value counts", c.first+key.Line-1, name))
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

// merge adds the missing keys of a merged mapping, or list of mappings.
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
	return located(from, errors.New("a merge wants a mapping"))
}

func isMerge(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!merge" }

// keyName returns a key as JSON has it, as a string.
func keyName(n *yaml.Node) (string, error) {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		n = n.Alias
	}
	if n.Kind != yaml.ScalarNode {
		return "", errors.New("a key is no scalar")
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
