package waitview

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"kstatus.dev/cmd/kstatus/internal/terminal"
)

// hostileScene is a scene made of what a cluster may say at its worst.
func hostileScene() model {
	s := model{
		subject: "shop\x1b[2J", done: "current", met: 3, all: 500, elapsed: 100 * time.Hour, timeout: 1000 * time.Hour,
		counts: []count{{400, "in progress"}, {97, "failing"}}, folds: []row{{marker: markerDone, word: "Current", why: "3: ConfigMap 2, \u202eJob 1"}},
	}
	for i, why := range []string{
		"", "plain", strings.Repeat("x", 1<<20), "\x1b]0;title\x07\x1b[31mred\r\nnext\ttab", "\u202egnp.exe\u2066", "数据库连接失败：连接被拒绝",
		"👩‍👩‍👧‍👦 family 🇩🇪", "e\u0301\u0301\u0301 combining", "\xff\xfe not UTF-8", "a\u200bb\ufeffc", strings.Repeat("数", 1<<16),
	} {
		s.rows = append(s.rows,
			row{marker: markerWrong, word: "Failing", object: fmt.Sprintf("Deployment/%d", i), since: time.Hour, why: why, remark: "fails in 8s", close: true},
			row{word: "InProgress", changed: time.Hour, object: "Pod/" + strings.Repeat("名前", 100), why: why, remark: "usually 2m10s, now 4m40s: unusual, no change for 3m"})
	}
	return s
}

// TestFrameFits draws what is hostile in every size.
func TestFrameFits(t *testing.T) {
	s := hostileScene()
	for width := 1; width <= 220; width += 1 + width/30 {
		for _, height := range []int{1, 2, 3, 5, 10, 24, 100} {
			for _, f := range []terminal.Style{{Width: width, Height: height}, {Width: width, Height: height, UTF8: true, Colour: true}} {
				lines := strings.Split(renderer{f}.draw(s), "\n")
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

// checkText wants nothing but text and colours.
func checkText(t *testing.T, f terminal.Style, line string) {
	t.Helper()
	if !f.Colour && strings.Contains(line, "\x1b") {
		t.Fatalf("%+v: colours without being asked for: %q", f, line)
	}
	for _, r := range uncoloured(line) {
		switch {
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r):
			t.Fatalf("%+v: %U in %q", f, r, line)
		case !f.UTF8 && r > unicode.MaxASCII:
			t.Fatalf("%+v: %U where there is ASCII only: %q", f, r, line)
		}
	}
}

// TestFrameIsFullAtTheEnd: without a size every object is told of, and lines are
// as long as they are.
func TestFrameIsFullAtTheEnd(t *testing.T) {
	s := hostileScene()
	long := strings.Repeat("long ", 700)
	s.rows = append(s.rows, row{word: "Failed", object: "Pod/" + strings.Repeat("name", 60), why: long, remark: "no change for 3m"})
	text := renderer{terminal.Style{UTF8: true}}.draw(s)
	if n := strings.Count(text, "\n") + 1; n != 2+len(s.rows)+1 {
		t.Errorf("%d lines of %d rows", n, len(s.rows))
	}
	if !strings.Contains(text, long+"   no change for 3m") {
		t.Error("a line is cut")
	}
}

func TestFrame(t *testing.T) {
	rows := func(n int, word string) (all []row) {
		for i := range n {
			all = append(all, row{word: word, object: fmt.Sprint("Pod/", i), why: "why"})
		}
		return all
	}
	for _, c := range []struct {
		it   string
		f    terminal.Style
		s    model
		want string
	}{
		{"tells what has no room", terminal.Style{Width: 60, Height: 5, UTF8: true}, model{done: "current", all: 9, rows: rows(9, "InProgress")},
			"0/9 current                               0s  [............]\n  STATUS      OBJECT  WHY\n~ InProgress  Pod/0   why\n~ InProgress  Pod/1   why\n  … and 7 more in progress"},
		{"tells of what kinds it is", terminal.Style{Width: 60, Height: 4}, model{done: "current", all: 4, rows: append(rows(2, "Failed"), rows(2, "NotFound")...)},
			"0/4 current                               0s  [............]\n  STATUS  OBJECT  WHY\n~ Failed  Pod/0   why\n  ... and 3 more: 2 not found, 1 failed"},
		{"says that all is there", terminal.Style{Width: 60, Height: 4}, model{subject: "shop", done: "current", met: 2, all: 2, elapsed: 61 * time.Second, folds: []row{{marker: markerDone, word: "Current", why: "2: Job 2"}}},
			"shop  2/2 current                      1m01s  [############]\n+ Current  2: Job 2"},
		{"says that it knows nothing yet", terminal.Style{Width: 60, Height: 4}, model{done: "there", all: 2, timeout: time.Minute, counts: []count{{2, "not read yet"}}},
			"0/2 there, 2 not read yet           0s of 1m  [............]"},
		{"leaves the time off where there is no room for it", terminal.Style{Width: 20, Height: 4}, model{subject: "shop", done: "current", all: 2, timeout: time.Hour},
			"shop  0/2 current"},
		{"cuts names in the middle", terminal.Style{Width: 60, Height: 4, UTF8: true}, model{done: "current", all: 1, rows: []row{{word: "Failed", object: "Deployment/products-and-prices-7c9f", why: "why"}}},
			"0/1 current                               0s  [............]\n  STATUS  OBJECT                    WHY\n~ Failed  Deployment/produ…es-7c9f  why"},
	} {
		if have := (renderer{c.f}).draw(c.s); have != c.want {
			t.Errorf("it %s: have\n%s\nwant\n%s", c.it, have, c.want)
		}
	}
}
