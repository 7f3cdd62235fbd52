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

	"kstatus.dev/lint"
)

// A File is a text that was split into documents. It does not change: edits return new
// files. A File may be used by several goroutines.
type File struct {
	Name      string
	Documents []*Document
	rest      []byte // what stands behind the last document
}

// A Document is one YAML document of a file, or one JSON value. A document that cannot be
// read does not affect the others.
type Document struct {
	Line     int       // the first line of its text, counted from 1
	Objects  []*Object // one, or the items of a list
	Err      error     // an [*Error] if the document cannot be read
	Warnings []error   // suspicious content; each an [*Error]

	file   string
	before []byte // what stands between it and the document before
	text   []byte
	root   *yaml.Node
	starts []int // the offsets of its lines
}

// An Object is one object of a document.
type Object struct {
	Value    map[string]any // as a decoder of JSON delivers it; numbers are int64 or float64
	Document *Document
	path     lint.Path // where it stands in the document: nowhere, or in items
}

// An Error is an error at a position of a file.
type Error struct {
	File         string
	Line, Column int // counted from 1; zero if not known
	Err          error
}

// Error names the place.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Err.Error()
	}
	return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err)
}

// Unwrap returns what is wrong there.
func (e *Error) Unwrap() error { return e.Err }

// Parse splits a text into documents and reads them. It accepts any text: errors are in
// the documents. The name is for error messages.
func Parse(name string, text []byte) *File {
	f := &File{Name: name}
	documents, rest := split(text)
	f.rest = rest
	for _, d := range documents {
		d.file = name
		d.read()
		f.Documents = append(f.Documents, d)
	}
	f.number()
	return f
}

// number has each document know its line.
func (f *File) number() {
	line := 1
	for _, d := range f.Documents {
		line += bytes.Count(d.before, []byte("\n"))
		d.Line = line
		line += bytes.Count(d.text, []byte("\n"))
	}
}

// Objects returns the objects of all documents that can be read, in their order.
func (f *File) Objects() (all []*Object) {
	for _, d := range f.Documents {
		all = append(all, d.Objects...)
	}
	return all
}

// Errors returns the errors of documents that cannot be read, with their lines.
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

// locate turns a line of the document into one of its file.
func (d *Document) locate(err error) error {
	at := *err.(*Error) // all errors of a document are
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
	d.root, d.Objects, d.Err, d.Warnings = nil, nil, nil, nil
	root, err := parse(d.text)
	if err != nil {
		d.Err = d.parseError(err)
		return
	}
	if root == nil {
		return
	}
	value, err := decode(d.text)
	if err != nil {
		d.Err = d.parseError(err)
		return
	}
	whole, ok := value.(map[string]any)
	if !ok {
		d.Err = &Error{File: d.file, Line: root.Line, Err: fmt.Errorf("want an object, have %s", shape(value))}
		return
	}
	d.root, d.starts = root, lineStarts(d.text)
	d.Objects = d.objects(whole, nil)
	d.findDuplicateKeys(root)
}

// objects returns the object, or if it is a list of objects its items.
func (d *Document) objects(o map[string]any, at lint.Path) (all []*Object) {
	items, ok := o["items"].([]any)
	if kind, _ := o["kind"].(string); !ok || !strings.HasSuffix(kind, "List") {
		return []*Object{{Value: o, Document: d, path: at}}
	}
	for i, item := range items {
		if one, ok := item.(map[string]any); ok {
			all = append(all, d.objects(one, at.With("items", i))...)
		}
	}
	return all
}

// findDuplicateKeys notes the keys that are set twice in a mapping.
func (d *Document) findDuplicateKeys(n *yaml.Node) {
	if n.Kind == yaml.MappingNode {
		seen := map[string]bool{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if seen[key.Value] && key.Kind == yaml.ScalarNode && key.Tag != "!!merge" {
				d.Warnings = append(d.Warnings, &Error{File: d.file, Line: key.Line, Column: key.Column,
					Err: fmt.Errorf("key %q is set twice: the last value counts", key.Value)})
			}
			seen[key.Value] = true
		}
	}
	for _, below := range n.Content {
		d.findDuplicateKeys(below)
	}
}

// parse returns the nodes of one document; nil if it is empty.
func parse(text []byte) (*yaml.Node, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
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

// decode reads a document as kubectl does.
func decode(text []byte) (any, error) {
	asJSON, err := sigsyaml.YAMLToJSON(text)
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

// parseError gives an error of a parser its line, which it tells in its text only,
// and takes out the name of an anchor, which may be a password without quotes.
func (d *Document) parseError(err error) error {
	text := err.Error()
	at := &Error{File: d.file, Line: 1}
	if match := yamlErrorLine.FindStringSubmatchIndex(text); match != nil {
		if match[2] >= 0 {
			at.Line, _ = strconv.Atoi(text[match[2]:match[3]]) // digits
		}
		text = text[match[1]:]
	}
	text = yamlErrorAnchor.ReplaceAllString(text, "an alias is referenced that no anchor defines")
	if bytes.Contains(d.text, []byte("{{")) {
		text += "; it has {{ in it, as the templates of Helm have, which are to be rendered first (helm template)"
	}
	at.Err = errors.New(text)
	return at
}

func shape(v any) string {
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

// lineStarts returns the offsets at which lines begin, as YAML counts lines.
func lineStarts(text []byte) []int {
	starts := []int{0}
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\n', text[i] == '\r' && !bytes.HasPrefix(text[i+1:], []byte("\n")):
			starts = append(starts, i+1)
		case bytes.HasPrefix(text[i:], []byte("\u0085")):
			starts = append(starts, i+2)
		case bytes.HasPrefix(text[i:], []byte("\u2028")), bytes.HasPrefix(text[i:], []byte("\u2029")):
			starts = append(starts, i+3)
		}
	}
	return starts
}
