// Package config holds the manifests of the provider, for its tests. The file
// infrastructure-components.yaml, which clusterctl installs, is their
// concatenation.
package config

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed *.yaml crd/*.yaml
var files embed.FS

// CRDs returns the definitions of the kinds, as one text.
func CRDs() (string, error) { return join("crd/*.yaml") }

// Components returns all manifests, as one text.
func Components() (string, error) { return join("crd/*.yaml", "*.yaml") }

func join(patterns ...string) (string, error) {
	var texts []string
	for _, pattern := range patterns {
		names, err := fs.Glob(files, pattern)
		if err != nil {
			return "", err
		}
		for _, name := range names {
			text, err := files.ReadFile(name)
			if err != nil {
				return "", err
			}
			texts = append(texts, string(text))
		}
	}
	return strings.Join(texts, "---\n"), nil
}
