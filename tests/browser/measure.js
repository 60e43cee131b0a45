// Checks that nothing covers the board or the question, then tries every choice by touch, if there are any; returns the
// problems, and how many choices were tried in which way.
async ([need, choices, most]) => {
  const problems = [];
  const counts = { targets: 0, buttons: 0, loupes: 0, several: 0, moves: 0 };
  const part = (name) => document.querySelector(`[data-testid="${name}"]`);
  const channel = new MessageChannel();
  const rest = () => new Promise((go) => { channel.port1.onmessage = go; channel.port2.postMessage(0); });
  const frame = () => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
  await frame();
  const board = part("board");
  // The board follows the room that tips leave it.
  for (let count = 0; count < 50 && board.getBoundingClientRect().bottom > board.parentElement.getBoundingClientRect().bottom + 1; count++) await frame();
  const list = part("choices");
  const boxOf = (element) => element.getBoundingClientRect();
  const middle = (box) => ({ x: box.left + box.width / 2, y: box.top + box.height / 2 });
  const within = (inner, outer) => inner.left >= outer.left - 1 && inner.right <= outer.right + 1
    && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
  const overlaps = (one, other) => {
    const [a, b] = [boxOf(one), boxOf(other)];
    return a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  };
  const nameOf = (element) => element.dataset.testid ?? element.tagName;
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const root = document.scrollingElement;
  if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight) problems.push("the page scrolls");

  // The parts of the page do not overlap and are completely on the screen.
  const parts = [...document.querySelectorAll("header, main, section, nav, aside")];
  for (const one of parts) {
    if (!within(boxOf(one), screen)) problems.push(`${one.tagName} is cut off`);
    for (const other of parts.slice(parts.indexOf(one) + 1)) {
      if (overlaps(one, other) && !one.contains(other)) problems.push(`${one.tagName} and ${other.tagName} overlap`);
    }
  }
  // The header has one line, and nothing in it is cut off or lies over something else.
  const header = document.querySelector("header");
  if (boxOf(header).height > 60) problems.push("the header has several lines");
  const inHeader = [...header.children].filter((each) => boxOf(each).height > 0);
  for (const one of inHeader) {
    if (!within(boxOf(one), boxOf(header))) problems.push(`${one.tagName} of the header is cut off`);
    if (inHeader.some((other) => other !== one && overlaps(one, other))) problems.push(`${one.tagName} of the header is covered`);
  }
  // No tip, banner or message lies over the board, the question, or the buttons of the question.
  list.scrollTop = 0;
  const words = [...document.querySelectorAll('[data-testid="told"], [data-testid="guide"], [data-testid="from-position"], [role="alert"], dialog')];
  const kept = { board, question: part("line") };
  for (const above of words)
    for (const [name, below] of Object.entries(kept))
      if (below && overlaps(above, below)) problems.push(`${nameOf(above)} lies over the ${name}`);
  const question = part("line");
  const lines = question ? question.clientHeight / parseFloat(getComputedStyle(question).lineHeight) : 3;
  if (question && question.scrollHeight > question.clientHeight + 2 && lines < 2.9) problems.push("the question is cut off");
  if (choices.length === 0) return { problems, words: words.map(nameOf) };
  const shown = [...list.querySelectorAll(".choice")];
  for (const above of words)
    for (const button of shown.filter((each) => overlaps(each, list)))
      if (overlaps(above, button)) problems.push(`${nameOf(above)} lies over ${button.innerText}`);
  if (shown[0] && !within(boxOf(shown[0]), boxOf(list))) problems.push(`one has to scroll to ${shown[0].innerText}`);
  const share = (boxOf(board).width * boxOf(board).height) / (innerWidth * innerHeight);
  if (board.clientWidth * board.clientHeight === 0 || share < 0.28) problems.push(`the board has ${share.toFixed(2)} of the screen`);

  /** Check that a button is large enough, fully visible and not covered at its center. */
  const checkButton = (button, box, name) => {
    const at = boxOf(button);
    if (at.width < need - 0.5 || at.height < need - 0.5) problems.push(`${name}: ${at.width.toFixed(0)} by ${at.height.toFixed(0)}`);
    if (!within(at, box) || !within(at, screen)) problems.push(`${name} is cut off`);
    if (button.scrollWidth > button.clientWidth + 1 || button.scrollHeight > button.clientHeight + 1) problems.push(`${name} is too small for its words`);
    const { x, y } = middle(at);
    if (!button.contains(document.elementFromPoint(x, y))) problems.push(`${name} is covered`);
  };
  list.scrollTop = 0;
  await rest();
  const overflows = list.scrollHeight > list.clientHeight + 4;
  if (overflows !== list.classList.contains("more")) problems.push("the mark for further choices is wrong");
  const buttons = [...list.querySelectorAll("button")];
  for (const button of buttons) {
    counts.buttons += 1;
    button.scrollIntoView({ block: "nearest" });
    await Promise.all(button.getAnimations().map((each) => each.finish()));
    checkButton(button, boxOf(list), `button ${button.innerText}`);
  }
  const pressable = new Set(buttons.map((button) => button.dataset.action));
  list.scrollTop = 0;

  // ---- on the board
  const targets = () => [...board.querySelectorAll("[data-target]")].map((element) => ({
    id: element.dataset.target, place: element.dataset.place, out: element.dataset.out !== undefined,
    chosen: element.getAttribute("aria-pressed") === "true", ...middle(boxOf(element.querySelector(".ring"))),
  }));
  const placesOf = (all) => {
    const found = new Map();
    for (const each of all) found.set(each.place, [...(found.get(each.place) ?? []), each]);
    return [...found].map(([place, there]) => ({
      place,
      x: there.reduce((sum, { x }) => sum + x, 0) / there.length,
      y: there.reduce((sum, { y }) => sum + y, 0) / there.length,
    }));
  };
  const size = (place, all) => {
    const places = placesOf(all.filter(({ out }) => !out));
    const own = places.find((each) => each.place === place);
    return Math.min(Infinity, ...places.filter((each) => each !== own).map((each) => Math.hypot(each.x - own.x, each.y - own.y)));
  };
  const tap = async ({ x, y }) => {
    const at = { clientX: x, clientY: y, bubbles: true, pointerType: "touch", pointerId: 7, isPrimary: true };
    const under = document.elementFromPoint(x, y);
    if (!board.contains(under)) { problems.push(`something covers ${x.toFixed(0)}, ${y.toFixed(0)}: ${under?.className}`); return; }
    under.dispatchEvent(new PointerEvent("pointerdown", at));
    under.dispatchEvent(new PointerEvent("pointerup", at));
    under.dispatchEvent(new PointerEvent("click", at));
    await rest();
    await rest();
  };
  const zoom = () => Number(board.dataset.zoom);
  const choosable = choices.filter(({ targets: places }) => places.length > 0);
  const ids = [...new Set(choosable.map(({ targets: places }) => places[0]))]
    .filter((_, i, all) => i % Math.ceil(all.length / most) === 0);
  for (const id of ids) {
    const actions = choosable.filter(({ targets: places }) => places[0] === id).map(({ text }) => text);
    const numbers = choosable.filter(({ targets: places }) => places.includes(id)).map(({ action }) => action);
    counts.targets += 1;
    let reached = false;
    for (let tries = 0; tries < 4 && !reached; tries++) {
      let all = targets();
      let target = all.find((each) => each.id === id);
      if (!target) { problems.push(`${id} is not there`); break; }
      if (target.out) {
        counts.moves += 1;
        part("zoom-whole").click();
        await rest();
        all = targets();
        target = all.find((each) => each.id === id);
      }
      const before = { zoom: zoom(), played: window.played.length };
      const at = size(target.place, all);
      await tap(target);
      const chosen = () => targets().find((each) => each.id === id)?.chosen
        || (numbers.includes(window.played.at(-1)) && window.played.length > before.played);
      // Some modules are loaded on first use.
      for (let wait = 0; wait < 400 && zoom() <= before.zoom && !part("several") && !chosen(); wait++)
        await new Promise((go) => setTimeout(go, 5));
      const offered = part("several");
      if (zoom() > before.zoom) counts.loupes += 1;
      else if (offered) {
        counts.several += 1;
        const own = actions.map((action) => [...offered.querySelectorAll("button")].find((button) => button.dataset.action === action));
        if (own.includes(undefined)) problems.push(`${id} is not among what is offered`);
        for (const button of own.filter(Boolean)) {
          button.scrollIntoView({ block: "nearest" });
          checkButton(button, boxOf(offered), `offer ${button.innerText}`);
        }
        reached = true;
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
        await rest();
      } else if (chosen()) {
        if (at < need - 1) problems.push(`${id} is chosen at a size of ${at.toFixed(0)}`);
        reached = true;
      } else { problems.push(`${id}: a tap at ${target.x.toFixed(0)}, ${target.y.toFixed(0)} did something else, at zoom ${before.zoom}`); break; }
    }
    if (!reached) problems.push(`${id} cannot be reached`);
  }
  for (const { text, targets: places } of choices)
    if (places.length === 0 && !pressable.has(text)) problems.push(`no button for ${text}`);
  return { problems: [...new Set(problems)], words: words.map(nameOf), counts };
}
