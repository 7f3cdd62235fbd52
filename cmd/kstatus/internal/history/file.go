package history

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/internal/crash"
	"kstatus.dev/status"
)

// A Sample is one measured duration of an object.
type Sample struct {
	ID   status.ID
	Took time.Duration
	At   time.Time
}

// Read reads a history file. It returns an empty history if the file does not exist.
func Read(name string) (Durations, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return Durations{}, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	switch {
	case err != nil:
		return nil, err
	case len(text) > maxFileSize:
		return nil, fmt.Errorf("%s: want %d bytes at most, have more", name, maxFileSize)
	}
	h, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return h, nil
}

// lockTimeout is how long to wait for the lock of another process.
const lockTimeout = 2 * time.Second

// Add adds measured durations to a file. It locks the file, so concurrent processes are safe,
// and replaces it. It does not change a file that cannot be parsed.
func Add(name string, all []Sample) error {
	if len(all) == 0 {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	done := make(chan error, 1)
	crash.Go(func() { done <- addLocked(name, all) })
	select {
	case err := <-done:
		return err
	case <-time.After(lockTimeout):
		return fmt.Errorf("%s: it is locked for more than %s", name, lockTimeout)
	}
}

func addLocked(name string, all []Sample) error {
	unlock, err := lockedfile.MutexAt(name + ".lock").Lock()
	if err != nil {
		return err
	}
	defer unlock()
	h, err := Read(name)
	if err != nil {
		return err
	}
	for _, m := range all {
		h.add(m.ID, m.Took, m.At)
	}
	text, err := h.text()
	if err != nil {
		return err
	}
	return cli.ReplaceFile(name, 0o600, func(f *os.File) error {
		_, err := f.Write(text)
		return err
	})
}
