package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// recordFile is the file in the copy that lists what was done.
const recordFile = "graft.json"

// A record lists what was done to a copy.
type record struct {
	Original       source
	Facade         source
	Implementation string            // the version of kstatus.dev/dropin that go.mod requires
	Replace        folders           `json:",omitempty"`
	Replaced       []string          // files that the façade replaces
	Removed        []string          `json:",omitempty"` // tests of replaced packages
	Kept           []string          `json:",omitempty"` // files with names that the façade lacks
	Files          map[string]string // checksums by path
}

func (r record) String() string { return fmt.Sprintf("%s with %s", r.Original, r.Facade) }

// readRecord reads the record of a folder. It returns nil if the folder is empty or does not exist.
func readRecord(dir string) (*record, error) {
	text, err := os.ReadFile(filepath.Join(dir, recordFile))
	if errors.Is(err, fs.ErrNotExist) {
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if len(entries) > 0 {
			return nil, fmt.Errorf("%s is not empty and has no %s: graft did not write it; want a new folder", dir, recordFile)
		}
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	var r record
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, recordFile), err)
	}
	return &r, nil
}

// text returns the text of the file.
func (r record) text() ([]byte, error) {
	text, err := json.MarshalIndent(r, "", "\t")
	return append(text, '\n'), err
}

// equal reports whether two records have the same text.
func (r record) equal(other record) bool {
	a, errA := r.text()
	b, errB := other.text()
	return errA == nil && errB == nil && bytes.Equal(a, b)
}

// hash sets the checksums of the files.
func (r *record) hash(ctx context.Context, files map[string][]byte) (err error) {
	r.Files, err = checksums(ctx, files)
	return err
}

// checksums returns the checksums of files. The go command changes versions in go.mod and go.sum. So
// the one of go.mod has all but the versions, and go.sum has none.
func checksums(ctx context.Context, files map[string][]byte) (map[string]string, error) {
	sums := map[string]string{}
	for name, text := range files {
		switch name {
		case goSum, recordFile:
			continue
		case goMod:
			f, err := parseGoMod(ctx, text)
			if err != nil {
				return nil, err
			}
			requires := f.version(implementation) != ""
			f.Go, f.Require = "", nil
			if text, err = json.Marshal(struct {
				File     modFile
				Requires bool
			}{f, requires}); err != nil {
				return nil, err
			}
		}
		sums[name] = fmt.Sprintf("sha256:%x", sha256.Sum256(text))
	}
	return sums, nil
}

// changes returns a line for each file of a folder that differs from the record.
func (r record) changes(ctx context.Context, dir string) (lines []string, err error) {
	files, err := read(dir)
	if err != nil {
		return nil, err
	}
	have, err := checksums(ctx, files)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, goMod), err)
	}
	all := map[string]bool{}
	for name := range have {
		all[name] = true
	}
	for name := range r.Files {
		all[name] = true
	}
	for _, name := range sortedKeys(all) {
		was, wanted := r.Files[name]
		is, exists := have[name]
		switch {
		case !wanted:
			lines = append(lines, "added    "+name)
		case !exists:
			lines = append(lines, "removed  "+name)
		case was != is:
			lines = append(lines, "changed  "+name)
		}
	}
	return lines, nil
}
