package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestPartialFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "r")
	content := func(name string) string {
		t.Helper()
		text, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		return string(text)
	}
	try := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	write := func(p *PartialFile, text string) {
		t.Helper()
		_, err := p.Write([]byte(text))
		try(err)
	}
	try(os.WriteFile(name, []byte("before"), 0o644))

	p, err := NewPartialFile(name)
	try(err)
	try(p.Close())
	if have := content(name); have != "before" {
		t.Errorf("without a write it is %q", have)
	}

	p, err = NewPartialFile(name)
	try(err)
	write(p, "new")
	if have, other := content(name), content(name+PartialSuffix); have != "before" || other != "new" {
		t.Errorf("meanwhile it is %q, and the other %q", have, other)
	}
	try(p.Discard())
	if have := content(name); have != "before" || content(name+PartialSuffix) != "" {
		t.Errorf("discarded it is %q", have)
	}

	try(os.WriteFile(name+PartialSuffix, []byte("of one that was killed"), 0o644))
	p, err = NewPartialFile(name)
	try(err)
	write(p, "newer")
	try(p.Close())
	try(p.Discard())
	info, err := os.Stat(name)
	try(err)
	if have := content(name); have != "newer" || info.Mode().Perm() != 0o600 {
		t.Errorf("closed it is %q with %s", have, info.Mode())
	}
	if _, err := p.Write([]byte("x")); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("written when closed: %v", err)
	}

	p, err = NewPartialFile(name)
	try(err)
	write(p, "mine")
	try(os.Remove(name + PartialSuffix))
	try(os.WriteFile(name+PartialSuffix, []byte("not mine"), 0o600))
	if err := p.Close(); err == nil || content(name) != "newer" {
		t.Errorf("what another process has written became %q: %v", content(name), err)
	}
}

func TestPartialFileFollowsNoLink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.WriteFile(target, []byte("kept"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	if _, err := NewPartialFile(link); err == nil {
		t.Error("a link is followed")
	}
	if err := os.Symlink(target, filepath.Join(dir, "other"+PartialSuffix)); err != nil {
		t.Fatal(err)
	}
	if _, err := NewPartialFile(filepath.Join(dir, "other")); err == nil {
		t.Error("a link under the other name is followed")
	}
	info, err := os.Stat(target)
	if err != nil || info.Size() != int64(len("kept")) || info.Mode().Perm() != 0o644 {
		t.Errorf("the target has %d bytes and %s: %v", info.Size(), info.Mode(), err)
	}
	if _, err := NewPartialFile(dir); err == nil {
		t.Error("a folder is written to")
	}
}

func TestIsInput(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.yaml")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		it, name string
		inputs   []string
		want     bool
	}{
		{"is the file itself", file, []string{"-", file}, true},
		{"is in a folder", file, []string{dir}, true},
		{"is another file", filepath.Join(dir, "b.yaml"), []string{dir, file}, false},
		{"is not read from a folder", filepath.Join(dir, "r.ndjson"), []string{dir}, false},
	} {
		t.Run(row.it, func(t *testing.T) {
			if have := IsInput(row.name, row.inputs); have != row.want {
				t.Errorf("it is %t", have)
			}
		})
	}
}
