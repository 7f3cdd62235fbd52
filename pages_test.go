package kstatus

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// leading lists the pages that lead people to code.
var leading = []string{
	"CONTRIBUTING.md", "docs/contributing/architecture.md", "docs/contributing/author.md", "docs/contributing/clusterapi.md",
	"docs/contributing/dropin.md", "test/README.md",
}

// bases are the folders from which pages name paths.
var bases = []string{"", "cmd/kstatus/internal", "kube/source", "test", "author", "clusterapi", "dropin", "status", "explain", "clusterapi/check", "test/command/e2e"}

// aPath is a word of a page with a slash.
var aPath = regexp.MustCompile(`[\w.*…-]+(?:/[\w.*…-]+)+/?`)

// noPath matches words with a slash that name no file of this repository: modules, types of objects,
// media, tests and refs.
var noPath = regexp.MustCompile(`^(https?|kstatus\.dev|k8s\.io|sigs\.k8s\.io|golang\.org|go\.yaml\.in|github\.com)/|^golang/go$|\.(dev|io|com|org)/|^bin/|^TYPE/|^Test[A-Z]\w+/|^Gallery/|^deployment/web$|/v\d|^\d+m?s/`)

// identifier matches the name after a package, such as in author/crd.Validator.
var identifier = regexp.MustCompile(`\.[A-Z]\w*$`)

// A page leads to nothing if it names a path that does not exist. New files of an example contain
// "widget"; files of the same form must exist.
func TestPagesNamePathsThatExist(t *testing.T) {
	checked := 0
	for _, page := range leading {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, code := range codeOf(string(text)) {
			for _, path := range aPath.FindAllString(code, -1) {
				path = identifier.ReplaceAllString(strings.TrimSuffix(strings.TrimPrefix(path, "./"), "/..."), "")
				if noPath.MatchString(path) || strings.HasPrefix(path, "../") {
					continue // links are checked with those of all pages
				}
				checked++
				pattern := regexp.MustCompile(`…|widgets?|idle_writes`).ReplaceAllString(path, "*")
				if !slices.ContainsFunc(bases, func(base string) bool {
					found, err := filepath.Glob(filepath.Join(base, pattern))
					return err == nil && len(found) > 0
				}) {
					t.Errorf("%s names %s, which does not exist", page, path)
				}
			}
		}
	}
	if checked < 100 {
		t.Errorf("%d paths were checked", checked)
	}
}

// codeOf returns what a page has in backticks.
func codeOf(page string) (all []string) {
	for i, part := range strings.Split(page, "```") {
		if i%2 == 1 {
			all = append(all, part)
			continue
		}
		for j, span := range strings.Split(part, "`") {
			if j%2 == 1 {
				all = append(all, span)
			}
		}
	}
	return all
}
