// Which objects are shown, and in which order.
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
