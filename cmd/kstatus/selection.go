package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/labels"
)

// A selection says which objects are meant, in the way kubectl does.
type selection struct {
	files         []string
	kustomize     string
	recursive     bool
	selector      string
	fieldSelector string
	allNamespaces bool
	all           bool
	expand        bool
	contexts      []string
}

// addFlags adds the flags of a selection; the namespace is one of the
// connection flags.
func (s *selection) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVarP(&s.files, "filename", "f", nil, "file, directory, URL, or - for standard input; repeatable")
	flags.StringVarP(&s.kustomize, "kustomize", "k", "", "directory with a kustomization")
	flags.BoolVarP(&s.recursive, "recursive", "R", false, "with -f, look into subdirectories too")
	flags.StringVarP(&s.selector, "selector", "l", "", "only objects with these labels, such as app=web,tier!=db")
	flags.StringVar(&s.fieldSelector, "field-selector", "", "only objects of a TYPE with these field values, such as status.phase=Running")
	flags.BoolVarP(&s.allNamespaces, "all-namespaces", "A", false, "objects of all namespaces")
	flags.BoolVar(&s.all, "all", false, "everything in the namespace that has a status, but what something else in it has made; with a TYPE, all of it, as without")
	flags.BoolVar(&s.expand, "expand", false, "objects that own sets, such as a Kustomization of Flux, stand for what they own as well; see docs/sets.md")
	flags.StringSliceVar(&s.contexts, "contexts", nil, "objects of several clusters: `names` of contexts of the kubeconfig, separated by commas")
	// An error would mean that the flag does not exist, just above.
	_ = cmd.MarkFlagFilename("filename")
	_ = cmd.MarkFlagDirname("kustomize")
}

// check refuses what cannot be meant, as kubectl does.
func (s *selection) check() error {
	if len(s.files) > 0 && s.kustomize != "" {
		return usagef("-f and -k: want one of them, have both")
	}
	if s.recursive && len(s.files) == 0 {
		return usagef("-R: want -f DIR with it")
	}
	if s.all && (len(s.files) > 0 || s.kustomize != "") {
		return usagef("--all: want it without -f and -k")
	}
	stdin := 0
	for _, name := range s.files {
		if name == "-" {
			stdin++
		}
	}
	if stdin > 1 {
		return usagef("-f -: want it once, have it %d times", stdin)
	}
	for i, name := range s.contexts {
		switch {
		case name == "":
			return usagef("--contexts: want names of contexts, have an empty one")
		case slices.Contains(s.contexts[:i], name):
			return usagef("--contexts: want each context once, have %q twice", name)
		}
	}
	if _, err := s.labels(); err != nil {
		return usageError(err)
	}
	return nil
}

// labels returns the parsed selector; an empty one selects everything.
func (s *selection) labels() (labels.Selector, error) {
	parsed, err := labels.Parse(s.selector)
	if err != nil {
		return nil, fmt.Errorf("-l %q: %w", s.selector, err)
	}
	return parsed, nil
}
