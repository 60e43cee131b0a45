// The menu of a small screen, and the search. Without this script every page can be read all the same.
"use strict";

// ---- the menu ----------------------------------------------------------------------------------

const narrow = matchMedia("(max-width: 56rem)");
const menu = document.querySelector(".menu");
const fold = () => (menu.open = !narrow.matches);
narrow.addEventListener("change", fold);
fold();
delete document.documentElement.dataset.folds;
// In a long menu, the page one is on can be seen.
const here = menu.querySelector("[aria-current]");
if (here) menu.scrollTop = here.offsetTop - menu.clientHeight / 2;
// On a wide screen the contents stand beside the text, always open.
const wide = matchMedia("(min-width: 80rem)");
const contents = document.querySelector(".contents");
const unfold = () => contents && (contents.open = wide.matches);
wide.addEventListener("change", unfold);
unfold();

// ---- the search --------------------------------------------------------------------------------

const search = document.querySelector("search");
const field = search.querySelector("input");
const panel = search.querySelector(".found");
const status = panel.querySelector("p");
const list = panel.querySelector("ol");
const MOST = 20;

/** Letters without accents or case: who types "regle" finds "Règle". */
const plain = (text) =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[\u2019']/g, " ")
    .toLowerCase();

let index = null;
let loading = null;
function load() {
  loading ??= new Promise((done, fail) => {
    window.archipelFound = (entries) => {
      index = entries.map(([address, title, heading, text, language]) => ({
        address,
        title,
        heading,
        text,
        language,
        titles: plain(title),
        headings: plain(heading),
        words: plain(text),
      }));
      done();
    };
    const script = document.createElement("script");
    script.src = search.dataset.index;
    script.onerror = () => {
      loading = null;
      fail();
    };
    document.head.append(script);
  });
  return loading;
}

/** Where a term begins a word of a text; -1 where it does not. */
function beginning(text, term) {
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1))
    if (at === 0 || !/[a-z0-9]/.test(text[at - 1])) return at;
  return -1;
}

/** A text that begins with a word is more about it than one that mentions it. */
const place = (at) => (at < 0 ? 0 : at < 30 ? 4 : 3);

/** How well an entry answers: all terms must be there, and headings count for more. */
function worth(entry, terms) {
  let sum = 0;
  for (const term of terms) {
    const here =
      (beginning(entry.headings, term) >= 0 ? 12 : 0) +
      (beginning(entry.titles, term) >= 0 ? (entry.heading ? 4 : 12) : 0) +
      place(beginning(entry.words, term));
    if (here === 0) return 0;
    sum += here;
  }
  if (entry.headings === terms.join(" ")) sum += 20;
  return sum + (entry.language === document.documentElement.lang ? 2 : 0);
}

/** The words around the first term. */
function excerpt(entry, terms) {
  const at = Math.max(0, beginning(entry.words, terms[0]));
  // What was folded may be shorter than what was written: begin at a space well before.
  const start = at > 60 ? entry.text.indexOf(" ", at - 60) + 1 : 0;
  const rest = entry.text.slice(start);
  const cut = rest.length > 150 ? rest.slice(0, rest.lastIndexOf(" ", 150)) + " …" : rest;
  return (start > 0 ? "… " : "") + cut;
}

function show(results, terms) {
  const { none, one, some } = search.dataset;
  status.textContent = [none, one][results.length] ?? `${results.length} ${some}`;
  list.replaceChildren(
    ...results.slice(0, MOST).map(({ entry }) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = search.dataset.root + entry.address;
      link.lang = entry.language;
      const head = document.createElement("strong");
      head.textContent = entry.heading ? `${entry.title} · ${entry.heading}` : entry.title;
      const text = document.createElement("span");
      text.textContent = excerpt(entry, terms);
      link.append(head, text);
      item.append(link);
      return item;
    }),
  );
}

let asked = 0;
async function find() {
  const terms = plain(field.value).split(/\s+/).filter(Boolean);
  const mine = ++asked;
  panel.hidden = terms.length === 0;
  if (panel.hidden) return;
  try {
    await load();
  } catch {
    status.textContent = search.dataset.failed;
    return;
  }
  if (mine !== asked) return;
  const results = index
    .map((entry) => ({ entry, worth: worth(entry, terms) }))
    .filter((each) => each.worth > 0)
    .sort((one, other) => other.worth - one.worth);
  show(results, terms);
}

function close() {
  panel.hidden = true;
  asked += 1;
}

field.addEventListener("focus", () => void load().catch(() => {}));
field.addEventListener("input", find);
search.addEventListener("keydown", (event) => {
  const links = [...list.querySelectorAll("a")];
  const at = links.indexOf(document.activeElement);
  if (event.key === "Escape") {
    close();
    field.focus();
  } else if (event.key === "ArrowDown" && links.length) links[Math.min(at + 1, links.length - 1)].focus();
  else if (event.key === "ArrowUp" && links.length) (links[at - 1] ?? field).focus();
  else if (event.key === "Enter" && at < 0 && links.length) links[0].click();
  else return;
  event.preventDefault();
});
list.addEventListener("click", close);
document.addEventListener("click", (event) => search.contains(event.target) || close());
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  field.focus();
});
search.hidden = false;
