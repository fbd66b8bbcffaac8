// The distribution of the response times so far, as the cumulative share of requests.

import { get } from "./choices";
import { sharp, time, type Colours } from "./drawing";
import type { Lane } from "./lane";

const LEFT = 48;
const RIGHT = 28;
const TOP = 22;
const BOTTOM = 40;
const PER_DECADE = 60;
/** Number of decades on the axis, which starts at a microsecond. */
const DECADES = 9;

interface Figures {
  count: number;
  mean: number;
  quantile: (share: number) => number;
}

/** A histogram of response times with logarithmic bins. */
export class Spread {
  private readonly counts = new Float64Array(PER_DECADE * DECADES + 1);
  private counted = 0;
  private sum_ns = 0;
  private sorted = new Float64Array();

  /** Add all requests that are complete at a time to the histogram. */
  count(lane: Lane, now_ns: number): void {
    const upto = lane.count(now_ns);
    if (upto < this.counted) {
      this.counts.fill(0);
      [this.counted, this.sum_ns, this.sorted] = [0, 0, new Float64Array()];
    }
    const fresh: number[] = [];
    for (; this.counted < upto; this.counted += 1) {
      const request = lane.completed[this.counted]!;
      const ns = request.completion_ns - request.arrival_ns;
      const at = Math.round(Math.log10(Math.max(ns, 1e3) / 1e3) * PER_DECADE);
      this.counts[Math.min(at, this.counts.length - 1)]! += 1;
      this.sum_ns += ns;
      fresh.push(ns);
    }
    if (fresh.length > 0) this.sorted = merged(this.sorted, Float64Array.from(fresh).sort());
  }

  /** Return the number of requests, and the mean and quantiles of their responses in nanoseconds. */
  figures(): Figures {
    const { sorted } = this;
    const quantile = (share: number) => {
      const place = share * (sorted.length - 1);
      const [low, high] = [sorted[Math.floor(place)] ?? Number.NaN, sorted[Math.ceil(place)] ?? Number.NaN];
      return low + (high - low) * (place % 1);
    };
    return { count: sorted.length, mean: this.sum_ns / sorted.length, quantile };
  }

  points(): [number, number][] {
    const found: [number, number][] = [];
    let sum = 0;
    this.counts.forEach((count, at) => {
      if (count === 0) return;
      found.push([at, sum / this.counted]);
      sum += count;
      found.push([at, sum / this.counted]);
    });
    return found;
  }
}

/** Merge two sorted lists: cheaper than sorting again, as most responses of a long run are sorted already. */
function merged(some: Float64Array, others: Float64Array): Float64Array<ArrayBuffer> {
  const all = new Float64Array(some.length + others.length);
  let [left, right] = [0, 0];
  for (let at = 0; at < all.length; at += 1) {
    const isLeft = right === others.length || (left < some.length && some[left]! <= others[right]!);
    all[at] = isLeft ? some[left++]! : others[right++]!;
  }
  return all;
}

export function drawSpreads(canvas: HTMLCanvasElement, spreads: Spread[], names: string[], lines: string[], colours: Colours): void {
  const { context, width, height } = sharp(canvas);
  const all = spreads.map((spread) => spread.points());
  const places = all.flat().map(([at]) => at);
  const least = places.length > 0 ? Math.floor(Math.min(...places) / PER_DECADE) : 2;
  const most = places.length > 0 ? Math.max(least + 1, Math.ceil(Math.max(...places) / PER_DECADE)) : 4;
  const x = (at: number) => LEFT + ((at / PER_DECADE - least) / (most - least)) * (width - LEFT - RIGHT);
  const y = (share: number) => TOP + (1 - share) * (height - TOP - BOTTOM);
  context.lineWidth = 1;
  context.textAlign = "center";
  for (let decade = least; decade <= most; decade += 1) {
    for (const factor of decade < most ? [1, 2, 3, 4, 5, 6, 7, 8, 9] : [1]) {
      const at = x((decade + Math.log10(factor)) * PER_DECADE);
      context.strokeStyle = colours[factor === 1 ? "line" : "grid"]!;
      context.beginPath();
      context.moveTo(at, y(0));
      context.lineTo(at, y(1));
      context.stroke();
    }
    context.fillStyle = colours["quiet"]!;
    context.fillText(time(10 ** (decade + 3)), x(decade * PER_DECADE), height - BOTTOM + 16);
  }
  context.fillText("response time (logarithmic scale)", (LEFT + width - RIGHT) / 2, height - 6);
  context.textAlign = "right";
  for (const share of [0, 0.25, 0.5, 0.75, 0.95, 1]) {
    context.strokeStyle = colours["grid"]!;
    context.beginPath();
    context.moveTo(LEFT, y(share));
    context.lineTo(width - RIGHT, y(share));
    context.stroke();
    if (share !== 1) context.fillText(`${share * 100} %`, LEFT - 4, y(share) + 4);
  }
  context.textAlign = "left";
  context.fillText("share of requests with at most this response time", 2, 12);
  all.forEach((points, lane) => {
    context.strokeStyle = lines[lane]!;
    context.setLineDash(lane === 0 ? [] : [6, 3]);
    context.lineWidth = 2;
    context.beginPath();
    points.forEach(([at, share], point) => (point === 0 ? context.moveTo(x(at), y(share)) : context.lineTo(x(at), y(share))));
    context.stroke();
    context.setLineDash([]);
    context.fillStyle = lines[lane]!;
    context.beginPath();
    context.setLineDash(lane === 0 ? [] : [6, 3]);
    context.moveTo(LEFT + 8, TOP + 14 + 16 * lane);
    context.lineTo(LEFT + 34, TOP + 14 + 16 * lane);
    context.stroke();
    context.setLineDash([]);
    context.fillText(names[lane]!, LEFT + 40, TOP + 18 + 16 * lane);
  });
}

/** Write the figures of each policy into the table of the page. */
export function showFigures(all: (Figures & { name: string; waiting: number })[]): void {
  const rows = all.map(({ name, count, waiting, mean, quantile }) => {
    const row = document.createElement("tr");
    const cells = [name, String(count), String(waiting), ...[mean, quantile(0.5), quantile(0.95), quantile(0.99)].map(time)];
    row.append(...cells.map((cell, at) => {
      const made = document.createElement(at === 0 ? "th" : "td");
      if (at === 0) made.setAttribute("scope", "row");
      else made.className = "number";
      made.textContent = cell;
      return made;
    }));
    return row;
  });
  get<HTMLTableElement>("figures").tBodies[0]!.replaceChildren(...rows);
}
