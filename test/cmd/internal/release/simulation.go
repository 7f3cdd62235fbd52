package release

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/module"
)

// A simulation is a release of all modules inside a temporary folder.
type simulation struct {
	*Workspace // at the released revision, in its own folder
	temp       string
	proxy      proxy
	env        []string // environment of go commands that use the release
}

// simulate releases the last commit of the repository in the order of tags. It tidies each
// module against the released ones, and adds their sums.
func (w *Workspace) simulate(ctx context.Context, temp string) (*simulation, error) {
	tree := filepath.Join(temp, "tree")
	if err := export(ctx, w.Root, "HEAD", tree); err != nil {
		return nil, err
	}
	exported, err := Open(tree, func(string) {})
	if err != nil {
		return nil, err
	}
	exported.print = w.print
	s := &simulation{Workspace: exported, temp: temp, proxy: proxy{filepath.Join(temp, "proxy")}}
	if err := s.prepare(ctx, w); err != nil {
		return nil, err
	}
	for _, m := range s.published() {
		if err := s.release(ctx, m); err != nil {
			return nil, fmt.Errorf("release %s: %w", m.Tag(), err)
		}
	}
	return s, nil
}

// prepare sets the environment. Modules come from the simulation first, and then from the usual
// sources. Only those of the simulation are not in the checksum database. File paths are
// trimmed, so that all simulations share the build cache.
func (s *simulation) prepare(ctx context.Context, w *Workspace) error {
	out, err := shell{folder: w.Root}.goCommand(ctx, "env", "GOPROXY", "GONOSUMDB")
	if err != nil {
		return err
	}
	proxies, rest, _ := strings.Cut(strings.TrimRight(out, "\n"), "\n")
	cache := filepath.Join(s.temp, "modules")
	if err := s.newModuleCache(ctx, cache); err != nil {
		return err
	}
	s.env = []string{
		"GOWORK=off", "GOFLAGS=-trimpath -buildvcs=false", "GOMODCACHE=" + cache,
		"GOPROXY=file://" + filepath.ToSlash(s.proxy.folder) + "," + proxies,
		"GONOSUMDB=" + strings.Trim(s.Path+","+rest, ","),
	}
	return nil
}

// newShell returns a shell in a new folder outside any module.
func (s *simulation) newShell(name string) (shell, error) {
	folder := filepath.Join(s.temp, name)
	return shell{folder, s.env}, os.MkdirAll(folder, 0o755)
}

// release tidies a module, completes its go.sum, and publishes it.
func (s *simulation) release(ctx context.Context, m Module) error {
	folder := filepath.Join(s.Root, m.Folder)
	if err := s.dropOwnSums(folder); err != nil {
		return err
	}
	before, err := s.committed(folder)
	if err != nil {
		return err
	}
	if _, err := (shell{folder, s.env}).goCommand(ctx, "mod", "tidy"); err != nil {
		return err
	}
	after, err := s.committed(folder)
	if err != nil {
		return err
	}
	if before != after {
		return fmt.Errorf("want go.mod and go.sum tidy, have:\n%s", difference(before, after))
	}
	if err := addLicense(s.Root, m.Folder); err != nil {
		return err
	}
	size, err := s.proxy.publish(module.Version{Path: m.Path, Version: m.Version}, folder)
	if err != nil {
		return err
	}
	s.print("release %s: tidy, %d kB", m.Tag(), size/1000)
	return nil
}

func (s *simulation) dropOwnSums(folder string) error {
	name := filepath.Join(folder, "go.sum")
	sums, err := readOptional(name)
	if err != nil || sums == "" {
		return err
	}
	return os.WriteFile(name, []byte(strings.Join(s.ownSums(sums, false), "")), 0o644)
}

// committed returns the text of go.mod, and of go.sum without the sums of our own modules.
func (s *simulation) committed(folder string) (string, error) {
	mod, err := readOptional(filepath.Join(folder, "go.mod"))
	if err != nil {
		return "", err
	}
	sums, err := readOptional(filepath.Join(folder, "go.sum"))
	return mod + strings.Join(s.ownSums(sums, false), ""), err
}

// difference returns the lines that only one of two files go.mod and go.sum contains. A minus marks
// the lines of the first, a plus those of the second. A requirement is equal inside and outside of
// a block.
func difference(before, after string) string {
	var all strings.Builder
	plain := func(line string) string { return strings.TrimPrefix(strings.TrimSpace(line), "require ") }
	for _, side := range []struct{ sign, have, other string }{{"-", before, after}, {"+", after, before}} {
		other := map[string]bool{}
		for line := range strings.Lines(side.other) {
			other[plain(line)] = true
		}
		for line := range strings.Lines(side.have) {
			if line = plain(line); !other[line] && line != "(" && line != ")" && line != "" {
				fmt.Fprintf(&all, "%s %s\n", side.sign, line)
			}
		}
	}
	return strings.TrimRight(all.String(), "\n")
}
