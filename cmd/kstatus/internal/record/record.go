// Package record writes runs of the command to a file, line by line, and reads
// them so that they can be shown again.
package record

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/terminal"
)

// Flags are the flags for recording a run.
type Flags struct {
	File   string
	writer *Writer // the open record
}

// AddTo defines the flag.
func (f *Flags) AddTo(cmd *cobra.Command) {
	readers := "get and explain"
	if cmd.Name() == "wait" {
		readers = "get, explain and wait"
	}
	cmd.Flags().StringVar(&f.File, "record", "", "`FILE` for a record of the run. "+readers+" show it with --local -f FILE. Secrets are replaced as far as they are recognized.")
	// The only possible error is a flag that does not exist: it is defined above.
	_ = cmd.MarkFlagFilename("record")
}

// Open creates the file of a record, and returns nil without --record. Only the owner can read
// the file, since it holds much data of a cluster. It is an error if the file is one of the
// inputs.
func (f *Flags) Open(inputs ...string) (*Writer, error) {
	if f.File == "" {
		return nil, nil
	}
	if cli.IsInput(f.File, inputs) {
		return nil, exit.Usagef("--record %s: want a file that is not an input", f.File)
	}
	file, err := cli.NewPartialFile(f.File)
	if err != nil {
		return nil, exit.Usagef("--record: %w", err)
	}
	f.writer = &Writer{name: f.File, file: file}
	return f.writer, nil
}

// Close completes the record of a run that ended early.
func (f *Flags) Close() error {
	if f.writer == nil || f.writer.closed {
		return nil
	}
	return f.writer.close()
}

// A Writer writes a record line by line to a temporary file, which replaces the file of the
// record at the end. An earlier record remains until then. The temporary file is usable even if
// the process is killed.
type Writer struct {
	name   string
	file   io.WriteCloser
	closed bool
	size   int64
	err    error // the first error of a write; later writes do nothing
}

// maxRecordSize is the size limit for the changes in a record. The final state is always written.
const maxRecordSize = 128 << 20

// full reports whether the record has reached mostRecord.
func (r *Writer) full() bool { return r.size >= maxRecordSize }

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

// discard removes the record. An earlier file remains.
func (r *Writer) discard() error {
	if file, ok := r.file.(*cli.PartialFile); ok {
		if _, err := os.Lstat(r.name); err == nil {
			r.closed = true
			r.fail(file.Discard())
			return r.err
		}
	}
	return r.close()
}

// close ends the record, and returns the first error.
func (r *Writer) close() error {
	r.closed = true
	r.fail(r.file.Close())
	return r.err
}
