"use strict";
// The page of a run. Whatever the run says is set as text, never as markup.
(() => {
const run = JSON.parse(document.getElementById("run").textContent);
const $ = id => document.getElementById(id);
const root = document.documentElement;

// ---- Words and times

// What the data says, as it may be shown: no control characters, nothing that turns the direction of writing.
const unseen = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const plain = value => String(value ?? "").replace(/[\n\t\u2028\u2029]/g, " ").replace(unseen, "\ufffd");

const began = Date.parse(run.start.time);
const total = Math.max(1, Date.parse(run.result.time) - began);
const at = time => Math.min(total, Math.max(0, Date.parse(time) - began));
const two = n => String(n).padStart(2, "0");
const clock = ms => two(Math.floor(ms / 60000)) + ":" + two(Math.floor(ms / 1000) % 60);
const lasting = ms => {
  const s = Math.round(ms / 1000);
  if (s < 60) return (ms < 9950 ? (ms / 1000).toFixed(1).replace(/\.0$/, "") : s) + "s";
  const h = Math.floor(s / 3600), m = Math.floor(s / 60) % 60;
  return (h ? h + "h" : "") + (m || h ? m + "m" : "") + (s % 60 ? two(s % 60) + "s" : "");
};

// The words, the worst first, with a sign each.
const signs = {Failed: "✗", Failing: "!", Unknown: "?", NotFound: "∅", Terminating: "−", InProgress: "~", Current: "✓"};
const words = Object.keys(signs);
const wordOf = v => v.standing === "failing" && v.status === "InProgress" ? "Failing" : v.status in signs ? v.status : "Unknown";
const named = v => wordOf(v) + (v.status === "Current" && v.confidence === "assumed" ? " (assumed)" : "");
const said = v => plain([v.message, v.wants,
  v.standing === "late" && "the time it had is over", v.standing === "ignored" && "ignored",
  v.staleSince && "not seen since " + clock(at(v.staleSince))].filter(Boolean).join("; "));

const element = (tag, className, ...children) => {
  const e = document.createElement(tag);
  if (className) e.className = className;
  e.append(...children);
  return e;
};
const sign = word => {
  const mark = element("span", "mk s s-" + word, signs[word]);
  mark.setAttribute("aria-hidden", "true");
  return mark;
};

// ---- The objects

const keyOf = id => (id.cluster ? id.cluster + ":" : "") + id.kind + (id.group ? "." + id.group : "") + "/" +
  (id.namespace ? id.namespace + "/" : "") + id.name;
const nameOf = id => (id.namespace ? id.namespace + "/" : "") + (id.name || "*");

const causesOf = new Map();
run.causes.forEach((cause, i) => (cause.blocks || []).forEach(id => {
  const key = keyOf(id);
  if (!causesOf.has(key)) causesOf.set(key, []);
  causesOf.get(key).push(i);
}));

const objects = run.objects.map((data, rank) => {
  const word = wordOf(data), changes = data.changes;
  const segments = changes.map((change, i) => ({
    change, word: wordOf(change), from: at(change.time),
    to: i + 1 < changes.length ? at(changes[i + 1].time) : data.left ? at(change.time) : total,
  })).filter((s, i, all) => s.to > s.from || i === all.length - 1 && !data.left);
  const selects = data.selection ? [data.selection.labels && "-l " + data.selection.labels, data.selection.fields].filter(Boolean).join(" ") : "";
  const o = {
    data, rank, word, segments, key: keyOf(data.id), name: plain(nameOf(data.id) + (selects && " " + selects)),
    kind: plain(data.id.kind), message: said(data) + (data.left ? "; gone from its selection" : ""), causes: causesOf.get(keyOf(data.id)) || [],
    last: changes.length ? at(changes[changes.length - 1].time) : -1,
    took: data.met ? at(data.met) : data.failed ? at(data.failed) : total,
  };
  const texts = [o.key, named(data), data.reason, o.message, ...o.causes.map(i => run.causes[i].text)];
  o.found = texts.join("\n").toLowerCase();
  return o;
});
const byKey = new Map(objects.map(o => [o.key, o]));

// ---- A row of the timeline

const segmentText = s => [named(s.change) + " " + clock(s.from) + "–" + clock(s.to) + " (" + lasting(s.to - s.from) + ")", said(s.change)];

const segment = s => {
  const e = element("span", "seg s s-" + s.word), share = (s.to - s.from) / total;
  e.style.left = 100 * s.from / total + "%";
  e.style.width = 100 * share + "%";
  if (share > .1) e.textContent = s.word;
  else if (share > .03) e.textContent = signs[s.word];
  else e.classList.add("slim");
  return e;
};

const makeRow = o => {
  const state = element("span", "st s s-" + o.word, sign(o.word), named(o.data));
  const name = element("span", "nm", element("span", "", element("i", "", o.kind + "/"), o.name));
  if (o.data.id.cluster) name.firstChild.prepend(element("i", "", plain(o.data.id.cluster) + ": "));
  const cause = o.causes.length && plain(run.causes[o.causes[0]].text);
  const message = cause || (o.data.status === "Current" && o.data.confidence !== "assumed" && !o.data.suspended ? "" : o.message);
  if (message) name.append(element("span", "msg", message));
  const track = element("span", "track", ...o.segments.map(segment));
  track.setAttribute("aria-hidden", "true");
  const line = element("button", "line", state, name, track);
  line.type = "button";
  line.tabIndex = -1;
  line.setAttribute("aria-expanded", "false");
  o.row = element("div", "row", line);
  o.row.id = "o" + o.rank;
  o.row.setAttribute("role", "listitem");
  o.line = line;
  line.object = o;
};

// ---- The details of a row

const fields = evidence => {
  const body = element("tbody");
  for (const e of evidence) {
    const path = element("td", "path", element("code", "", plain(e.path)));
    body.append(element("tr", "", path, element("td", "", element("code", "", plain(e.value === null ? "(none)" : e.value)))));
  }
  return element("table", "", body);
};

const makeDetails = o => {
  const more = element("div", "more"), d = o.data;
  const left = element("div"), right = element("div");
  if (o.causes.length) {
    const list = element("ul");
    for (const i of o.causes) {
      const link = element("a", "", plain(run.causes[i].text));
      link.href = "#cause-" + i;
      list.append(element("li", "", link));
    }
    left.append(element("h3", "", "Why"), list);
  }
  const history = element("tbody");
  d.changes.forEach((c, i) => {
    if (i === 10 && d.omitted) history.append(element("tr", "", element("td", "", "…"), element("td", "", d.omitted + " changes left out")));
    const word = element("span", "word s s-" + wordOf(c), named(c));
    history.append(element("tr", "", element("td", "", clock(at(c.time))), element("td", "", word, " " + said(c))));
  });
  left.append(element("h3", "", "What it has been"), element("table", "", history));
  const facts = [["Kind", d.id.kind + (d.id.group ? "." + d.id.group : "")], ["Reason", d.reason], ["Decided by", d.rule], ["Confidence", d.confidence],
    ["Suspended", d.suspended], ["Met after", d.met && lasting(at(d.met))], ["Failed after", d.failed && lasting(at(d.failed))],
    ["Manifest", d.source && d.source.file + (d.source.line ? ":" + d.source.line : "")], ...(d.warnings || []).map(w => ["Warning", w])];
  const about = element("tbody");
  for (const [term, text] of facts) {
    if (text) about.append(element("tr", "", element("td", "", term), element("td", "", plain(text))));
  }
  const link = element("a", "", "Link to this object");
  link.href = "#" + encodeURIComponent(o.key);
  right.append(element("h3", "", "About"), element("table", "", about), link);
  more.append(left, right);
  if (d.evidence.length) {
    const wide = element("div", "wide", element("h3", "", "Fields that decided"), fields(d.evidence));
    more.append(wide);
  }
  return more;
};

const toggle = (o, open = !o.open) => {
  o.open = open;
  if (open && !o.more) {
    o.more = makeDetails(o);
    o.more.id = o.row.id + "-more";
    o.row.append(o.more);
    o.line.setAttribute("aria-controls", o.more.id);
  }
  if (o.more) o.more.hidden = !open;
  o.row.classList.toggle("open", open);
  o.line.setAttribute("aria-expanded", String(open));
};

// ---- Filter and order

const state = {words: new Set(), text: "", kind: "", namespace: "", cluster: "", order: "worst", shown: [], all: new Set()};
const orders = {
  worst: (x, y) => x.rank - y.rank,
  name: (x, y) => x.name.localeCompare(y.name) || x.rank - y.rank,
  kind: (x, y) => x.kind.localeCompare(y.kind) || x.name.localeCompare(y.name),
  long: (x, y) => y.took - x.took || x.rank - y.rank,
  late: (x, y) => y.last - x.last || x.rank - y.rank,
};
const rows = $("rows"), empty = element("div", "empty", "No object is like that.");

const fits = o => (state.words.size === 0 || state.words.has(o.word)) &&
  (!state.kind || o.data.id.kind === state.kind) && (!state.namespace || (o.data.id.namespace || "") === state.namespace) &&
  (!state.cluster || o.data.id.cluster === state.cluster) && state.text.split(/\s+/).every(part => o.found.includes(part));

let current = null; // the row that Tab leads to
const makeCurrent = o => {
  if (current) current.line.tabIndex = -1;
  current = o;
  if (o) o.line.tabIndex = 0;
};

// Rows stand in chunks, of which the browser renders those in sight.
const perChunk = 50, chunks = [];
const show = () => {
  for (let i = 0; i * perChunk < Math.max(1, state.shown.length) || i < chunks.length; i++) {
    const part = state.shown.slice(i * perChunk, (i + 1) * perChunk);
    if (!chunks[i]) {
      chunks[i] = element("div", "chunk");
      chunks[i].setAttribute("role", "none");
      rows.append(chunks[i]);
    }
    chunks[i].replaceChildren(...part.map(o => o.row));
    chunks[i].style.setProperty("--rows", part.length);
  }
  if (!state.shown.length) chunks[0].append(empty);
};

const filter = () => {
  state.shown = objects.filter(fits).sort(orders[state.order]);
  state.all = new Set(state.shown);
  show();
  $("count").textContent = state.shown.length + " of " + objects.length + " objects";
  if (!state.all.has(current)) makeCurrent(state.shown[0]);
  if (!$("tree").hidden) drawTree();
};

const options = (select, values, all) => {
  select.append(new Option(all, ""));
  for (const value of [...new Set(values)].sort()) select.append(new Option(plain(value), value));
  select.parentElement.hidden = select.options.length < 3;
};

const makeFilter = () => {
  for (const word of words) {
    const n = objects.filter(o => o.word === word).length;
    if (!n) continue;
    const chip = element("button", "chip s s-" + word, sign(word), word + " ", element("b", "", n));
    chip.type = "button";
    chip.setAttribute("aria-pressed", "false");
    chip.addEventListener("click", () => {
      const on = !state.words.delete(word);
      if (on) state.words.add(word);
      chip.setAttribute("aria-pressed", String(on));
      filter();
    });
    $("chips").append(chip);
    $("legend").append(element("li", "", sign(word), word));
  }
  options($("kind"), objects.map(o => o.data.id.kind), "all kinds");
  options($("namespace"), objects.map(o => o.data.id.namespace).filter(Boolean), "all namespaces");
  options($("cluster"), objects.map(o => o.data.id.cluster).filter(Boolean), "all clusters");
  for (const name of ["kind", "namespace", "cluster"]) {
    $(name).addEventListener("change", e => { state[name] = e.target.value; filter(); });
  }
  $("order").addEventListener("change", e => { state.order = e.target.value; filter(); });
  $("find").addEventListener("input", e => { state.text = e.target.value.trim().toLowerCase(); filter(); });
  $("filter").addEventListener("submit", e => e.preventDefault());
  $("filter").addEventListener("reset", () => {
    Object.assign(state, {words: new Set(), text: "", kind: "", namespace: "", cluster: "", order: "worst"});
    for (const chip of $("chips").children) chip.setAttribute("aria-pressed", "false");
    filter();
  });
  $("filter").hidden = false;
};

// ---- Axis and tip

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

// ---- The tree: objects, and the chains from them down to what is wrong

const twigOf = (word, name, text, key) => ({word, name, text, key, children: new Map()});

const grow = () => {
  const tops = [], folded = new Map();
  for (const o of state.shown) {
    if (o.word === "Current" && !o.causes.length) {
      const space = plain(o.data.id.namespace || "without namespace");
      if (!folded.has(space)) folded.set(space, []);
      folded.get(space).push(o);
      continue;
    }
    const top = twigOf(o.word, o.kind + "/" + o.name, o.message, o.key);
    for (const i of o.causes) {
      let twig = top;
      (run.causes[i].chain || []).forEach((link, depth, all) => {
        const key = keyOf(link.id) + " " + (link.container || "");
        if (depth === 0 && keyOf(link.id) === o.key && !link.container) return;
        if (!twig.children.has(key)) {
          const name = link.container ? "container " + link.container : link.id.kind + "/" + nameOf(link.id);
          const word = link.status in signs ? link.status : depth === all.length - 1 ? "Failed" : "Unknown";
          twig.children.set(key, twigOf(word, plain(name), plain(link.text || link.status), keyOf(link.id)));
        }
        twig = twig.children.get(key);
      });
      const text = plain(run.causes[i].text);
      if (twig.text !== text) twig.children.set("cause " + i, twigOf("", "because", text, "cause-" + i));
    }
    tops.push(top);
  }
  for (const [space, all] of [...folded].sort(([x], [y]) => x.localeCompare(y))) {
    const top = twigOf("Current", all.length + " current", space, "");
    top.folded = true;
    for (const o of all) top.children.set(o.key, twigOf(o.word, o.kind + "/" + o.name, o.data.confidence === "assumed" ? o.message : "", o.key));
    tops.push(top);
  }
  return tops;
};

const makeNode = (twig, level) => {
  const node = element("div", "node", element("span", "twig"));
  if (twig.word) node.append(sign(twig.word));
  const heard = twig.word && !twig.folded ? [element("span", "sr", twig.word + " ")] : [];
  node.append(...heard, element("span", "name", twig.name), " ", element("span", "what", twig.text));
  const item = element("li", "", node);
  item.setAttribute("role", "treeitem");
  item.setAttribute("aria-level", level);
  item.setAttribute("aria-selected", "false");
  item.tabIndex = -1;
  item.twig = twig;
  if (twig.children.size) {
    item.setAttribute("aria-expanded", String(!twig.folded));
    if (!twig.folded) fill(item, level);
  }
  return item;
};
const fill = (item, level) => {
  const group = element("ul", "", ...[...item.twig.children.values()].map(t => makeNode(t, level + 1)));
  group.setAttribute("role", "group");
  item.append(group);
};
const drawTree = () => {
  const items = grow().map(t => makeNode(t, 1));
  $("nodes").replaceChildren(...items.length ? items : [element("li", "empty", "No object is like that.")]);
  if (items.length) items[0].tabIndex = 0;
};
const unfold = (item, open) => {
  if (!item.hasAttribute("aria-expanded")) return;
  if (open && !item.querySelector("ul")) fill(item, Number(item.getAttribute("aria-level")));
  item.setAttribute("aria-expanded", String(open));
};
const step = (from, to) => {
  if (!to) return;
  from.tabIndex = -1;
  to.tabIndex = 0;
  to.focus();
};
const listenTree = () => {
  const nodes = $("nodes");
  const visible = () => [...nodes.querySelectorAll('[role="treeitem"]')].filter(i => !i.parentElement.closest('[aria-expanded="false"]'));
  nodes.addEventListener("click", e => {
    const item = e.target.closest('[role="treeitem"]');
    if (!item) return;
    step(nodes.querySelector('[tabindex="0"]') || item, item);
    if (item.hasAttribute("aria-expanded")) unfold(item, item.getAttribute("aria-expanded") === "false");
    else go(item.twig.key);
  });
  nodes.addEventListener("keydown", e => {
    const item = e.target.closest('[role="treeitem"]');
    if (!item) return;
    const all = visible(), i = all.indexOf(item), open = item.getAttribute("aria-expanded");
    if (e.key === "ArrowDown") step(item, all[i + 1]);
    else if (e.key === "ArrowUp") step(item, all[i - 1]);
    else if (e.key === "Home") step(item, all[0]);
    else if (e.key === "End") step(item, all[all.length - 1]);
    else if (e.key === "ArrowRight" && open === "false") unfold(item, true);
    else if (e.key === "ArrowRight" && open === "true") step(item, all[i + 1]);
    else if (e.key === "ArrowLeft" && open === "true") unfold(item, false);
    else if (e.key === "ArrowLeft") step(item, item.parentElement.closest('[role="treeitem"]'));
    else return;
    e.preventDefault();
  });
  // Not before the key is up, or it would press what it leads to as well.
  nodes.addEventListener("keyup", e => {
    if (e.key === "Enter" && e.target.twig) go(e.target.twig.key);
  });
};

// ---- Views, links, themes

const view = name => {
  for (const other of ["time", "tree"]) {
    $(other).hidden = other !== name;
    $("tab-" + other).setAttribute("aria-selected", String(other === name));
    $("tab-" + other).tabIndex = other === name ? 0 : -1;
  }
  if (name === "tree") drawTree();
};
const listenTabs = () => {
  const tabs = document.querySelector(".tabs");
  tabs.addEventListener("click", e => { if (e.target.id) view(e.target.id.slice(4)); });
  tabs.addEventListener("keydown", e => {
    if (e.key !== "ArrowLeft" && e.key !== "ArrowRight") return;
    const other = e.target.id === "tab-time" ? "tree" : "time";
    view(other);
    $("tab-" + other).focus();
  });
  tabs.hidden = false;
};

// go leads to an object, or to a cause.
const go = key => {
  if (/^cause-\d+$/.test(key) && $(key)) {
    $(key).open = true;
    $(key).scrollIntoView({block: "start"});
    $(key).querySelector("summary").focus({preventScroll: true});
    return;
  }
  const o = byKey.get(key);
  if (!o) return;
  view("time");
  if (!state.all.has(o)) $("filter").reset();
  toggle(o, true);
  makeCurrent(o);
  o.row.scrollIntoView({block: "center"});
  o.line.focus({preventScroll: true});
};
const follow = () => {
  let key = location.hash.slice(1);
  try { key = decodeURIComponent(key); } catch { /* not one of ours */ }
  go(key);
};

const themes = ["auto", "light", "dark"];
const theme = name => {
  if (name === "auto") delete root.dataset.theme; else root.dataset.theme = name;
  $("theme").textContent = "Theme: " + name;
  try { localStorage.setItem("kstatus-theme", name); } catch { /* not kept, then */ }
};
const listenTheme = () => {
  let kept = null;
  try { kept = localStorage.getItem("kstatus-theme"); } catch { /* none, then */ }
  theme(themes.includes(kept) ? kept : "auto");
  $("theme").addEventListener("click", () => theme(themes[(themes.indexOf(root.dataset.theme || "auto") + 1) % themes.length]));
  $("theme").hidden = false;
};

// Paper shows all of the causes.
const listenPrint = () => {
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    for (const d of folded) d.open = true;
  });
  addEventListener("afterprint", () => { for (const d of folded) d.open = false; });
};

objects.forEach(makeRow);
makeAxis();
makeFilter();
filter();
listen();
listenTree();
listenTabs();
listenTheme();
listenPrint();
addEventListener("hashchange", follow);
if (location.hash) follow();
})();
