package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// A measured duration is what an object took.
type sample struct {
	key  historyKey
	took time.Duration
	at   time.Time
}

// readHistory reads a file; one that does not exist is an empty history.
func readHistory(name string) (history, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return history{}, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostHistory+1))
	switch {
	case err != nil:
		return nil, err
	case len(text) > mostHistory:
		return nil, fmt.Errorf("%s: want %d bytes at most, have more", name, mostHistory)
	}
	h, err := historyOf(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return h, nil
}

// How long to wait for another process that writes the same history.
const historyPatience = 2 * time.Second

// addToHistory adds to a file what was measured. Others may do so at the same
// time: the file is read, changed and replaced under a lock, so that it is whole
// at any time and loses nothing. A file that cannot be understood is left alone.
func addToHistory(name string, all []sample) error {
	if len(all) == 0 {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- addLocked(name, all) }()
	select {
	case err := <-done:
		return err
	case <-time.After(historyPatience):
		return fmt.Errorf("%s: it is locked for more than %s", name, historyPatience)
	}
}

func addLocked(name string, all []sample) error {
	unlock, err := lockedfile.MutexAt(name + ".lock").Lock()
	if err != nil {
		return err
	}
	defer unlock()
	h, err := readHistory(name)
	if err != nil {
		return err
	}
	for _, m := range all {
		h.add(m.key, m.took, m.at)
	}
	text, err := h.text()
	if err != nil {
		return err
	}
	return replaceFile(name, 0o600, func(f *os.File) error {
		_, err := f.Write(text)
		return err
	})
}
