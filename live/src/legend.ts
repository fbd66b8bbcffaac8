// The legend: colours of phases, and symbols of requests and of the sled.

import { PHASES } from "./drawing";

/** Meanings of the symbols in the pictures, each with its shape as SVG. */
const MARKS: [string, string][] = [
  ["waiting read", '<circle cx="7" cy="7" r="3.5" fill="var(--page)" stroke="var(--text)" stroke-width="1.5"/>'],
  ["waiting write", '<circle cx="7" cy="7" r="4" fill="var(--text)"/>'],
  ["in service", '<circle cx="7" cy="7" r="6" fill="none" stroke="var(--text)" stroke-width="1.5"/>'],
  ["longest wait", '<path d="M7 1 13 7 7 13 1 7Z" fill="none" stroke="var(--c4)" stroke-width="2"/>'],
  ["chosen", '<path d="M1.5 1.5h11v11h-11z" fill="none" stroke="var(--link)" stroke-width="2"/>'],
  ["order in which the policy would serve", '<text x="7" y="11" text-anchor="middle" font-size="12" fill="var(--text)">1</text>'],
];

export function legend(place: HTMLElement): void {
  const entry = (mark: string, name: string) => {
    const made = document.createElement("span");
    made.innerHTML = mark;
    made.append(name);
    return made;
  };
  const row = (entries: HTMLElement[]) => {
    const made = document.createElement("div");
    made.append(...entries);
    return made;
  };
  place.append(
    row(PHASES.map(([name, colour]) => entry(`<i style="background: var(--${colour})"></i>`, name))),
    row(MARKS.map(([name, shape]) => entry(`<svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">${shape}</svg>`, name))),
  );
}
