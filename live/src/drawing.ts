// Functions that all pictures share: sharp canvases, colours, and formats of numbers.

export type Colours = Record<string, string>;

const NAMES = ["text", "page", "quiet", "line", "grid", "shade", "link", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "g1", "g2"];

/** Phases of a service, each with its colour, in the order of the legend. */
export const PHASES: [string, string][] = [
  ["command", "g1"],
  ["wait", "g2"],
  ["positioning", "c1"],
  ["settle", "c2"],
  ["hold", "c5"],
  ["switch", "c4"],
  ["transfer", "c3"],
  ["bus", "c8"],
];

const PHASE_COLOURS = new Map(PHASES);

export const phaseColour = (colours: Colours, phase: string): string => colours[PHASE_COLOURS.get(phase) ?? "g1"]!;

/** Return the colours of the page in the current theme, by name. */
export function coloursOf(element: Element): Colours {
  const probe = document.createElement("i");
  element.append(probe);
  const found: Colours = {};
  for (const name of NAMES) {
    probe.style.color = `var(--${name})`;
    found[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return found;
}

/** Set up a canvas with the resolution of the screen; lengths in it are CSS pixels. */
export function sharp(canvas: HTMLCanvasElement): { context: CanvasRenderingContext2D; width: number; height: number } {
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  const ratio = Math.min(devicePixelRatio || 1, 3);
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const context = canvas.getContext("2d")!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = '12px "DejaVu Sans", Verdana, sans-serif';
  return { context, width, height };
}

/** Format a time in nanoseconds in the unit that needs the fewest digits. */
export function time(ns: number): string {
  if (!Number.isFinite(ns)) return "-";
  const [scale, unit] = ns < 1e3 ? [1, "ns"] : ns < 1e6 ? [1e3, "µs"] : ns < 1e9 ? [1e6, "ms"] : [1e9, "s"];
  return `${(ns / scale).toPrecision(3).replace(/\.?0+$/, (tail) => (tail.includes(".") ? "" : tail))} ${unit}`;
}

/** Format a time in nanoseconds with enough digits to distinguish successive services. */
export const clock = (ns: number): string => (ns < 1e11 ? `${(ns / 1e6).toFixed(3)} ms` : `${(ns / 1e9).toFixed(3)} s`);

/** Return the round distance between ticks for an axis with about `steps` of them. */
export function step(range: number, steps: number): number {
  const least = range / steps;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= least)!;
}
