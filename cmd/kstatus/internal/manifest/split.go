package manifest

import (
	"bytes"

	"kstatus.dev/status"
)

// A Document is a part of an input that is decoded separately: a YAML document, a JSON value, or
// an item of a JSON list. Its text is dropped after decoding.
type Document struct {
	from  Source // its first line with content.
	Text  []byte
	first int      // the line at which text begins.
	json  bool     // text is a JSON value.
	list  listType // the list of an item.
	Items []Object // the decoded objects; nil before decoding.
}

// An Object is one object of a document, or the error for a document without one.
type Object struct {
	Content  status.Map
	From     Source
	Err      error
	Warnings []string // problems in the text of a readable object
}

// split splits a text into documents at the lines that begin with --- or with three dots. Other
// lines of a document cannot begin with them, since block scalars are indented. It splits a
// document that begins with a brace further, as JSON. It omits documents that contain only
// comments, and directives.
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

// A splitter holds the current document of split.
type splitter struct {
	start, first int // the offset and the line of its start
	content      int // the first line with content; zero without one
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
	case len(line) == 0, line[0] == '%': // content cannot begin with % in a document
		return empty
	}
	if rest := bytes.TrimLeft(line, " \t"); rest[0] == '#' {
		return empty
	}
	return content
}
