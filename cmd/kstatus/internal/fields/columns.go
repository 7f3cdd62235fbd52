package fields

import (
	"fmt"
	"io"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/cli-runtime/pkg/printers"
	"k8s.io/client-go/util/jsonpath"

	"kstatus.dev/internal/text"
)

// A column is a column of -o custom-columns.
type column struct {
	header string
	path   *jsonpath.JSONPath
}

// parsePath parses the path of a field in any form that kubectl accepts: {.metadata.name},
// .metadata.name, {metadata.name} or metadata.name.
func parsePath(path string) (*jsonpath.JSONPath, error) {
	inner := strings.TrimPrefix(strings.TrimSuffix(strings.TrimPrefix(path, "{"), "}"), ".")
	if inner == "" || strings.HasPrefix(path, "{") != strings.HasSuffix(path, "}") {
		return nil, fmt.Errorf("path %q: want a path such as .metadata.name", path)
	}
	p := jsonpath.New("path").AllowMissingKeys(true)
	if err := p.Parse("{." + inner + "}"); err != nil {
		return nil, fmt.Errorf("path %q: %w", path, err)
	}
	return p, nil
}

// parseColumns parses HEADER:PATH,HEADER:PATH.
func parseColumns(spec string) ([]column, error) {
	var all []column
	for part := range strings.SplitSeq(spec, ",") {
		header, path, ok := strings.Cut(part, ":")
		if !ok {
			return nil, fmt.Errorf("column %q: want HEADER:PATH, such as NAME:.metadata.name", part)
		}
		p, err := parsePath(path)
		if err != nil {
			return nil, err
		}
		all = append(all, column{header, p})
	}
	return all, nil
}

// printColumns prints a row for each object.
func printColumns(out io.Writer, columns []column, headers bool, all []*unstructured.Unstructured) error {
	if len(all) == 0 {
		return nil
	}
	w := printers.GetNewTabWriter(out)
	if headers {
		titles := make([]string, len(columns))
		for i, c := range columns {
			titles[i] = text.Line(c.header)
		}
		fmt.Fprintln(w, strings.Join(titles, "\t"))
	}
	for _, u := range all {
		cells := make([]string, len(columns))
		for i, c := range columns {
			values, err := valuesAt(c.path, u)
			if err != nil {
				return err
			}
			texts := make([]string, len(values))
			for k, v := range values {
				texts[k] = text.Line(fmt.Sprint(v))
			}
			if cells[i] = strings.Join(texts, ","); len(values) == 0 {
				cells[i] = "<none>"
			}
		}
		fmt.Fprintln(w, strings.Join(cells, "\t"))
	}
	return w.Flush()
}

// valuesAt returns the values at a path in an object.
func valuesAt(path *jsonpath.JSONPath, u *unstructured.Unstructured) (all []any, err error) {
	found, err := path.FindResults(u.Object)
	if err != nil {
		return nil, fmt.Errorf("%s/%s: %w", u.GetKind(), u.GetName(), err)
	}
	for _, some := range found {
		for _, v := range some {
			if v.IsValid() && v.CanInterface() && v.Interface() != nil {
				all = append(all, v.Interface())
			}
		}
	}
	return all, nil
}
