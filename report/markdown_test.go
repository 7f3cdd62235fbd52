package report

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"kstatus.dev/internal/annotation"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

func TestMarkdownText(t *testing.T) {
	for text, want := range map[string]string{
		"DB_URL is not set":             "DB_URL is not set",
		"_odd_ *bold* ~gone~":           `\_odd\_ \*bold\* \~gone\~`,
		"a | b":                         `a \| b`,
		`back\slash`:                    `back\\slash`,
		"<b>&amp;":                      `\<b>&amp;amp;`,
		"[x](http://example.com)":       "\\[x\\](`http://example.com`)",
		"Get \"https://r.io/v2/\": EOF": "Get \"`https://r.io/v2/`\": EOF",
		"ask me@example.com":            "ask `me@example.com`",
		"https://r.io/a|b":              "<code>https:\u200b//r.io/a\\|b</code>",
		"fixes #12, GH-12":              "fixes \\#\u200b12, GH-\u200b12",
		"1. item":                       `1\. item`,
		"image api@sha256:1 by @all":    "image api@sha256:1 by @\u200ball",
		"two\nlines":                    "two lines",
		"- item":                        `\- item`,
	} {
		t.Run(text, func(t *testing.T) {
			if have := md(text); have != want {
				t.Errorf("%q as Markdown = %q, want %q", text, have, want)
			}
		})
	}
	for text, want := range map[string]string{
		"Pod/shop/web": "`Pod/shop/web`",
		"a|b":          `<code>a\|b</code>`,
		"a`b":          "<code>a\\`b</code>",
	} {
		t.Run("code_"+text, func(t *testing.T) {
			if have := code(text); have != want {
				t.Errorf("%q as code = %q, want %q", text, have, want)
			}
		})
	}
}

// Every row of a table of a hostile run has as many cells as the table.
func TestMarkdownOfAHostileRun(t *testing.T) {
	var b bytes.Buffer
	if err := hostileRun().Markdown(&b, 0); err != nil {
		t.Fatal(err)
	}
	rows, fence := 0, ""
	for line := range strings.Lines(b.String()) {
		switch {
		case fence != "":
			if strings.TrimSpace(line) == fence {
				fence = ""
			}
			continue
		case strings.HasPrefix(line, "```"):
			fence = strings.TrimRight(strings.TrimSpace(line), "abcdefghijklmnopqrstuvwxyz")
			continue
		case strings.HasPrefix(line, "|"):
			rows++
			if n := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|"); n != 5 {
				t.Errorf("%d bars in %s", n, line)
			}
		}
		if strings.Contains(line, "<script") && !strings.Contains(line, `\<script`) {
			t.Errorf("markup in %s", line)
		}
	}
	if rows < 4 || fence != "" {
		t.Errorf("%d rows, want 4; open at the end: %q", rows, fence)
	}
}

// A page with a limit omits whole rows, and has their number.
func TestMarkdownStaysWithinLimit(t *testing.T) {
	var steps []step
	for i := range 20_000 {
		u := observe.Update{Target: target("", "Pod", "shop", fmt.Sprintf("web-%05d", i)), Progress: observe.ProgressPending}
		u.Result = status.Result{Status: status.InProgressStatus, Message: strings.Repeat("long ", 40)}
		steps = append(steps, step{time.Second, u})
	}
	r, b := recordSteps(Start{Time: began}, nil, steps...)
	r.End(b, Result{Time: timeAt(time.Minute), Outcome: "timeout", ExitCode: 4})
	for _, limit := range []int{1000, 5000, annotation.SummaryLimit} {
		t.Run(strconv.Itoa(limit), func(t *testing.T) {
			var out bytes.Buffer
			if err := r.Markdown(&out, limit); err != nil {
				t.Fatal(err)
			}
			rows := strings.Count(out.String(), "| InProgress |")
			want := fmt.Sprintf("Left out, since this page may be no longer: %d objects.*\n", 20_000-rows)
			if out.Len() > limit || out.Len() < limit-omittedRowsSpace-500 || !strings.HasSuffix(out.String(), want) {
				t.Errorf("with a limit of %d: %d bytes with %d rows, that end in %q", limit, out.Len(), rows, out.String()[out.Len()-90:])
			}
		})
	}
}
