package page

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
)

const (
	rows    = `document.querySelectorAll(".row").length`
	count   = `document.getElementById("count").textContent`
	focused = `document.activeElement.textContent.replace(/\s+/g, " ").trim()`
)

func TestOpens(t *testing.T) {
	p := open(t, shop(), "")
	want(p, "title", `document.title`, "Failed: 10 current, 1 failed, 1 unknown, 2 in progress – kstatus wait")
	want(p, "heading", `document.querySelector("h1").textContent.replace(/\s+/g, " ").trim()`, "✗ Failed 10 current, 1 failed, 1 unknown, 2 in progress")
	want(p, "count", count, "14 of 14 objects")
	want(p, "rows", rows, 14)
	want(p, "worst first", `document.querySelector(".row .nm").firstChild.textContent`, "Deployment/shop/api")
	want(p, "segments of api", `document.querySelectorAll(".row:nth-child(1) .seg").length`, 5)
	want(p, "ticks", `[...document.querySelectorAll("#ticks span")].map(e => e.textContent).join(" ")`, "00:00 00:10 00:20 00:30 00:40 00:50 01:01")
	want(p, "a segment begins where its time is", `Math.round(parseFloat(document.querySelector(".row:nth-child(1) .seg:nth-child(4)").style.left))`, 50)
	want(p, "width of the page", `document.documentElement.scrollWidth <= innerWidth`, true)
}

func TestFilters(t *testing.T) {
	p := open(t, shop(), "")
	click := func(selector string) { value[any](p, `document.querySelector('`+selector+`').click()`) }
	choose := func(id, option string) {
		value[any](p, `(() => { const s = document.getElementById("`+id+`"); s.value = "`+option+`"; s.dispatchEvent(new Event("change")); })()`)
	}
	click(".chip.s-Failed")
	want(p, "failed", count, "1 of 14 objects")
	click(".chip.s-InProgress")
	want(p, "failed or in progress", count, "3 of 14 objects")
	want(p, "pressed", `document.querySelectorAll('.chip[aria-pressed="true"]').length`, 2)
	click(`button[type="reset"]`)
	want(p, "all again", count, "14 of 14 objects")
	value[any](p, `document.getElementById("find").focus()`)
	p.keys("deploy shop")
	want(p, "found by two words", count, "3 of 14 objects")
	value[any](p, `document.getElementById("find").select()`)
	p.keys("exits with code 1")
	want(p, "found by the cause", count, "2 of 14 objects")
	value[any](p, `document.getElementById("find").select()`)
	p.keys("there is no such thing", kb.Enter)
	want(p, "none", `document.querySelector(".empty").textContent`, "No object is like that.")
	click(`button[type="reset"]`)
	choose("namespace", "payments")
	want(p, "in a namespace", count, "1 of 14 objects")
	click(`button[type="reset"]`)
	choose("kind", "ConfigMap")
	want(p, "of a kind", count, "2 of 14 objects")
	click(`button[type="reset"]`)
	choose("order", "name")
	want(p, "by name", `document.querySelector(".row .nm").firstChild.textContent`, "Secret/payments/stripe-key")
	choose("order", "late")
	want(p, "last change first", `document.querySelector(".row .nm").firstChild.textContent`, "Deployment/shop/api")
}

// Every action works without a mouse.
func TestKeyboard(t *testing.T) {
	p := open(t, shop(), "")
	p.keys(kb.Tab)
	want(p, "first stop", focused, "Skip to the objects")
	p.keys(kb.Tab, kb.Tab)
	want(p, "the cause", focused, `container "api" exits with code 1 right after start affects Deployment/shop/api and 1 more`)
	want(p, "is open", `document.getElementById("cause-0").open`, true)
	p.keys(kb.Enter)
	want(p, "is closed", `document.getElementById("cause-0").open`, false)
	p.keys(kb.Enter)
	want(p, "shows its evidence", `document.querySelector("#cause-0 .evidence").checkVisibility()`, true)
	want(p, "shows where the focus is", `getComputedStyle(document.activeElement).outlineStyle`, "solid")

	value[any](p, `document.querySelector(".skip").focus()`)
	p.keys(kb.Enter)
	want(p, "skipped to", `document.activeElement.id`, "objects")
	for range 20 { // the tabs, the chips, the fields, and then the first row
		p.keys(kb.Tab)
		if value[bool](p, `document.activeElement.classList.contains("line")`) {
			break
		}
	}
	const line = `document.activeElement.querySelector(".nm").firstChild.textContent`
	p.keys(kb.ArrowDown)
	want(p, "second row", line, "Secret/payments/stripe-key")
	p.keys(kb.ArrowUp)
	want(p, "first row", line, "Deployment/shop/api")
	p.keys(kb.ArrowRight, kb.ArrowRight)
	want(p, "is told", `document.getElementById("say").textContent`, "InProgress 00:09–00:15 (6s): 1/3 available")
	want(p, "is shown", `document.getElementById("tip").checkVisibility()`, true)
	p.keys(kb.Escape)
	want(p, "is hidden", `document.getElementById("tip").checkVisibility()`, false)
	p.keys(kb.Enter)
	want(p, "is open", `document.activeElement.getAttribute("aria-expanded")`, "true")
	want(p, "tells every change", `document.querySelectorAll(".row.open .word").length`, 5)
	want(p, "tells what decided", `document.querySelector(".row.open .path").textContent`, "status.availableReplicas")
	p.keys(kb.End)
	want(p, "last row", line, "StatefulSet/shop/db")
	p.keys(kb.Home, kb.PageDown)
	want(p, "eleventh row", line, "PersistentVolumeClaim/shop/data-db-0")
	p.keys(kb.Tab)
	want(p, "one stop for all rows", `document.activeElement.classList.contains("line")`, false)
}

func TestTree(t *testing.T) {
	p := open(t, shop(), "")
	value[any](p, `document.getElementById("tab-time").focus()`)
	p.keys(kb.ArrowRight)
	want(p, "the tree is there", `document.getElementById("tree").checkVisibility() && !document.getElementById("time").checkVisibility()`, true)
	const text = `[...document.querySelectorAll("#nodes .node")].map(n => n.closest("li").getAttribute("aria-level") + " " + n.querySelector(".name").textContent).slice(0, 5).join("; ")`
	want(p, "the chain", text, "1 Deployment/shop/api; 2 ReplicaSet/shop/api-7c9f; 3 Pod/shop/api-7c9f-x2x4p; 4 container api; 5 because")
	want(p, "what is current is folded", `[...document.querySelectorAll("#nodes > li")].at(-1).textContent`, "✓10 current shop")
	value[any](p, `document.querySelector("#nodes > li").focus()`)
	p.keys(kb.End, kb.ArrowRight, kb.ArrowRight)
	want(p, "unfolded", `document.activeElement.twig.name`, "Catalog/shop/main")
	p.keys(kb.Enter)
	want(p, "leads to the row", `document.querySelector(".row.open .line") === document.activeElement && document.activeElement.object.key`, "Catalog.shop.example.com/shop/main")
}

func TestLinks(t *testing.T) {
	p := open(t, shop(), "Deployment.apps/shop/api")
	want(p, "the object is open", `document.querySelector(".row.open .nm").firstChild.textContent`, "Deployment/shop/api")
	want(p, "and in sight", `(b => b.top >= 0 && b.bottom <= innerHeight)(document.querySelector(".row.open .line").getBoundingClientRect())`, true)
	value[any](p, `document.getElementById("cause-0").open = false, document.querySelector('.row.open a[href="#cause-0"]').click()`)
	want(p, "the cause is open", `new Promise(done => setTimeout(() => done(document.getElementById("cause-0").open), 200))`, true)
	value[any](p, `document.querySelector(".affects li:nth-child(2) a").click()`)
	want(p, "the other object is open", `new Promise(done => setTimeout(() => done(document.activeElement.querySelector(".nm").firstChild.textContent), 200))`, "Ingress/shop/web")
}

func TestPrint(t *testing.T) {
	p := open(t, shop(), "")
	value[any](p, `dispatchEvent(new Event("beforeprint"))`)
	want(p, "all causes are open", `document.querySelectorAll("details:not([open])").length`, 0)
	value[any](p, `dispatchEvent(new Event("afterprint"))`)
	want(p, "and folded afterwards", `document.querySelectorAll("details:not([open])").length`, 1)
}
