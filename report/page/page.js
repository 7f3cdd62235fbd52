// Views, links and themes, and the start of all.
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
