//go:build unix

package waitview

import (
	"fmt"
	"html"
	"os"
	"strings"
	"testing"

	"github.com/hinshun/vt10x"

	"kstatus.dev/cmd/kstatus/internal/terminal"
)

// TestPictures compares docs/pictures with a terminal near the end of the play. -update draws
// them again (make pictures).
func TestPictures(t *testing.T) {
	for _, columns := range []int{60, 100, 200} {
		name := fmt.Sprintf("../../../../docs/pictures/live-%d.svg", columns)
		t.Run(fmt.Sprint(columns), func(t *testing.T) {
			s := newLiveTerminal(t, columns, 12, terminal.Style{UTF8: true, Colour: true})
			s.begin(t, shopTargets)
			for _, step := range shopSteps()[:6] {
				s.play(t, step)
			}
			s.draw()
			have := picture(s.terminal.vt, fmt.Sprintf("kstatus wait on a terminal of %d columns", columns))
			if *update {
				if err := os.WriteFile(name, []byte(have), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if string(want) != have {
				t.Errorf("%s is not what the terminal shows; make pictures draws it anew", name)
			}
		})
	}
}

// The size of a cell, the margin around the screen, and the colours of a dark terminal by their
// numbers.
const cellWidth, cellHeight, margin = 8.4, 19, 14

var (
	paper = "#16181d"
	ink   = "#d7dae0"
	inks  = map[vt10x.Color]string{1: "#f47067", 2: "#6bc46d", 3: "#e0b341", 4: "#6cb6ff", 5: "#dcbdfb", 6: "#56c8d8", 8: "#8b949e"}
)

// picture draws a screen, down to its last line with text, as SVG.
func picture(vt vt10x.Terminal, title string) string {
	columns, rows := vt.Size()
	var lines strings.Builder
	last := 0
	for y := range rows {
		for x := 0; x < columns; {
			colour, text := stretch(vt, x, y, columns)
			at := x + len(text) - len(strings.TrimLeft(text, " "))
			x += len([]rune(text))
			if text = strings.Trim(text, " "); text != "" {
				last = y
				fmt.Fprintf(&lines, "<text x=\"%.1f\" y=\"%d\" fill=\"%s\" textLength=\"%.1f\">%s</text>\n",
					margin+float64(at)*cellWidth, margin+y*cellHeight+14, colour, float64(len([]rune(text)))*cellWidth, html.EscapeString(text))
			}
		}
	}
	width, height := 2*margin+float64(columns)*cellWidth, 2*margin+(last+1)*cellHeight
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 %.0f %d" width="%.0f" height="%d">
<title>%s</title>
<rect width="100%%" height="100%%" rx="8" fill="%s"/>
<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14">
%s</g>
</svg>
`, width, height, width, height, html.EscapeString(title), paper, lines.String())
}

// stretch returns the text from a cell on with one colour. It ends before two adjacent blanks,
// which SVG would join.
func stretch(vt vt10x.Terminal, x, y, columns int) (colour, text string) {
	var b strings.Builder
	first := vt.Cell(x, y)
	for ; x < columns && vt.Cell(x, y).FG == first.FG; x++ {
		if c := vt.Cell(x, y).Char; c != 0 {
			b.WriteRune(c)
		} else {
			b.WriteByte(' ')
		}
		if strings.HasSuffix(b.String(), "  ") {
			break
		}
	}
	if colour = inks[first.FG]; colour == "" {
		colour = ink
	}
	return colour, b.String()
}
