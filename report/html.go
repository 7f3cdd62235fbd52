package report

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"io"
	"strings"
)

//go:embed page
var pageFiles embed.FS

// scriptFiles are the files of the page's script, in order: a file uses definitions of earlier
// ones.
var scriptFiles = []string{"words.js", "rows.js", "filter.js", "timeline.js", "tree.js", "page.js"}

// pageFile returns a file of the page.
func pageFile(name string) string {
	text, err := pageFiles.ReadFile("page/" + name)
	if err != nil {
		return "" // all parts are embedded, which the tests verify
	}
	return string(text)
}

// script returns the page's script, which defines no global names.
func script() string {
	var b strings.Builder
	b.WriteString("\"use strict\";\n(() => {\n")
	for _, name := range scriptFiles {
		b.WriteString(pageFile(name))
	}
	b.WriteString("})();\n")
	return b.String()
}

// HTML writes the run as one self-contained page, which needs no network and no server. It has
// the JSON report as its data. Its security policy permits only its own scripts, and no
// requests.
func (r *Run) HTML(w io.Writer) error {
	data, err := r.document("")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, string(fill(pageFile("page.html"), htmlPage{r}.values(data))))
	return err
}

// digest returns the digest of a script or a style in the syntax of a security policy.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
