// Package bench compares the cost of verdicts with that of kstatus in cli-utils, on objects as a
// cluster has them.
package bench

import (
	"embed"
	"fmt"
	"path"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

//go:embed objects/*.yaml
var files embed.FS

// An Object is an object to judge, with its expected statuses.
type Object struct {
	Name   string // the kind and a distinguishing word
	Ours   string // in the default profile
	Theirs string // of kstatus
	*unstructured.Unstructured
}

// Objects returns all objects, sorted by file name. The first line of each document describes
// it: "# NAME: OURS, THEIRS".
func Objects() (all []Object, err error) {
	entries, err := files.ReadDir("objects")
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		text, err := files.ReadFile(path.Join("objects", entry.Name()))
		if err != nil {
			return nil, err
		}
		for doc := range strings.SplitSeq(string(text), "\n---\n") {
			o, err := object(doc)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", entry.Name(), err)
			}
			all = append(all, o)
		}
	}
	return all, nil
}

func object(doc string) (o Object, err error) {
	head, body, _ := strings.Cut(doc, "\n")
	name, statuses, ok := strings.Cut(strings.TrimPrefix(head, "# "), ": ")
	ours, theirs, ok2 := strings.Cut(statuses, ", ")
	if !ok || !ok2 {
		return o, fmt.Errorf("want a first line like %q, have %q", "# Deployment: Current, Current", head)
	}
	text, err := yaml.YAMLToJSON([]byte(body))
	if err != nil {
		return o, fmt.Errorf("%s: %w", name, err)
	}
	o = Object{Name: name, Ours: ours, Theirs: theirs, Unstructured: &unstructured.Unstructured{}}
	if err := o.UnmarshalJSON(text); err != nil {
		return o, fmt.Errorf("%s: %w", name, err)
	}
	return o, nil
}

// Conditions returns the number of conditions of the object.
func (o Object) Conditions() int {
	list, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
	return len(list)
}
