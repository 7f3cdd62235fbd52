package outputs

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"kstatus.dev/report"
)

// For any text in any place, the HTML and XML of a report contain only the elements of their
// templates. The annotations are a line each, and the JSON is valid.
func TestReportsHaveOnlyTheirOwnMarkup(t *testing.T) {
	plain := written(t, run(noPlace, ""))
	elements := htmlTags(plain["html"])
	tags, err := xmlTags(plain["junit"])
	if err != nil || len(elements) < 20 || len(tags) < 10 {
		t.Fatalf("the templates have %d and %d elements: %v", len(elements), len(tags), err)
	}
	for _, where := range places {
		t.Run(fmt.Sprint(where), func(t *testing.T) {
			for _, hostile := range textsFor(where) {
				all := written(t, run(where, "x"+hostile))
				if have := htmlTags(all["html"]); !slices.Equal(have, elements) {
					t.Errorf("%q makes other elements: %s", hostile, difference(have, elements))
				}
				if have, err := xmlTags(all["junit"]); err != nil || !slices.Equal(have, tags) {
					t.Errorf("%q makes other XML: %v: %s", hostile, err, difference(have, tags))
				}
				if !json.Valid(all["json"]) {
					t.Errorf("%q makes JSON that is none", hostile)
				}
				if lines := strings.Split(strings.TrimSuffix(string(all["github"]), "\n"), "\n"); len(lines) != 1 || !annotation.MatchString(lines[0]) {
					t.Errorf("%q makes the commands %q", hostile, lines)
				}
				for name, text := range all {
					checkVisible(t, "report as "+name, hostile, text)
				}
			}
		})
	}
}

// annotation matches the command of an annotation: characters that could end its properties
// early are escaped.
var annotation = regexp.MustCompile(`^::error title=[^:,]*(,file=[^:,]*,line=[0-9]+)?::[^\r\n]*$`)

// written returns the reports of a run by format.
func written(t testing.TB, r *report.Run) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for name, write := range map[string]func(io.Writer) error{
		"json": r.JSON, "junit": r.JUnit, "html": r.HTML,
		"md":     func(w io.Writer) error { return r.Markdown(w, 0) },
		"github": func(w io.Writer) error { return r.GitHub(w, "", "/repo") },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all[name] = b.Bytes()
	}
	return all
}

// htmlTags returns the elements of a page with the names of their attributes, and all addresses.
func htmlTags(page []byte) (tags []string) {
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return tags
		case html.CommentToken, html.DoctypeToken:
			tags = append(tags, z.Token().String())
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			token := z.Token()
			tag := "<" + token.Type.String() + " " + token.Data
			for _, a := range token.Attr {
				tag += " " + a.Key
				if (a.Key == "href" || a.Key == "src" || a.Key == "content") && !strings.HasPrefix(a.Val, "#") {
					tag += "=" + a.Val
				}
			}
			tags = append(tags, tag+">")
		}
	}
}

// difference describes the first difference between two lists of elements.
func difference(have, want []string) string {
	for i := range min(len(have), len(want)) {
		if have[i] != want[i] {
			return fmt.Sprintf("element %d is %s, want %s", i, have[i], want[i])
		}
	}
	return fmt.Sprintf("%d elements, want %d", len(have), len(want))
}

// xmlTags returns the elements of a document with the names of their attributes.
func xmlTags(document []byte) (tags []string, err error) {
	decode := xml.NewDecoder(bytes.NewReader(document))
	for {
		token, err := decode.Token()
		switch token := token.(type) {
		case xml.StartElement:
			tag := "<" + token.Name.Local
			for _, a := range token.Attr {
				tag += " " + a.Name.Local
			}
			tags = append(tags, tag+">")
		case xml.EndElement:
			tags = append(tags, "</"+token.Name.Local+">")
		case xml.Comment, xml.Directive:
			tags = append(tags, "<!>")
		}
		if errors.Is(err, io.EOF) {
			return tags, nil
		}
		if err != nil {
			return tags, err
		}
	}
}
