// Package split cuts a text into YAML documents and JSON values.
package split

import (
	"bytes"
	"encoding/json"
	"io"
)

// A Part is a document or a JSON value, with the text between the previous part
// and this one.
type Part struct{ Before, Text []byte }

const byteOrderMark = "\ufeff"

// Documents splits a text into documents at lines that begin with --- or with
// three dots. No other line can begin so, because block scalars are indented. A
// document that begins with a brace is split further into consecutive JSON
// values. Documents without content become part of the text in between.
func Documents(text []byte) (parts []Part, rest []byte) {
	from, start, content := 0, 0, false // from: the start of the text that belongs to no document yet
	emit := func(end int) {
		if !content {
			return
		}
		parts = append(parts, jsonValues(Part{text[from:start], text[start:end]})...)
		from = end
	}
	for at := 0; at < len(text); {
		line := text[at:]
		if n := bytes.IndexByte(line, '\n'); n >= 0 {
			line = line[:n+1]
		}
		end, skip := at+len(line), 0
		if bytes.HasPrefix(line, []byte(byteOrderMark)) { // also inside, if files were concatenated
			line, skip = line[len(byteOrderMark):], len(byteOrderMark)
		}
		switch kind := kindOf(line); {
		case kind == lineSeparator:
			emit(at)
			start, content = end, false
		case kind == lineSeparatorWithContent:
			emit(at)
			start, content = at+skip, true
		case skip > 0 && !content:
			start, content = at+skip, kind == lineContent
		case kind == lineContent:
			content = true
		}
		at = end
	}
	emit(len(text))
	return parts, text[from:]
}

// jsonValues splits a document into JSON values if it has several. A single
// value stays whole, because it may be a flow mapping of YAML.
func jsonValues(d Part) []Part {
	if body := bytes.TrimLeft(d.Text, " \t\r\n"); len(body) == 0 || body[0] != '{' {
		return []Part{d}
	}
	var ends []int
	reader := json.NewDecoder(bytes.NewReader(d.Text))
	for {
		var value json.RawMessage
		err := reader.Decode(&value)
		if err == io.EOF {
			break
		}
		if err != nil {
			return []Part{d}
		}
		ends = append(ends, int(reader.InputOffset()))
	}
	if len(ends) < 2 {
		return []Part{d}
	}
	var all []Part
	ends[len(ends)-1] = len(d.Text)
	from, before := 0, d.Before
	for _, end := range ends {
		all = append(all, Part{before, d.Text[from:end]})
		from, before = end, nil
	}
	return all
}

// A lineKind is the meaning of a line for Documents.
type lineKind int

const (
	lineContent              lineKind = iota
	lineBlank                         // blank, a comment, or a directive such as %YAML 1.2
	lineSeparator                     // --- or ...
	lineSeparatorWithContent          // --- followed by content
)

func kindOf(line []byte) lineKind {
	line = bytes.TrimRight(line, " \t\r\n")
	marker := len(line) == 3 || len(line) > 3 && (line[3] == ' ' || line[3] == '\t')
	switch {
	case marker && bytes.HasPrefix(line, []byte("---")):
		if rest := bytes.TrimLeft(line[3:], " \t"); len(rest) == 0 || rest[0] == '#' {
			return lineSeparator
		}
		return lineSeparatorWithContent
	case marker && bytes.HasPrefix(line, []byte("...")):
		return lineSeparator
	case len(line) == 0, line[0] == '%':
		return lineBlank
	case bytes.TrimLeft(line, " \t")[0] == '#':
		return lineBlank
	}
	return lineContent
}
