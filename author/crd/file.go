package crd

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	sigsyaml "sigs.k8s.io/yaml"

	"kstatus.dev/author/crd/internal/nodes"
	"kstatus.dev/author/crd/internal/split"
	"kstatus.dev/author/lint"
	"kstatus.dev/internal/expansion"
	"kstatus.dev/internal/surrogate"
)

// A File is a text that was split into documents. It does not change: edits return new
// files. A File may be used by several goroutines.
type File struct {
	Name      string
	Documents []*Document
	rest      []byte // the text after the last document
}

// A Document is one YAML document of a file, or one JSON value. A document that cannot be
// read does not affect the others.
type Document struct {
	Line     int       // the first line of its text, counted from 1.
	Objects  []*Object // one object, or the items of a list.
	Err      error     // an [*Error] if the document cannot be read.
	Warnings []error   // suspicious content; each is an [*Error].

	file   string
	before []byte // the text between this document and the previous one
	text   []byte
	root   *yaml.Node
	keys   nodes.Index

	layout        *layout
	styleOf       *text // the text that determines the style; nil: its own
	hasAliases    bool
	comments      []Suppression // in the order of their targets
	commentErrors []*Error      // with lines of the document
}

// An Object is one object of a document.
type Object struct {
	Value    map[string]any // as decoded JSON; numbers are int64 or float64
	Document *Document
	path     lint.Path  // its path in the document: empty, or in items.
	node     *yaml.Node // the node at the path, or its closest parent.
	found    bool       // the node is at the path.
	end      int        // the line of the document after the object; 0: none.
}

// An Error is an error at a position of a file.
type Error struct {
	File         string
	Line, Column int // counted from 1; zero if unknown
	Err          error
}

// Error returns the position and the error.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Err.Error()
	}
	return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err)
}

// Unwrap returns the error without the position.
func (e *Error) Unwrap() error { return e.Err }

// Parse splits a text into documents and reads them. It accepts any text: errors are in
// the documents. The name is for error messages.
func Parse(name string, text []byte) *File {
	f := &File{Name: name}
	parts, rest := split.Documents(text)
	f.rest = rest
	for _, part := range parts {
		d := &Document{file: name, before: part.Before, text: part.Text}
		d.read()
		f.Documents = append(f.Documents, d)
	}
	f.number()
	return f
}

// number sets the line of each document.
func (f *File) number() {
	line := 1
	for _, d := range f.Documents {
		line += bytes.Count(d.before, []byte("\n"))
		d.Line = line
		line += bytes.Count(d.text, []byte("\n"))
	}
}

// Objects returns the objects of all readable documents, in their order.
func (f *File) Objects() (all []*Object) {
	for _, d := range f.Documents {
		all = append(all, d.Objects...)
	}
	return all
}

// Errors returns the errors of unreadable documents, with their lines.
func (f *File) Errors() (all []error) {
	for _, d := range f.Documents {
		if d.Err != nil {
			all = append(all, d.locate(d.Err))
		}
	}
	return all
}

// Warnings returns the warnings of all documents, with their lines.
func (f *File) Warnings() (all []error) {
	for _, d := range f.Documents {
		for _, w := range d.Warnings {
			all = append(all, d.locate(w))
		}
	}
	return all
}

// locate converts a line of the document to a line of its file.
func (d *Document) locate(err error) error {
	at := *err.(*Error) // documents have only such errors
	at.Line += d.Line - 1
	return &at
}

// Text returns the text of the file.
func (f *File) Text() []byte {
	var b bytes.Buffer
	for _, d := range f.Documents {
		b.Write(d.before)
		b.Write(d.text)
	}
	b.Write(f.rest)
	return b.Bytes()
}

// read parses and decodes the text of a document.
func (d *Document) read() {
	d.root, d.keys, d.Objects, d.Err, d.Warnings = nil, nil, nil, nil, nil
	d.hasAliases, d.comments, d.commentErrors = false, nil, nil
	root, err := parse(d.text)
	if err != nil {
		d.Err = d.parseError(err)
		return
	}
	if root == nil {
		return
	}
	if at, err := expansion.Check(root, nodes.Describe); err != nil {
		d.Err = &Error{File: d.file, Line: at.Line, Column: at.Column, Err: err}
		return
	}
	value, err := decode(d.text)
	if err != nil {
		d.Err = d.parseError(err)
		return
	}
	whole, ok := value.(map[string]any)
	if !ok {
		d.Err = &Error{File: d.file, Line: root.Line, Err: fmt.Errorf("want an object, have %s", describeType(value))}
		return
	}
	d.root, d.keys, d.hasAliases, d.layout = root, nodes.Index{}, nodes.HasAlias(root), &layout{like: d.styleOf}
	repeated := map[string]*yaml.Node{} // keys of the root that are set twice
	d.keys.Add(root, func(key *yaml.Node) {
		if key.Column == root.Column && repeated[key.Value] == nil {
			repeated[key.Value] = key
		}
		d.Warnings = append(d.Warnings, &Error{File: d.file, Line: key.Line, Column: key.Column,
			Err: fmt.Errorf("key %q is set twice; the last value counts", key.Value)})
	})
	if second := repeated["apiVersion"]; second != nil && repeated["kind"] != nil {
		d.Err, d.Warnings = &Error{File: d.file, Line: min(second.Line, repeated["kind"].Line), Err: errors.New("a second object begins here, in the same document: is the line --- missing before it?")}, nil
		return
	}
	d.Objects = d.objects(whole, nil, root, true, 0)
	d.readComments()
}

// objects returns the object, or the items of a list of objects. If found is
// true, the node is the node of the object, else a parent of it. end is the
// next line after the object.
func (d *Document) objects(o map[string]any, at lint.Path, node *yaml.Node, found bool, end int) (all []*Object) {
	items, ok := o["items"].([]any)
	if kind, _ := o["kind"].(string); !ok || !strings.HasSuffix(kind, "List") {
		return []*Object{{Value: o, Document: d, path: at, node: node, found: found, end: end}}
	}
	step := func(from *yaml.Node, found bool, s any) (*yaml.Node, bool) {
		if _, _, below := d.keys.Child(from, s); found && below != nil {
			return below, true
		}
		return from, false
	}
	list, listed := step(node, found, "items")
	for i, item := range items {
		one, ok := item.(map[string]any)
		if !ok {
			continue
		}
		below, exists := step(list, listed, i)
		next := end
		if _, _, follows := d.keys.Child(list, i+1); listed && follows != nil {
			next = follows.Line
		}
		all = append(all, d.objects(one, at.With("items", i), below, exists, next)...)
	}
	return all
}

// parse returns the root node of a document; nil if it is empty.
func parse(text []byte) (*yaml.Node, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(surrogate.ForYAML(text), &document); err != nil {
		return nil, err
	}
	if document.Kind != yaml.DocumentNode || len(document.Content) == 0 {
		return nil, nil
	}
	root := document.Content[0]
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		return nil, nil
	}
	return root, nil
}

// decode decodes a document as kubectl does.
func decode(text []byte) (any, error) {
	asJSON, err := sigsyaml.YAMLToJSON(surrogate.ForYAML(text))
	if err != nil {
		return nil, err
	}
	var value any
	if err := utiljson.Unmarshal(asJSON, &value); err != nil {
		return nil, err
	}
	return value, nil
}

var (
	yamlErrorLine   = regexp.MustCompile(`yaml: (?:line (\d+): )?`)
	yamlErrorAnchor = regexp.MustCompile(`unknown anchor '.*' referenced`)
)

// parseError sets the line of a parser's error, which is only in its text. It
// removes the name of an anchor, which may be an unquoted password.
func (d *Document) parseError(err error) error {
	text := err.Error()
	at := &Error{File: d.file, Line: 1}
	if match := yamlErrorLine.FindStringSubmatchIndex(text); match != nil {
		if match[2] >= 0 {
			at.Line, _ = strconv.Atoi(text[match[2]:match[3]]) // digits only
		}
		text = text[match[1]:]
	}
	text = yamlErrorAnchor.ReplaceAllString(text, "an alias refers to an anchor that does not exist")
	if bytes.Contains(d.text, []byte("{{")) {
		text += "; it contains {{ as the templates of Helm do; render them first with helm template"
	}
	at.Err = errors.New(text)
	return at
}

func describeType(v any) string {
	switch v.(type) {
	case nil:
		return "nothing"
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	}
	return "a single value"
}
