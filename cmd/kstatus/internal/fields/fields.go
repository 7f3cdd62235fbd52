// Package fields prints fields of objects, and sorts objects by them, as kubectl get does with
// -o jsonpath, -o custom-columns and --sort-by. The fields are those of the objects, as the API
// server returns them, and not those of verdicts.
package fields

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/printers"

	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/internal/text"
)

// FormatNames are the formats of -o that print fields of objects. Each takes an argument
// after "=".
var FormatNames = []string{"custom-columns", "custom-columns-file", "jsonpath", "jsonpath-as-json", "jsonpath-file"}

// IsFormat reports whether a value of -o is one of the formats.
func IsFormat(value string) bool {
	name, _, _ := strings.Cut(value, "=")
	for _, f := range FormatNames {
		if f == name {
			return true
		}
	}
	return false
}

// A Printer collects the objects of verdicts, and prints their fields at the end.
type Printer struct {
	out     io.Writer
	print   func(io.Writer, []*unstructured.Unstructured) error
	objects []*unstructured.Unstructured

	Single bool // pass one object to a JSONPath template directly, not as the item of a List
	Screen bool // out is a terminal, on which values must not act
}

// New returns the printer for a value of -o.
func New(out io.Writer, format string, headers bool) (*Printer, error) {
	name, argument, _ := strings.Cut(format, "=")
	if argument == "" {
		return nil, fmt.Errorf("-o %s: want %s=…, have nothing after it", name, name)
	}
	p := &Printer{out: out}
	switch name {
	case "custom-columns", "custom-columns-file":
		if name == "custom-columns-file" {
			file, err := os.ReadFile(argument)
			if err != nil {
				return nil, fmt.Errorf("-o %s: %w", name, err)
			}
			if argument, err = specOfFile(string(file)); err != nil {
				return nil, fmt.Errorf("-o %s: %s: %w", name, argument, err)
			}
		}
		columns, err := parseColumns(argument)
		if err != nil {
			return nil, fmt.Errorf("-o %s: %w", name, err)
		}
		p.print = func(out io.Writer, all []*unstructured.Unstructured) error {
			return printColumns(out, columns, headers, all)
		}
		return p, nil
	}
	template, err := genericclioptions.NewJSONPathPrintFlags("", true).ToPrinter(format)
	if err != nil {
		return nil, fmt.Errorf("-o %s: %w", name, err)
	}
	p.print = func(out io.Writer, all []*unstructured.Unstructured) error {
		return printTemplate(out, template, p.Single, all)
	}
	return p, nil
}

// Start prints nothing.
func (p *Printer) Start(output.Start) error { return nil }

// Object keeps the object of a verdict. An object that does not exist has no fields.
func (p *Printer) Object(v output.Verdict) error {
	if v.ObjectFact != nil && v.ObjectFact.Object != nil {
		p.objects = append(p.objects, &unstructured.Unstructured{Object: v.ObjectFact.Object})
	}
	return nil
}

// End prints the fields. Programs get the values as they are. On a terminal, control characters and
// invisible characters are replaced.
func (p *Printer) End(output.Result) error {
	if !p.Screen {
		return p.print(p.out, p.objects)
	}
	var printed bytes.Buffer
	err := p.print(&printed, p.objects)
	_, writeErr := io.WriteString(p.out, onScreen(printed.String()))
	return errors.Join(err, writeErr)
}

// onScreen returns a text that is safe on a terminal. Line breaks and tabs stay.
func onScreen(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		cells := strings.Split(line, "\t")
		for j := range cells {
			cells[j] = text.Safe(cells[j])
		}
		lines[i] = strings.Join(cells, "\t")
	}
	return strings.Join(lines, "\n")
}

// printTemplate prints objects with a JSONPath template.
func printTemplate(out io.Writer, template printers.ResourcePrinter, single bool, all []*unstructured.Unstructured) error {
	if single && len(all) == 1 {
		return template.PrintObj(all[0], out)
	}
	if single {
		return nil
	}
	list := &unstructured.UnstructuredList{Object: map[string]any{"kind": "List", "apiVersion": "v1", "metadata": map[string]any{}}}
	for _, u := range all {
		list.Items = append(list.Items, *u)
	}
	return template.PrintObj(list, out)
}

// specOfFile returns the columns in a file that has a line of headers and a line of paths.
func specOfFile(file string) (string, error) {
	lines := strings.Split(strings.TrimSpace(file), "\n")
	if len(lines) != 2 {
		return "", errors.New("want a line of headers and a line of paths")
	}
	headers, paths := strings.Fields(lines[0]), strings.Fields(lines[1])
	if len(headers) != len(paths) {
		return "", fmt.Errorf("want as many paths as headers, have %d and %d", len(paths), len(headers))
	}
	for i := range headers {
		headers[i] += ":" + paths[i]
	}
	return strings.Join(headers, ","), nil
}
