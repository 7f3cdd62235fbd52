package page

import (
	"bytes"
	"cmp"
	"flag"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

var update = flag.Bool("update", false, "take the picture for the README")

const ground = `getComputedStyle(document.body).backgroundColor`

func TestThemes(t *testing.T) {
	p := open(t, shop(), "")
	prefers := func(scheme string) {
		command(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
	}
	const light, dark = "rgb(247, 247, 245)", "rgb(22, 24, 29)"
	prefers("light")
	want(p, "light where that is preferred", ground, light)
	legible(p)
	prefers("dark")
	want(p, "dark where that is preferred", ground, dark)
	legible(p)
	for _, c := range []struct{ label, ground string }{{"Theme: light", light}, {"Theme: dark", dark}, {"Theme: auto", dark}} {
		value[any](p, `document.getElementById("theme").click()`)
		want(p, "the button", `document.getElementById("theme").textContent`, c.label)
		want(p, c.label, ground, c.ground)
	}
}

// legible checks that the contrast of texts is at least 4.5, as WCAG requires (1.4.3, AA).
func legible(p *browserTab) {
	p.Helper()
	value[any](p, `document.querySelectorAll(".row:nth-child(-n+3) .line[aria-expanded=false]").forEach(l => l.click())`)
	low := value[[]string](p, `(() => {
		document.getAnimations().forEach(a => a.finish());
		const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
		const parse = (colour, over) => {
			canvas.fillStyle = over; canvas.fillRect(0, 0, 1, 1);
			canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
			return "rgb(" + [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).join(",") + ")";
		};
		const backdrop = e => e ? parse(getComputedStyle(e).backgroundColor, backdrop(e.parentElement)) : "rgb(255,255,255)";
		const light = colour => {
			const [r, g, b] = colour.match(/\d+/g).map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
			return .2126 * r + .7152 * g + .0722 * b;
		};
		const low = new Set();
		for (const e of document.querySelectorAll("body *")) {
			const text = [...e.childNodes].filter(n => n.nodeType === 3).map(n => n.data.trim()).join("");
			if (!text || !e.checkVisibility() || e.closest(".sr, .skip, script, style")) continue;
			const under = backdrop(e), x = light(parse(getComputedStyle(e).color, under)), y = light(under);
			const contrast = (Math.max(x, y) + .05) / (Math.min(x, y) + .05);
			if (contrast < 4.5) low.add(contrast.toFixed(1) + " " + e.className + " " + text.slice(0, 30));
		}
		return [...low];
	})()`)
	if len(low) > 0 {
		p.Errorf("on %s, hard to read: %s", value[string](p, ground), strings.Join(low, "; "))
	}
}

// Each control has an accessible name.
func TestNames(t *testing.T) {
	p := open(t, shop(), "")
	// Elements out of sight are not part of the accessibility tree until the browser has
	// determined the visible ones.
	value[any](p, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
	roles := map[string]int{}
	for _, n := range command(p, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{}).Nodes {
		if n.Ignored || n.Role == nil {
			continue
		}
		role := strings.Trim(string(n.Role.Value), `"`)
		roles[role]++
		switch role {
		case "button", "link", "tab", "searchbox", "combobox", "tree", "region", "DisclosureTriangle":
			if n.Name == nil || len(n.Name.Value) <= 2 {
				t.Errorf("a %s has no name", role)
			}
		}
	}
	for role, least := range map[string]int{"banner": 1, "main": 1, "search": 1, "tablist": 1, "status": 1, "button": 17, "heading": 5, "contentinfo": 1} {
		if roles[role] < least {
			t.Errorf("%d of role %s, want %d; have %v", roles[role], role, least, roles)
		}
	}
}

func TestNarrow(t *testing.T) {
	p := open(t, shop(), "Deployment.apps/shop/api")
	p.do(chromedp.EmulateViewport(380, 800))
	want(p, "fits", `document.documentElement.scrollWidth <= innerWidth`, true)
}

// Without scripts, as in some viewers of artifacts, the page still shows the missing objects
// and the reasons.
func TestWithoutScripts(t *testing.T) {
	p := open(t, shop(), "")
	command(p, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	p.do(chromedp.Navigate(p.url))
	var seen strings.Builder
	for _, n := range command(p, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{}).Nodes {
		if !n.Ignored && n.Role != nil && string(n.Role.Value) == `"StaticText"` && n.Name != nil {
			seen.Write(n.Name.Value)
		}
	}
	for _, text := range []string{"Failed", `exits with code 1`, "panic: missing configuration", "Without scripts", "Certificate/shop/web-tls", "InProgress: Ready is False: Issuing certificate as Secret does not exist"} {
		if !strings.Contains(seen.String(), text) {
			t.Errorf("%q is not seen in %s", text, seen.String())
		}
	}
}

// All texts of a cluster are shown as text.
func TestHostile(t *testing.T) {
	p := open(t, hostile(), "")
	value[any](p, `document.querySelectorAll(".line").forEach(l => l.click()), document.getElementById("tab-tree").click(), document.getElementById("tab-time").click()`)
	value[any](p, `document.querySelectorAll(".line").forEach(l => l.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true})))`)
	want(p, "count", count, "2 of 2 objects")
	want(p, "elements that it made", `document.querySelectorAll("main img, main svg, main script, a[href^='javascript']").length`, 0)
	want(p, "marks that turn the writing", `/[\x00-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069]/.test(document.body.innerText)`, false)
	want(p, "a script of another", `new Promise(done => {
		const s = document.createElement("script");
		s.textContent = "window.foreign = true";
		document.body.append(s);
		setTimeout(() => done(window.foreign === undefined), 50);
	})`, true)
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.console) != 1 || !strings.Contains(p.console[0], "Content Security Policy") {
		t.Errorf("the console has %q, want that one script was refused", p.console)
	}
	p.console = nil
}

// TestPicture takes the picture for the README with -update, and checks that a small picture
// exists.
func TestPicture(t *testing.T) {
	const file, most = "../../../docs/pictures/report.png", 150_000
	if *update {
		p := open(t, shop(), "")
		p.do(chromedp.EmulateViewport(1200, 1480))
		value[any](p, `document.fonts.ready.then(() => true)`)
		shot, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
		p.check(err)
		picture, err := png.Decode(bytes.NewReader(shot))
		p.check(err)
		var small bytes.Buffer
		p.check((&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&small, paletted(picture)))
		p.check(os.MkdirAll(filepath.Dir(file), 0o755))
		p.check(os.WriteFile(file, small.Bytes(), 0o644))
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > most {
		t.Errorf("%s has %d bytes, want at most %d", file, info.Size(), most)
	}
}

// paletted returns a picture with its 256 most frequent colors. They suffice for a page, and
// make its file small.
func paletted(picture image.Image) *image.Paletted {
	n, box := map[color.RGBA]int{}, picture.Bounds()
	at := func(x, y int) color.RGBA { return color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA) }
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			n[at(x, y)]++
		}
	}
	frequent := slices.SortedFunc(maps.Keys(n), func(a, b color.RGBA) int {
		return cmp.Or(n[b]-n[a], cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B))
	})
	var colours color.Palette
	for _, c := range frequent[:min(len(frequent), 256)] {
		colours = append(colours, c)
	}
	small := image.NewPaletted(box, colours)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			small.Set(x, y, at(x, y))
		}
	}
	return small
}
