// The axis of the timeline, and what is told of a segment.
const makeAxis = () => {
  const steps = [100, 200, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 9e5, 18e5, 36e5, 72e5, 216e5, 432e5, 864e5];
  const step = steps.find(s => total / s <= 7) || Math.ceil(total / 864e5 / 7) * 864e5;
  root.style.setProperty("--step", 100 * step / total + "%");
  const text = ms => step < 1000 ? (ms / 1000).toFixed(1) + "s" : clock(ms);
  for (let ms = 0; ms <= total * .93 || ms === 0; ms += step) tick(ms, text(ms));
  tick(total, text(total)).classList.add("last");
};
const tick = (ms, text) => {
  const e = element("span", "", text);
  e.style.left = 100 * ms / total + "%";
  $("ticks").append(e);
  return e;
};

// What is pointed at: a segment, by the pointer or by keys.
let pointed = null;
const place = () => {
  const box = pointed.mark.getBoundingClientRect(), tip = $("tip").getBoundingClientRect();
  $("tip").style.left = Math.max(8, Math.min(innerWidth - tip.width - 8, box.left + box.width / 2 - tip.width / 2)) + "px";
  $("tip").style.top = (box.top > tip.height + 12 ? box.top - tip.height - 8 : box.bottom + 8) + "px";
};
const unpoint = () => {
  if (pointed) pointed.mark.classList.remove("at");
  pointed = null;
  $("tip").hidden = true;
};
const point = (o, i, keys) => {
  unpoint();
  if (!o.segments[i]) return;
  pointed = {o, i, keys, mark: o.line.lastChild.children[i]};
  pointed.mark.classList.add("at");
  const [head, text] = segmentText(o.segments[i]);
  $("tip").replaceChildren(element("b", "", head), text);
  $("tip").hidden = false;
  place();
  if (keys) $("say").textContent = head + (text ? ": " + text : "");
};

const listen = () => {
  rows.addEventListener("click", e => {
    const line = e.target.closest(".line");
    if (!line) return;
    makeCurrent(line.object);
    toggle(line.object);
  });
  rows.addEventListener("pointerover", e => {
    if (!e.target.classList.contains("seg")) return unpoint();
    const o = e.target.closest(".line").object;
    point(o, [...e.target.parentElement.children].indexOf(e.target), false);
  });
  rows.addEventListener("pointerleave", unpoint);
  rows.addEventListener("focusout", unpoint);
  addEventListener("scroll", () => { if (pointed && pointed.keys) place(); else unpoint(); }, {passive: true});
  rows.addEventListener("keydown", e => {
    const line = e.target.closest(".line");
    if (!line) return;
    const o = line.object, i = state.shown.indexOf(o), last = state.shown.length - 1;
    const to = {ArrowDown: i + 1, ArrowUp: i - 1, Home: 0, End: last, PageDown: i + 10, PageUp: i - 10}[e.key];
    const n = pointed && pointed.o === o ? pointed.i : -1;
    if (to !== undefined) {
      const next = state.shown[Math.max(0, Math.min(last, to))];
      makeCurrent(next);
      next.line.focus();
    } else if (e.key === "ArrowRight") {
      point(o, Math.min(o.segments.length - 1, n + 1), true);
    } else if (e.key === "ArrowLeft") {
      point(o, n < 0 ? o.segments.length - 1 : Math.max(0, n - 1), true);
    } else if (e.key === "Escape") {
      unpoint();
      return;
    } else {
      return;
    }
    e.preventDefault();
  });
};
