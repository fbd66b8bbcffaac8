// How response times are distributed so far: which share of requests took at most how long.

import { sharp, time, type Colours } from "./drawing";
import type { Lane } from "./lane";

const LEFT = 42;
const BOTTOM = 20;
const PER_DECADE = 60;
/** Decades from a microsecond on. */
const DECADES = 9;

/** Response times that were counted, by their size on a logarithmic scale. */
export class Spread {
  private readonly counts = new Float64Array(PER_DECADE * DECADES + 1);
  private counted = 0;
  private sum_ns = 0;
  private exact: number[] = [];
  private sorted: number[] = [];

  /** Counts the requests that are complete by then. */
  count(lane: Lane, now_ns: number): void {
    const upto = lane.count(now_ns);
    if (upto < this.counted) {
      this.counts.fill(0);
      [this.counted, this.sum_ns, this.exact] = [0, 0, []];
    }
    for (; this.counted < upto; this.counted += 1) {
      const request = lane.completed[this.counted]!;
      const ns = request.completion_ns - request.arrival_ns;
      const at = Math.round(Math.log10(Math.max(ns, 1e3) / 1e3) * PER_DECADE);
      this.counts[Math.min(at, this.counts.length - 1)]! += 1;
      this.sum_ns += ns;
      this.exact.push(ns);
    }
  }

  /** Mean, quantiles and the longest, in nanoseconds. */
  figures(): { count: number; mean: number; quantile: (share: number) => number } {
    if (this.sorted.length !== this.exact.length) this.sorted = this.exact.toSorted((a, b) => a - b);
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

export function drawSpreads(canvas: HTMLCanvasElement, spreads: Spread[], names: string[], lines: string[], colours: Colours): void {
  const { context, width, height } = sharp(canvas);
  const all = spreads.map((spread) => spread.points());
  const places = all.flat().map(([at]) => at);
  const least = places.length > 0 ? Math.floor(Math.min(...places) / PER_DECADE) : 2;
  const most = places.length > 0 ? Math.max(least + 1, Math.ceil(Math.max(...places) / PER_DECADE)) : 4;
  const x = (at: number) => LEFT + ((at / PER_DECADE - least) / (most - least)) * (width - LEFT - 16);
  const y = (share: number) => 6 + (1 - share) * (height - BOTTOM - 10);
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
    context.fillText(time(10 ** (decade + 3)), Math.min(x(decade * PER_DECADE), width - 18), height - 5);
  }
  context.textAlign = "right";
  for (const share of [0, 0.5, 0.95, 1]) {
    context.strokeStyle = colours["grid"]!;
    context.beginPath();
    context.moveTo(LEFT, y(share));
    context.lineTo(width - 16, y(share));
    context.stroke();
    if (share !== 1) context.fillText(`${share * 100} %`, LEFT - 4, y(share) + 4);
  }
  context.textAlign = "left";
  all.forEach((points, lane) => {
    context.strokeStyle = lines[lane]!;
    context.setLineDash(lane === 0 ? [] : [6, 3]);
    context.lineWidth = 2;
    context.beginPath();
    points.forEach(([at, share], point) => (point === 0 ? context.moveTo(x(at), y(share)) : context.lineTo(x(at), y(share))));
    context.stroke();
    context.setLineDash([]);
    context.fillStyle = lines[lane]!;
    context.fillText(names[lane]!, LEFT + 8, 20 + 16 * lane);
  });
}
