package outputs

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	nethtml "golang.org/x/net/html"

	"kstatus.dev/explain"
	"kstatus.dev/observe"
	"kstatus.dev/report"
	"kstatus.dev/status"
)

var began = time.Date(2026, 11, 20, 16, 0, 0, 0, time.UTC)

// A place is a field of a run that can contain foreign text.
type place string

// The places.
const (
	inName      place = "name"
	inNamespace place = "namespace"
	inKind      place = "kind"
	inGroup     place = "group"
	inCluster   place = "cluster"
	inReason    place = "reason"
	inMessage   place = "message"
	inUnmet     place = "unmet"
	inStatus    place = "status"
	inError     place = "error"
	inGoal      place = "goal"
	inTimeout   place = "timeout"
	inContext   place = "context"
	inFile      place = "file"
	inCause     place = "cause"
	inCauseKind place = "kind of the cause"
	inContainer place = "container"
	inStep      place = "step"
	inPath      place = "path"
	inValue     place = "value"
	inOrigin    place = "origin"
	inLogName   place = "name of a log"
	inLog       place = "log"
	inChanged   place = "change"
	inNext      place = "command"
	inGap       place = "gap"
	inGapReason place = "reason of a gap"
	noPlace     place = ""
	allPlaces   place = "*"
)

var places = []place{
	inName, inNamespace, inKind, inGroup, inCluster, inReason, inMessage, inUnmet, inStatus, inError, inGoal, inTimeout, inContext, inFile, inCause, inCauseKind,
	inContainer, inStep, inPath, inValue, inOrigin, inLogName, inLog, inChanged, inNext, inGap, inGapReason, allPlaces,
}

// run returns a run with a text in one place.
func run(where place, hostile string) *report.Run {
	at := func(p place) string {
		if where == p || where == allPlaces {
			return hostile
		}
		return "plain"
	}
	start := report.Start{Time: began, Version: "v0.1.0", Command: []string{"kstatus"}, Goal: []string{at(inGoal)}, Timeout: at(inTimeout), Profile: "default", Contexts: []string{at(inContext)}}
	r := report.New(start)
	target := observe.Target{Cluster: at(inCluster), Kind: status.Kind{Group: at(inGroup), Kind: at(inKind)}, Namespace: at(inNamespace), Name: at(inName)}
	r.AddTarget(target, &report.Source{File: at(inFile), Line: 3})
	b := new(observe.Board)
	result := status.Result{Status: status.Status(at(inStatus)), Reason: at(inReason), Message: at(inMessage), Failure: status.FailureTerminal}
	u := observe.Update{Target: target, Result: result, Progress: observe.ProgressFailed, Unmet: at(inUnmet), Evidence: []status.Read{{Path: at(inPath), Value: at(inValue)}}}
	b.Add(u)
	r.AddUpdate(u, began.Add(time.Second))
	id := target.ID()
	cause := explain.Cause{
		Kind: at(inCauseKind), Text: at(inCause), Count: 2, Objects: []status.ID{id}, Blocks: []status.ID{id}, Changed: []string{at(inChanged)}, Next: []string{at(inNext)},
		Chain: []explain.Step{{ID: id, Status: status.FailedStatus, Text: at(inStep)}, {ID: id, Status: status.UnknownStatus, Container: at(inContainer)}},
		Evidence: []explain.Evidence{
			{From: explain.Origin(at(inOrigin)), Object: id, Path: at(inPath), Value: at(inValue)},
			{From: explain.OriginLog, Object: id, Log: at(inLogName), Lines: []string{at(inLog), at(inLog)}},
			{From: explain.OriginEvent, Object: id, Value: at(inValue)},
		},
	}
	r.AddExplanation(&explain.Explanation{Causes: []explain.Cause{cause, cause}, Gaps: []explain.Gap{{Subject: at(inGap), Reason: at(inGapReason)}}})
	r.End(b, report.Result{Time: began.Add(time.Minute), Outcome: "failed", ExitCode: 3, Error: at(inError)})
	return r
}

// markdown renders the Markdown of a run as GitHub and GitLab do before they remove dangerous
// elements.
func markdown(t testing.TB, r *report.Run) (source, page []byte, doc ast.Node) {
	t.Helper()
	var b, out bytes.Buffer
	if err := r.Markdown(&b, 0); err != nil {
		t.Fatal(err)
	}
	md := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	doc = md.Parser().Parse(text.NewReader(b.Bytes()))
	if err := md.Renderer().Render(&out, b.Bytes(), doc); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), out.Bytes(), doc
}

// skeleton returns the elements of a page in order, without the optional code elements in
// sentences.
func skeleton(page []byte) (tags []string) {
	z := nethtml.NewTokenizer(bytes.NewReader(page))
	for {
		switch z.Next() {
		case nethtml.ErrorToken:
			return tags
		case nethtml.CommentToken, nethtml.DoctypeToken:
			tags = append(tags, z.Token().String())
		case nethtml.StartTagToken, nethtml.EndTagToken, nethtml.SelfClosingTagToken:
			if token := z.Token(); token.Data != "code" || len(token.Attr) > 0 {
				tags = append(tags, token.String())
			}
		}
	}
}

// rawHTML are the pieces of raw HTML that the report writes itself.
var rawHTML = regexp.MustCompile(`^(<details( open)?>\n<summary><b>[^<>]*(<code>[^<>]*</code>[^<>]*)*</b>[^<>]*(<code>[^<>]*</code>[^<>]*)*</summary>\n|</details>\n|</?code>)$`)

// checkMarkdown checks that a run with a hostile text has the same elements as one with a plain
// text, and no link.
func checkMarkdown(t *testing.T, where place, hostile string, want []string) {
	t.Helper()
	source, page, doc := markdown(t, run(where, hostile))
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		raw := ""
		switch n := n.(type) {
		case *ast.RawHTML:
			raw = string(n.Segments.Value(source))
		case *ast.HTMLBlock:
			raw = string(n.Lines().Value(source))
			if n.HasClosure() {
				raw += string(n.ClosureLine.Value(source))
			}
		case *ast.Link, *ast.AutoLink, *ast.Image:
			t.Errorf("%s: %q makes a link", where, hostile)
			return ast.WalkContinue, nil
		default:
			return ast.WalkContinue, nil
		}
		if !rawHTML.MatchString(raw) {
			t.Errorf("%s: %q makes the raw HTML %q", where, hostile, raw)
		}
		return ast.WalkContinue, nil
	})
	if have := skeleton(page); !slices.Equal(have, want) {
		t.Errorf("%s: %q makes other elements: %s", where, hostile, difference(have, want))
	}
	for _, prose := range outsideCode(page) {
		if found := reference.FindString(prose); found != "" {
			t.Errorf("%s: %q mentions %s", where, hostile, found)
		}
	}
}

// reference matches what GitHub reads as a mention or a reference. An @ after a letter or a digit is
// part of a mail address.
var reference = regexp.MustCompile(`(?:^|[^A-Za-z0-9])@[A-Za-z]|#[0-9]|GH-[0-9]`)

// outsideCode returns the texts of a page that are not code.
func outsideCode(page []byte) (all []string) {
	depth := 0
	z := nethtml.NewTokenizer(bytes.NewReader(page))
	for {
		switch z.Next() {
		case nethtml.ErrorToken:
			return all
		case nethtml.StartTagToken:
			if z.Token().Data == "code" {
				depth++
			}
		case nethtml.EndTagToken:
			if z.Token().Data == "code" {
				depth--
			}
		case nethtml.TextToken:
			if depth == 0 {
				all = append(all, z.Token().Data)
			}
		}
	}
}

// For any text in any place, the Markdown of a report contains only the elements of its
// template.
func TestMarkdownHasOnlyItsOwnMarkup(t *testing.T) {
	_, page, _ := markdown(t, run(noPlace, ""))
	want := skeleton(page)
	if len(want) < 50 {
		t.Fatalf("the template has only %d elements", len(want))
	}
	for _, where := range places {
		t.Run(fmt.Sprint(where), func(t *testing.T) {
			for _, hostile := range textsFor(where) {
				checkMarkdown(t, where, hostile, want)
				checkMarkdown(t, where, "x "+hostile+" x", want)
			}
		})
	}
}

// FuzzMarkdown puts the fuzzer's text into all places.
func FuzzMarkdown(f *testing.F) {
	for i, hostile := range texts {
		f.Add(i, hostile)
	}
	_, page, _ := markdown(f, run(noPlace, ""))
	want := skeleton(page)
	f.Fuzz(func(t *testing.T, at int, hostile string) {
		checkMarkdown(t, places[int(uint(at)%uint(len(places)))], "x"+hostile[:min(len(hostile), 500)], want)
	})
}
