package manifest

import (
	"bytes"

	"kstatus.dev/status"
)

// A Document is a part of an input that is decoded on its own: one YAML document,
// or one JSON value or item of a JSON list. Its text is let go of when it has
// been decoded.
type Document struct {
	from  Source // its first line with content
	Text  []byte
	first int      // the line on which text begins
	json  bool     // text is in the form of a JSON value
	list  listType // of the list that it is an item of
	Items []Object // the decoded object; nil if it was not decoded
}

// An Object is one object of a piece, or why it is none.
type Object struct {
	Content  status.Map
	From     Source
	Err      error
	Warnings []string // problems that do not prevent reading it
}

// split cuts a text into documents at the lines that begin with --- or with
// three dots. Inside of a document no line can begin so: block scalars are
// indented. A document that begins with a brace is cut further, as JSON.
// Documents with nothing but comments are left out, and so are directives.
func split(file string, text []byte) []Document {
	var pieces []Document
	d := splitter{first: 1}
	emit := func(end int) {
		if d.content > 0 {
			pieces = append(pieces, d.pieces(file, text[d.start:end])...)
		}
	}
	line := 1
	for at := 0; at < len(text); line++ {
		end := len(text)
		if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		switch kind := kindOfLine(text[at:end]); {
		case kind == opening, kind == closing:
			emit(at)
			d = splitter{start: end, first: line + 1}
		case kind == openingWithContent:
			emit(at)
			d = splitter{start: at, first: line, content: line}
		case kind == content && d.content == 0:
			d.content = line
		}
		at = end
	}
	emit(len(text))
	return pieces
}

// A splitter is the one that split is at.
type splitter struct {
	start, first int // the offset at which it begins, and its line
	content      int // the first line with content, zero if none
}

func (d splitter) pieces(file string, text []byte) []Document {
	from := Source{File: file, Line: d.content}
	if body := bytes.TrimLeft(text, " \t\r\n"); len(body) > 0 && body[0] == '{' {
		return splitJSON(from, body)
	}
	return []Document{{from: from, Text: text, first: d.first}}
}

// A lineKind is the role of a line for split.
type lineKind int

const (
	content lineKind = iota
	empty            // blank, a comment, or a directive such as %YAML 1.2
	opening          // ---
	openingWithContent
	closing // ...
)

func kindOfLine(line []byte) lineKind {
	line = bytes.TrimRight(line, " \t\r\n")
	marker := len(line) == 3 || len(line) > 3 && (line[3] == ' ' || line[3] == '\t')
	switch {
	case marker && bytes.HasPrefix(line, []byte("---")):
		if rest := bytes.TrimLeft(line[3:], " \t"); len(rest) == 0 || rest[0] == '#' {
			return opening
		}
		return openingWithContent
	case marker && bytes.HasPrefix(line, []byte("...")):
		return closing
	case len(line) == 0, line[0] == '%': // within a document, no content begins so
		return empty
	}
	if rest := bytes.TrimLeft(line, " \t"); rest[0] == '#' {
		return empty
	}
	return content
}
