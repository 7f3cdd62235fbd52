package frame

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"kstatus.dev/cmd/kstatus/internal/terminal"
)

// hostileScene is a model with hostile texts from a cluster.
func hostileScene() Model {
	s := Model{
		Subject: "shop\x1b[2J", Done: "current", Met: 3, All: 500, Elapsed: 100 * time.Hour, Timeout: 1000 * time.Hour,
		Counts: []Count{{400, "in progress"}, {97, "failing"}}, Folds: []Row{{Marker: MarkerDone, Word: "Current", Why: "3: ConfigMap 2, \u202eJob 1"}},
	}
	for i, why := range []string{
		"", "plain", strings.Repeat("x", 1<<20), "\x1b]0;title\x07\x1b[31mred\r\nnext\ttab", "\u202egnp.exe\u2066", "数据库连接失败：连接被拒绝",
		"👩‍👩‍👧‍👦 family 🇩🇪", "e\u0301\u0301\u0301 combining", "\xff\xfe not UTF-8", "a\u200bb\ufeffc", strings.Repeat("数", 1<<16),
	} {
		s.Rows = append(s.Rows,
			Row{Marker: MarkerFailed, Word: "Failing", Object: fmt.Sprintf("Deployment/%d", i), Since: time.Hour, Why: why, Remark: "fails in 8s", Close: true},
			Row{Word: "InProgress", Changed: time.Hour, Object: "Pod/" + strings.Repeat("名前", 100), Why: why, Remark: "usually 2m10s, now 4m40s: unusual, no change for 3m"})
	}
	return s
}

// TestFrameFits draws hostile texts at every size.
func TestFrameFits(t *testing.T) {
	s := hostileScene()
	for width := 1; width <= 220; width += 1 + width/30 {
		for _, height := range []int{1, 2, 3, 5, 10, 24, 100} {
			for _, f := range []terminal.Style{{Width: width, Height: height}, {Width: width, Height: height, UTF8: true, Colour: true}} {
				lines := strings.Split(Renderer{Style: f}.Draw(s), "\n")
				if len(lines) > height {
					t.Fatalf("%+v: %d lines", f, len(lines))
				}
				for _, line := range lines {
					if n := ansi.StringWidthWc(line); n > width {
						t.Fatalf("%+v: %d columns: %q", f, n, line)
					}
					checkText(t, f, line)
				}
			}
		}
	}
}

// checkText checks that a line contains only text and colours.
func checkText(t *testing.T, f terminal.Style, line string) {
	t.Helper()
	if !f.Colour && strings.Contains(line, "\x1b") {
		t.Fatalf("%+v: colours without being asked for: %q", f, line)
	}
	for _, r := range ansi.Strip(line) {
		switch {
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r):
			t.Fatalf("%+v: %U in %q", f, r, line)
		case !f.UTF8 && r > unicode.MaxASCII:
			t.Fatalf("%+v: %U where there is ASCII only: %q", f, r, line)
		}
	}
}

// TestFrameIsFullAtTheEnd checks that a frame without a size has all objects and full lines.
func TestFrameIsFullAtTheEnd(t *testing.T) {
	s := hostileScene()
	long := strings.Repeat("long ", 700)
	s.Rows = append(s.Rows, Row{Word: "Failed", Object: "Pod/" + strings.Repeat("name", 60), Why: long, Remark: "no change for 3m"})
	text := Renderer{Style: terminal.Style{UTF8: true}}.Draw(s)
	if n := strings.Count(text, "\n") + 1; n != 2+len(s.Rows)+1 {
		t.Errorf("%d lines of %d rows", n, len(s.Rows))
	}
	if !strings.Contains(text, long+"   no change for 3m") {
		t.Error("a line is cut")
	}
}

func TestFrame(t *testing.T) {
	rows := func(n int, word string) (all []Row) {
		for i := range n {
			all = append(all, Row{Word: word, Object: fmt.Sprint("Pod/", i), Why: "why"})
		}
		return all
	}
	for _, c := range []struct {
		it   string
		f    terminal.Style
		s    Model
		want string
	}{
		{"tells what has no room", terminal.Style{Width: 60, Height: 5, UTF8: true}, Model{Done: "current", All: 9, Rows: rows(9, "InProgress")},
			"0/9 current                               0s  [............]\n  STATUS      OBJECT  WHY\n~ InProgress  Pod/0   why\n~ InProgress  Pod/1   why\n  … and 7 more in progress"},
		{"tells of what kinds it is", terminal.Style{Width: 60, Height: 4}, Model{Done: "current", All: 4, Rows: append(rows(2, "Failed"), rows(2, "NotFound")...)},
			"0/4 current                               0s  [............]\n  STATUS  OBJECT  WHY\n~ Failed  Pod/0   why\n  ... and 3 more: 2 not found, 1 failed"},
		{"says that all is there", terminal.Style{Width: 60, Height: 4}, Model{Subject: "shop", Done: "current", Met: 2, All: 2, Elapsed: 61 * time.Second, Folds: []Row{{Marker: MarkerDone, Word: "Current", Why: "2: Job 2"}}},
			"shop  2/2 current                      1m01s  [############]\n+ Current  2: Job 2"},
		{"says that it knows nothing yet", terminal.Style{Width: 60, Height: 4}, Model{Done: "there", All: 2, Timeout: time.Minute, Counts: []Count{{2, "not read yet"}}},
			"0/2 there, 2 not read yet           0s of 1m  [............]"},
		{"leaves the time off where there is no room for it", terminal.Style{Width: 20, Height: 4}, Model{Subject: "shop", Done: "current", All: 2, Timeout: time.Hour},
			"shop  0/2 current"},
		{"shortens a reason that is too wide", terminal.Style{Width: 60, Height: 4, UTF8: true}, Model{Done: "current", All: 1, Rows: []Row{
			{Word: "Failing", Object: "Deployment/web", Why: `ReplicaSet "web-7df" has timed out progressing; Pod web-7df-x: ErrImagePull`, Short: "ErrImagePull: no such host; has timed out", Remark: "fails in 26s", Close: true}}},
			"0/1 current                               0s  [............]\n  STATUS   OBJECT          WHY\n~ Failing  Deployment/web  ErrImagePull: no s…, fails in 26s"},
		{"leaves out when it fails where there is no room for it", terminal.Style{Width: 50, Height: 4, UTF8: true}, Model{Done: "current", All: 1, Rows: []Row{
			{Word: "Failing", Object: "Deployment/web", Why: `ReplicaSet "web-7df" has timed out progressing; Pod web-7df-x: ErrImagePull`, Short: "ErrImagePull: no such host; has timed out", Remark: "fails in 26s", Close: true}}},
			"0/1 current                     0s  [............]\n  STATUS   OBJECT          WHY\n~ Failing  Deployment/web  ErrImagePull: no such …"},
		{"shortens messages before names", terminal.Style{Width: 60, Height: 4, UTF8: true}, Model{Done: "current", All: 1, Rows: []Row{{Word: "InProgress", Object: "Deployment/frontend-paused", Why: "0/3 available; its rollout is paused"}}},
			"0/1 current                               0s  [............]\n  STATUS      OBJECT                      WHY\n~ InProgress  Deployment/frontend-paused  0/3 available; it…"},
		{"cuts names in the middle", terminal.Style{Width: 60, Height: 4, UTF8: true}, Model{Done: "current", All: 1, Rows: []Row{{Word: "Failed", Object: "Deployment/products-and-prices-7c9f", Why: "why"}}},
			"0/1 current                               0s  [............]\n  STATUS  OBJECT                            WHY\n~ Failed  Deployment/products-a…rices-7c9f  why"},
	} {
		if have := (Renderer{Style: c.f}).Draw(c.s); have != c.want {
			t.Errorf("it %s: have\n%s\nwant\n%s", c.it, have, c.want)
		}
	}
}
