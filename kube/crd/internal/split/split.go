// Package split cuts a text into YAML documents and JSON values.
package split

import (
	"bytes"
	"encoding/json"
	"io"
)

// A Part is a document, or a JSON value, and what stands between it and the part before.
type Part struct{ Before, Text []byte }

const byteOrderMark = "\ufeff"

// Documents cuts a text into documents at the lines that begin with --- or with
// three dots; inside of a document no line can begin so, since block scalars are
// indented. What begins with a brace is cut further, as JSON values that follow
// each other. Documents without content are left to what stands between.
func Documents(text []byte) (parts []Part, rest []byte) {
	from, start, content := 0, 0, false // from: of what no document has taken yet
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
		if bytes.HasPrefix(line, []byte(byteOrderMark)) { // also of files that were joined
			line, skip = line[len(byteOrderMark):], len(byteOrderMark)
		}
		switch kind := kindOf(line); {
		case kind == separator:
			emit(at)
			start, content = end, false
		case kind == separatorWithContent:
			emit(at)
			start, content = at+skip, true
		case skip > 0 && !content:
			start, content = at+skip, kind == something
		case kind == something:
			content = true
		}
		at = end
	}
	emit(len(text))
	return parts, text[from:]
}

// jsonValues cuts a document into the JSON values that it holds, if it holds
// several. One is left whole: it may as well be a mapping of YAML in braces.
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

// A lineKind is what a line means to Documents.
type lineKind int

const (
	something            lineKind = iota
	nothing                       // blank, a comment, or a directive such as %YAML 1.2
	separator                     // --- or ...
	separatorWithContent          // --- with something behind it
)

func kindOf(line []byte) lineKind {
	line = bytes.TrimRight(line, " \t\r\n")
	marker := len(line) == 3 || len(line) > 3 && (line[3] == ' ' || line[3] == '\t')
	switch {
	case marker && bytes.HasPrefix(line, []byte("---")):
		if rest := bytes.TrimLeft(line[3:], " \t"); len(rest) == 0 || rest[0] == '#' {
			return separator
		}
		return separatorWithContent
	case marker && bytes.HasPrefix(line, []byte("...")):
		return separator
	case len(line) == 0, line[0] == '%':
		return nothing
	case bytes.TrimLeft(line, " \t")[0] == '#':
		return nothing
	}
	return something
}
