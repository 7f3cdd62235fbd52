// Package record writes runs of the command to a file, line by line, and reads
// them so that they can be shown again.
package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/terminal"
)

// Flags say where a run is recorded.
type Flags struct {
	File string
}

// AddTo defines the flag.
func (f *Flags) AddTo(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.File, "record", "", "`FILE` to record the run in, which get, explain and wait show again with --local -f FILE; it holds no values of secrets")
	// An error would mean that the flag does not exist, just above.
	_ = cmd.MarkFlagFilename("record")
}

// Open creates the file of a record; it returns nil without --record. Only the owner can read
// the file, since it holds much about a cluster.
func (f *Flags) Open() (*Writer, error) {
	if f.File == "" {
		return nil, nil
	}
	file, err := os.OpenFile(f.File, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, exit.Usagef("--record: %w", err)
	}
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		if err := file.Chmod(0o600); err != nil {
			return nil, exit.Usagef("--record: %w", errors.Join(err, file.Close()))
		}
	}
	return &Writer{name: f.File, file: file}, nil
}

// A Writer writes a record line by line, as events happen, so that a record is usable even if
// the process is killed.
type Writer struct {
	name string
	file io.WriteCloser
	size int64
	err  error // the first that a write has had; nothing is written after it
}

// mostRecord is how large a record may become by changes. What is there at the
// end is written in any case.
const mostRecord = 128 << 20

// full reports whether there is no room for changes any more.
func (r *Writer) full() bool { return r.size >= mostRecord }

// write writes one line.
func (r *Writer) write(line any) {
	var text bytes.Buffer
	if err := terminal.NewEncoder(&text).Encode(line); err != nil {
		r.fail(err)
		return
	}
	r.text(text.Bytes())
}

// text writes whole lines.
func (r *Writer) text(lines []byte) {
	if r.err != nil {
		return
	}
	n, err := r.file.Write(lines)
	r.size += int64(n)
	r.fail(err)
}

func (r *Writer) fail(err error) {
	if r.err == nil && err != nil {
		r.err = fmt.Errorf("record: %w", err)
	}
}

// close ends the record, and returns what has gone wrong with it.
func (r *Writer) close() error {
	r.fail(r.file.Close())
	return r.err
}
