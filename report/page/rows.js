// The objects, and the row and the details of each.
const keyOf = id => (id.cluster ? id.cluster + ":" : "") + id.kind + (id.group ? "." + id.group : "") + "/" +
  (id.namespace ? id.namespace + "/" : "") + id.name;
const nameOf = id => (id.namespace ? id.namespace + "/" : "") + (id.name || "*");

const causesOf = new Map();
run.causes.forEach((cause, i) => (cause.blocks || []).forEach(id => {
  const key = keyOf(id);
  if (!causesOf.has(key)) causesOf.set(key, []);
  causesOf.get(key).push(i);
}));

// label marks the widest of the segments that follow each other with the same word.
const label = segments => {
  let widest = null, before = null;
  for (const s of segments) {
    s.same = before !== null && before.word === s.word;
    before = s;
    if (s.same && s.to - s.from <= widest.to - widest.from) continue;
    if (s.same) widest.label = false;
    s.label = true;
    widest = s;
  }
};

const objects = run.objects.map((data, rank) => {
  const word = wordOf(data), changes = data.changes;
  const segments = changes.map((change, i) => ({
    change, word: wordOf(change), from: at(change.time),
    to: i + 1 < changes.length ? at(changes[i + 1].time) : data.left ? at(change.time) : total,
  })).filter((s, i, all) => s.to > s.from || i === all.length - 1 && !data.left);
  label(segments);
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

const segmentText = s => [named(s.change) + " " + clock(s.from) + "–" + clock(s.to) + " (" + lasting(s.to - s.from) + ")", said(s.change)];

const segment = s => {
  const e = element("span", "seg s s-" + s.word), share = (s.to - s.from) / total;
  e.style.left = 100 * s.from / total + "%";
  e.style.width = 100 * share + "%";
  if (s.same) e.classList.add("same");
  if (s.label && share > .15) e.textContent = s.word;
  else if (s.label && share > .03) e.textContent = signs[s.word];
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
    ["Manifest", d.source && d.source.file + (d.source.line ? ":" + d.source.line : "")], ["Caveat", d.caveat], ...(d.warnings || []).map(w => ["Warning", w])];
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
