// Package selection resolves flags, arguments and names of sets to objects, like kubectl.
package selection

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/labels"

	"kstatus.dev/cmd/kstatus/internal/exit"
)

// Flags are flags that select objects, with the meaning of kubectl's flags.
type Flags struct {
	Files         []string
	Kustomize     string
	NoRemote      bool
	Recursive     bool
	Selector      string
	FieldSelector string
	AllNamespaces bool
	All           bool
	Deleting      bool // with All, also objects of any kind whose deletion does not end
	Expand        bool
	Contexts      []string
	ChunkSize     *int64 // nil for kubectl's default

	FollowReleases bool // return the releases that are found, instead of printing notes about their state
}

// AddChunkSize adds the flag for the maximum number of objects in one response to a list.
func (s *Flags) AddChunkSize(cmd *cobra.Command) {
	s.ChunkSize = new(int64)
	cmd.Flags().Int64Var(s.ChunkSize, "chunk-size", defaultChunkSize, "list the objects of a TYPE in chunks of this size, 0 for all at once")
}

// AddTo adds the flags of a selection. It does not add the namespace, which is a connection
// flag.
func (s *Flags) AddTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVarP(&s.Files, "filename", "f", nil, "File, directory, URL, or standard input (-). Can be repeated.")
	flags.StringVarP(&s.Kustomize, "kustomize", "k", "", "Directory with a kustomization.")
	flags.BoolVar(&s.NoRemote, "no-remote", false, "With -k, reject resources that kustomize would fetch by HTTP or git.")
	flags.BoolVarP(&s.Recursive, "recursive", "R", false, "With -f, read subdirectories too.")
	flags.StringVarP(&s.Selector, "selector", "l", "", "Select only objects with these labels, for example app=web,tier!=db.")
	flags.StringVar(&s.FieldSelector, "field-selector", "", "Select only objects of a TYPE with these field values, for example status.phase=Running.")
	flags.BoolVarP(&s.AllNamespaces, "all-namespaces", "A", false, "Select objects of all namespaces.")
	flags.BoolVar(&s.All, "all", false, "Select all objects with a status, except those that others of them have created, such as the Pods of a Deployment.")
	flags.BoolVar(&s.Expand, "expand", false, "Also select the objects that selected objects own, for example a Kustomization of Flux (https://kstatus.dev/docs/guides/sets).")
	flags.StringSliceVar(&s.Contexts, "contexts", nil, "Use several clusters: `names` of contexts in the kubeconfig, separated by commas.")
	// The only possible error is a flag that does not exist: it is defined above.
	_ = cmd.MarkFlagFilename("filename")
	_ = cmd.MarkFlagDirname("kustomize")
}

// Check returns an error for invalid combinations of flags, like kubectl.
func (s *Flags) Check() error {
	if len(s.Files) > 0 && s.Kustomize != "" {
		return exit.Usagef("-f and -k: want one of them, have both")
	}
	if s.Recursive && len(s.Files) == 0 {
		return exit.Usagef("-R requires -f DIR")
	}
	if s.All && (len(s.Files) > 0 || s.Kustomize != "") {
		return exit.Usagef("--all cannot be used with -f and -k")
	}
	stdin := 0
	for _, name := range s.Files {
		if name == "-" {
			stdin++
		}
	}
	if stdin > 1 {
		return exit.Usagef("-f -: want it once, have it %d times", stdin)
	}
	for i, name := range s.Contexts {
		switch {
		case name == "":
			return exit.Usagef("--contexts: want names of contexts, have an empty one")
		case slices.Contains(s.Contexts[:i], name):
			return exit.Usagef("--contexts: want each context once, have %q twice", name)
		}
	}
	if _, err := s.Labels(); err != nil {
		return exit.Usage(err)
	}
	return nil
}

// Labels returns the parsed selector. An empty selector selects everything.
func (s *Flags) Labels() (labels.Selector, error) {
	parsed, err := labels.Parse(s.Selector)
	if err != nil {
		return nil, fmt.Errorf("-l %q: %w", s.Selector, err)
	}
	return parsed, nil
}
