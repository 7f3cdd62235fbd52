package snippet

import (
	"fmt"
	"go/token"
	"go/types"
	"os"
	"regexp"
	"strings"
)

// Further packages that pages mention, by name. Most have the same name as a known one.
var further = map[string]string{
	"schema": "kstatus.dev/status/schema",
	"status": "github.com/fluxcd/cli-utils/pkg/kstatus/status", "wait": "sigs.k8s.io/kustomize/kstatus/wait",
	"object": "github.com/fluxcd/cli-utils/pkg/object", "polling": "github.com/fluxcd/cli-utils/pkg/kstatus/polling",
	"aggregator":    "github.com/fluxcd/cli-utils/pkg/kstatus/polling/aggregator",
	"statusreaders": "github.com/fluxcd/cli-utils/pkg/kstatus/polling/statusreaders",
}

// named finds a name of a package in the text of a page, such as observe.Board or
// observe.Update.Parts.
var named = regexp.MustCompile(`(?:^|[^./\w])([a-z]\w*)\.([A-Z]\w*)(?:\.([A-Z]\w*))?`)

// CheckNames checks the names of packages between backquotes on pages, outside of blocks: each
// must be exported. Each error names a line of a page. The last result is not nil only if the
// check itself fails.
func CheckNames(pages []string) (wrong []error, err error) {
	paths := map[string]bool{}
	for _, packages := range []map[string]string{known, further} {
		for _, path := range packages {
			paths[path] = true
		}
	}
	compiled, err := importerFor(token.NewFileSet(), paths)
	if err != nil {
		return nil, err
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			return nil, err
		}
		block := false
		for i, line := range strings.Split(string(text), "\n") {
			if strings.HasPrefix(strings.TrimSpace(line), "```") {
				block = !block
			}
			for j, part := range strings.Split(line, "`") {
				if block || j%2 == 0 {
					continue
				}
				for _, name := range named.FindAllStringSubmatch(part, -1) {
					if !exists(compiled, name[1], name[2], name[3]) {
						wrong = append(wrong, fmt.Errorf("%s:%d: %s does not exist", page, i+1, strings.Trim(name[0], " ([{*&")))
					}
				}
			}
		}
	}
	return wrong, nil
}

// exists reports whether a known or further package has a name, and whether the name has a
// member. For other packages it returns true.
func exists(compiled types.Importer, in, name, member string) bool {
	if known[in] == "" && further[in] == "" {
		return true
	}
	for _, path := range []string{known[in], further[in]} {
		if path == "" {
			continue
		}
		p, err := compiled.Import(path)
		if err != nil {
			continue
		}
		obj := p.Scope().Lookup(name)
		if obj == nil {
			continue
		}
		if found, _, _ := types.LookupFieldOrMethod(obj.Type(), true, p, member); member == "" || found != nil {
			return true
		}
	}
	return false
}
