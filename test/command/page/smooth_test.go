package page

import "testing"

// The page of 2,000 objects with six changes each stays smooth: elements out of sight are not
// rendered. The test logs durations; their limits are generous, because the machine may be
// busy.
func TestSmooth(t *testing.T) {
	p := open(t, many(2000), "")
	want(p, "rows", rows, 2000)
	want(p, "the browser renders those in sight only",
		`[...document.querySelectorAll(".row")].filter(r => r.checkVisibility({contentVisibilityAuto: true})).length < 300`, true)
	loaded := value[float64](p, `performance.timing.domContentLoadedEventEnd - performance.timing.navigationStart`)
	filter := value[float64](p, `(() => {
		const find = document.getElementById("find"), times = [];
		for (const text of ["web-1", "web-19", "team-3 failed", "", "nothing at all", "", "job", ""]) {
			const from = performance.now();
			find.value = text;
			find.dispatchEvent(new Event("input"));
			document.body.offsetHeight;
			times.push(performance.now() - from);
		}
		return Math.max(...times);
	})()`)
	sort := value[float64](p, `(() => {
		const order = document.getElementById("order"), from = performance.now();
		order.value = "name";
		order.dispatchEvent(new Event("change"));
		document.body.offsetHeight;
		return performance.now() - from;
	})()`)
	frames := value[[]float64](p, `new Promise(done => {
		const times = [];
		let last = performance.now(), y = 0;
		const frame = now => {
			times.push(now - last);
			last = now;
			y += 400;
			scrollTo(0, y);
			if (times.length < 40) requestAnimationFrame(frame); else done(times.sort((a, b) => a - b));
		};
		requestAnimationFrame(frame);
	})`)
	median, late := frames[len(frames)/2], frames[len(frames)*95/100]
	tree := value[float64](p, `(() => {
		const from = performance.now();
		document.getElementById("tab-tree").click();
		document.body.offsetHeight;
		return performance.now() - from;
	})()`)
	t.Logf("2,000 objects: opened in %.0f ms; the slowest filter takes %.0f ms, sorting %.0f ms, the tree %.0f ms; frames while scrolling: median %.1f ms, 95%% within %.1f ms",
		loaded, filter, sort, tree, median, late)
	for what, c := range map[string]struct{ have, most float64 }{
		"to open": {loaded, 60_000}, "to filter": {filter, 5000}, "to sort": {sort, 5000}, "the tree": {tree, 5000},
		"a frame": {median, 1000}, "a late frame": {late, 5000},
	} {
		if c.have > c.most {
			t.Errorf("%s takes %.0f ms, want at most %.0f", what, c.have, c.most)
		}
	}
}
