package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const (
	goMod          = "go.mod"
	goSum          = "go.sum"
	implementation = "kstatus.dev/dropin"
	clientGo       = "k8s.io/client-go"
)

// notice is the first line of the copied go.mod.
const notice = "// Changed by kstatus.dev/dropin/cmd/graft, see " + recordFile + ".\n"

// A modFile is what go mod edit -json prints.
type modFile struct {
	Module  struct{ Path string }
	Go      string
	Require []struct{ Path, Version string }
	Exclude []struct{ Path, Version string }
	Replace []struct {
		Old, New struct{ Path, Version string }
	}
}

// version returns the required version of a module.
func (f modFile) version(module string) string {
	for _, r := range f.Require {
		if r.Path == module {
			return r.Version
		}
	}
	return ""
}

// editGoMod adds the requirements of the façade. The libraries of Kubernetes are released together,
// so those of the original all get the version that the façade requires.
func (p *plan) editGoMod(ctx context.Context, facade []byte, o options) error {
	ours, err := parseGoMod(ctx, facade)
	if err != nil {
		return fmt.Errorf("%s of %s: %w", goMod, p.record.Facade, err)
	}
	theirs, err := parseGoMod(ctx, p.files[goMod])
	if err != nil {
		return fmt.Errorf("%s of %s: %w", goMod, p.record.Original, err)
	}
	p.record.Implementation = ours.version(implementation)
	if p.record.Implementation == "" {
		return fmt.Errorf("%s of %s does not require %s", goMod, p.record.Facade, implementation)
	}
	args := []string{"-require=" + implementation + "@" + p.record.Implementation}
	if newer(ours.Go, theirs.Go) {
		args = append(args, "-go="+ours.Go)
	}
	library, least := theirs.version(clientGo), ours.version(clientGo)
	for _, r := range theirs.Require {
		if strings.HasPrefix(r.Path, "k8s.io/") && r.Version == library && newer(least, library) {
			args = append(args, "-require="+r.Path+"@"+least)
		}
	}
	for _, m := range sortedKeys(o.replace) {
		if m == p.record.Facade.Module {
			continue
		}
		dir := o.replace[m]
		if !filepath.IsAbs(dir) {
			if dir, err = filepath.Rel(o.to, dir); err != nil {
				return err
			}
			dir = local(dir)
		}
		args = append(args, "-replace="+m+"="+dir)
	}
	text, err := editText(ctx, p.files[goMod], args...)
	p.files[goMod] = append([]byte(notice), text...)
	return err
}

// parseGoMod parses the text of a go.mod.
func parseGoMod(ctx context.Context, text []byte) (f modFile, err error) {
	out, err := inFile(ctx, text, "-json")
	if err != nil {
		return f, err
	}
	return f, json.Unmarshal(out.printed, &f)
}

// editText returns the text of a go.mod after go mod edit.
func editText(ctx context.Context, text []byte, args ...string) ([]byte, error) {
	out, err := inFile(ctx, text, args...)
	return out.text, err
}

type edited struct{ text, printed []byte }

// inFile runs go mod edit on a temporary file.
func inFile(ctx context.Context, text []byte, args ...string) (out edited, err error) {
	dir, err := os.MkdirTemp("", "graft-")
	if err != nil {
		return out, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, goMod)
	if err := os.WriteFile(file, text, 0o644); err != nil {
		return out, err
	}
	if out.printed, err = goCommand(ctx, dir, append([]string{"mod", "edit"}, args...)...); err != nil {
		return out, err
	}
	out.text, err = os.ReadFile(file)
	return out, err
}
