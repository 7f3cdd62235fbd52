package sets

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"kstatus.dev/status"
)

// maxDocumentBytes limits a document of a manifest; the API server accepts less
// than half of it.
const maxDocumentBytes = 4 << 20

// refsOf returns the objects in the documents of a manifest, in their order.
// Errors do not quote the manifest.
func refsOf(manifest string) (all []status.ID, err error) {
	for i, text := range documents(manifest) {
		if len(text) > maxDocumentBytes {
			return nil, fmt.Errorf("document %d of the manifest: want at most %d MiB, have more", i+1, maxDocumentBytes>>20)
		}
		var root yaml.Node
		if yaml.Unmarshal([]byte(text), &root) != nil {
			return nil, fmt.Errorf("document %d of the manifest: want YAML, have something else", i+1)
		}
		if len(root.Content) == 0 {
			continue
		}
		some, err := refsIn(root.Content[0], 0)
		if err != nil {
			return nil, fmt.Errorf("document %d of the manifest: %w", i+1, err)
		}
		if all = append(all, some...); len(all) > MaxObjects {
			return nil, fmt.Errorf("the manifest: want at most %d objects, have more", MaxObjects)
		}
	}
	return all, nil
}

// documents splits YAML at the lines that begin with ---.
func documents(manifest string) (all []string) {
	begin, at := 0, 0
	for line := range strings.Lines(manifest) {
		if after, ok := strings.CutPrefix(line, "---"); ok && (after == "" || strings.ContainsAny(after[:1], " \t\r\n")) {
			all = append(all, manifest[begin:at])
			begin = at
		}
		at += len(line)
	}
	return append(all, manifest[begin:])
}

// refsIn returns the object of a document, or the objects of a list.
func refsIn(n *yaml.Node, depth int) (all []status.ID, err error) {
	if n = resolveAlias(n); n == nil {
		return nil, nil
	}
	if n.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("want an object, have something else")
	}
	metadata := valueIn(n, "metadata")
	r := refOf(scalar(valueIn(n, "apiVersion")), scalar(valueIn(n, "kind")), scalar(valueIn(metadata, "namespace")), scalar(valueIn(metadata, "name")))
	items := valueIn(n, "items")
	switch isList := strings.HasSuffix(r.Kind.Kind, "List") && items != nil && items.Kind == yaml.SequenceNode; {
	case isList && depth > 1:
		return nil, fmt.Errorf("want a list of objects, have nested lists")
	case isList:
		for _, item := range items.Content {
			some, err := refsIn(item, depth+1)
			if err != nil {
				return nil, err
			}
			all = append(all, some...)
		}
		return all, nil
	case r.Kind.Kind == "":
		return nil, fmt.Errorf("kind: want a string, have none")
	case r.Name == "":
		return nil, fmt.Errorf("%.100q: metadata.name: want a name, have none", r.Kind.Kind)
	}
	return []status.ID{r}, nil
}

// resolveAlias resolves an alias. It returns nil for null.
func resolveAlias(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n != nil && n.Tag == "!!null" {
		return nil
	}
	return n
}

// valueIn returns the value of a key. Of duplicates the last one counts, as in
// Helm.
func valueIn(n *yaml.Node, key string) (value *yaml.Node) {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			value = resolveAlias(n.Content[i+1])
		}
	}
	return value
}

func scalar(n *yaml.Node) string {
	if n == nil || n.Kind != yaml.ScalarNode {
		return ""
	}
	return n.Value
}
