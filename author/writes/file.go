package writes

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	kjson "k8s.io/apimachinery/pkg/util/json"

	"kstatus.dev/author/audit"
	"kstatus.dev/internal/decoded"
)

// version is the version of the format of recorded streams; see
// docs/reference/writes.schema.json. It increases when the meaning of lines changes.
const version = 1

// head is the first line of a recorded stream.
type head struct {
	V    int    `json:"v"`
	Type string `json:"type"` // "WRITES"
}

// A Writer records a stream, one line per write. What was written survives if the process
// is killed; a compressed stream survives up to the last Tick. A Writer belongs to one
// goroutine.
type Writer struct {
	out io.Writer
	zip *gzip.Writer
	err error
}

// NewWriter returns a Writer and writes the first line of the stream. The error is that
// of out. [Writer.Close] ends the stream, but does not close out.
func NewWriter(out io.Writer, compressed bool) (*Writer, error) {
	w := &Writer{out: out}
	if compressed {
		w.zip = gzip.NewWriter(out)
		w.out = w.zip
	}
	w.line(head{version, "WRITES"})
	return w, w.err
}

// Write records a write. After an error, it returns the same error again.
func (w *Writer) Write(a audit.Write) error {
	w.line(a)
	if a.Type == audit.WriteTick && w.zip != nil && w.err == nil {
		w.err = w.zip.Flush()
	}
	return w.err
}

func (w *Writer) line(line any) {
	if w.err != nil {
		return
	}
	var b bytes.Buffer
	encode := json.NewEncoder(&b)
	encode.SetEscapeHTML(false)
	if w.err = encode.Encode(line); w.err == nil {
		_, w.err = w.out.Write(b.Bytes())
	}
}

// Close ends the stream, and returns the first error of the Writer.
func (w *Writer) Close() error {
	if w.zip != nil && w.err == nil {
		w.err = w.zip.Close()
	}
	return w.err
}

// A Reader reads a recorded stream or an audit log. The zero value reads everything.
type Reader struct {
	// Kinds selects requests of an audit log: lamps.example.com, lamps or *.example.com.
	// None means all except Events and Leases. A recorded stream is read as a whole.
	Kinds []string

	// OnNote, if set, receives one line about each omission.
	OnNote func(note string)
}

// maxValue limits the size of one write in a file, in bytes.
const maxValue = 64 << 20

// Read reports the writes of a recorded stream, or the requests in an audit log of
// an API server. An audit log has Events of audit.k8s.io, one after the other or in
// EventLists. Both inputs may be compressed by gzip. It skips an incomplete last
// line. Errors contain the line number.
func (r Reader) Read(in io.Reader, report func(audit.Write)) error {
	buffered := bufio.NewReaderSize(in, 1<<16)
	if magic, _ := buffered.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		plain, err := gzip.NewReader(buffered)
		if err != nil {
			return fmt.Errorf("line 1: %w", err)
		}
		defer plain.Close()
		buffered = bufio.NewReaderSize(plain, 1<<16)
	}
	v := &values{lines: lines{in: buffered}}
	v.decode = json.NewDecoder(&v.lines)
	log := &auditLog{filter: r.Kinds, names: newKindNames(), report: report}
	take := parseFirst(report, log)
	defer func() {
		if log.withoutObject > 0 {
			r.note(fmt.Sprintf("requests without a response object were skipped: %d; the audit policy needs the level RequestResponse", log.withoutObject))
		}
	}()
	for {
		value, line, err := v.next()
		switch {
		case errors.Is(err, io.EOF) && v.count == 0:
			return errors.New("line 1: want a recorded stream or an audit log, have nothing")
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, io.ErrUnexpectedEOF) && v.count > 1:
			r.note(fmt.Sprintf("line %d: the last value is incomplete and was skipped", line))
			return nil
		case err != nil && v.count <= 1 && !errors.Is(err, io.ErrUnexpectedEOF):
			err = fmt.Errorf("%w; found %w", errOther, err)
		case err == nil:
			take, err = take(value)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
}

func (r Reader) note(note string) {
	if r.OnNote != nil {
		r.OnNote(note)
	}
}

// A parserState parses a value, and returns the state for the next one.
type parserState func(value []byte) (parserState, error)

// errOther is the error for a file in neither format.
var errOther = errors.New(`want the first line of a recorded stream, {"v":1,"type":"WRITES"}, or an Event of audit.k8s.io`)

// parseFirst parses the first value, which determines the format.
func parseFirst(report func(audit.Write), log *auditLog) parserState {
	return func(value []byte) (parserState, error) {
		var h struct {
			head
			Kind, APIVersion string
		}
		if value[0] != '{' {
			return nil, errOther
		}
		if err := json.Unmarshal(value, &h); err != nil {
			return nil, err
		}
		switch {
		case h.Type == "WRITES" && h.V != version:
			return nil, fmt.Errorf("v: want %d, have %d, which is the format of a later version of kstatus", version, h.V)
		case h.Type == "WRITES":
			return parseRecorded(report), nil
		case h.Kind == "Event" || h.Kind == "EventList":
			return log.parse(value)
		}
		return nil, errOther
	}
}

var recordedTypes = []audit.WriteType{audit.WriteAdded, audit.WriteModified, audit.WriteDeleted, audit.WriteGap, audit.WriteTick}

// parseRecorded parses the lines of a recorded stream after the first one.
func parseRecorded(report func(audit.Write)) (take parserState) {
	take = func(value []byte) (parserState, error) {
		var l struct {
			audit.Write
			Object json.RawMessage `json:"object"`
		}
		if err := json.Unmarshal(value, &l); err != nil {
			return nil, err
		}
		if !slices.Contains(recordedTypes, l.Type) {
			return nil, fmt.Errorf("type: want one of %v, have %q", recordedTypes, l.Type)
		}
		if l.Time.Equal(time.Time{}) {
			return nil, errors.New("time: want a time, have none")
		}
		w := l.Write
		if len(l.Object) > 0 {
			if err := kjson.Unmarshal(l.Object, &w.Object); err != nil {
				return nil, fmt.Errorf("object: %w", err)
			}
		}
		if w.Type != audit.WriteGap && w.Type != audit.WriteTick && (decoded.Text(w.Object, "kind") == "" || decoded.Text(w.Object, "metadata", "name") == "") {
			return nil, errors.New("object: want one with a kind and a name, have none")
		}
		report(w)
		return take, nil
	}
	return take
}

// values splits a stream of JSON values, and tracks their lines.
type values struct {
	lines  lines
	decode *json.Decoder
	count  int
}

// next returns the next value, and the line on which it begins.
func (v *values) next() (value json.RawMessage, line int, err error) {
	v.lines.limit = maxValue
	before := v.decode.InputOffset()
	more := v.decode.More() // skips white space before the value
	line = v.lines.lineNumber(max(before, v.decode.InputOffset()))
	if err = v.decode.Decode(&value); err != nil {
		if bad, ok := errors.AsType[*json.SyntaxError](err); ok && more {
			line = v.lines.lineNumber(bad.Offset)
		}
		return nil, line, err
	}
	v.count++
	return value, line, nil
}

// lines is a reader that tracks the offsets of lines.
type lines struct {
	in          io.Reader
	ends        []int64 // offsets after the line ends that were read but not passed.
	passedLines int     // number of passed line ends.
	offset      int64
	limit       int // bytes that may be read before the next value.
}

// Read reads, and records line ends.
func (l *lines) Read(p []byte) (int, error) {
	n, err := l.in.Read(p[:min(len(p), max(l.limit, 0))])
	for i, b := range p[:n] {
		if b == '\n' {
			l.ends = append(l.ends, l.offset+int64(i)+1)
		}
	}
	l.offset += int64(n)
	if l.limit -= n; n == 0 && l.limit <= 0 {
		return 0, fmt.Errorf("want at most %d bytes, have more", maxValue)
	}
	return n, err
}

// lineNumber returns the line number of an offset. Offsets must not decrease
// between calls.
func (l *lines) lineNumber(offset int64) int {
	n := 0
	for n < len(l.ends) && l.ends[n] <= offset {
		n++
	}
	l.ends, l.passedLines = l.ends[n:], l.passedLines+n
	return l.passedLines + 1
}
