// A run under one policy: the services simulated so far, and the state of the device at any time of them.

import type { Simulator } from "./simulator";
import type { Built, Log, Path, Served } from "./wire";

export interface Request {
  row: number;
  arrival_ns: number;
  lbn: number;
  blocks: number;
  write: boolean;
  place: [number, number];
  start_ns: number;
  completion_ns: number;
}

export interface Place {
  x_um: number;
  y_um: number;
}

/** Return the number of elements of a sorted list whose key is at most `most`. */
export function upTo<T>(list: readonly T[], key: (element: T) => number, most: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (key(list[middle]!) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Number of services per call of the simulator: small, so that answers stay short and the display keeps moving. */
const AT_ONCE = 1000;

export const lasts = (served: Served): number => served.phases.reduce((sum, [, ns]) => sum + ns, 0);

/** Return the phase of a service at a time in ns after its start; settling is separate from positioning. */
export function phaseAt(served: Served, after_ns: number): string {
  let left = after_ns;
  for (const [name, ns] of served.phases) {
    if (left < ns) {
      const seek = served.parts.find(([part]) => part === "seek_x")?.[1] ?? 0;
      const settle = served.parts.find(([part]) => part === "settle")?.[1] ?? 0;
      return name === "positioning" && settle > 0 && left >= seek && left < seek + settle ? "settle" : name;
    }
    left -= ns;
  }
  return "bus";
}

export function placeOn(path: Path, after_ns: number): Place {
  const at = Math.max(1, upTo(path.after_ns, (ns) => ns, after_ns));
  if (at >= path.after_ns.length) return { x_um: path.x_um.at(-1)!, y_um: path.y_um.at(-1)! };
  const [from, to] = [path.after_ns[at - 1]!, path.after_ns[at]!];
  const share = to > from ? (after_ns - from) / (to - from) : 1;
  const between = (list: number[]) => list[at - 1]! + (list[at]! - list[at - 1]!) * share;
  return { x_um: between(path.x_um), y_um: between(path.y_um) };
}

export class Lane {
  readonly requests: Request[] = [];
  readonly services: Served[] = [];
  /** Requests that are complete, in the order of completion. */
  readonly completed: Request[] = [];
  /** Time in nanoseconds up to which the run has been simulated. */
  known_ns = 0;
  isDone = false;
  hasFailed = false;
  private busy: Promise<void> | undefined;
  /** Requests that wait at the time for which `waiting` was last called. */
  private readonly waitingRows = new Set<number>();
  private seen_ns = -1;
  private seenArrivals = 0;
  private seenServices = 0;
  /** Index of the first request that may still wait at the time for which `oldest` was last called. */
  private oldestRow = 0;
  private oldest_ns = 0;

  constructor(
    private readonly simulator: Simulator,
    readonly built: Built,
    private readonly fail: (error: Error) => void,
  ) {}

  /** Simulate up to a time in nanoseconds; a simulation in progress is awaited first. */
  reach(until_ns: number, detail: { paths: boolean; order: number }): Promise<void> {
    if (this.isDone || until_ns <= this.known_ns) return Promise.resolve();
    this.busy ??= this.simulate(until_ns, detail).finally(() => { this.busy = undefined; });
    return this.busy;
  }

  get isBusy(): boolean {
    return this.busy !== undefined;
  }

  private async simulate(until_ns: number, detail: { paths: boolean; order: number }): Promise<void> {
    try {
      this.take(await this.simulator.call<Log>("step", { run: this.built.run, until_ns: Math.ceil(until_ns), services: AT_ONCE, ...detail }));
    } catch (error) {
      this.hasFailed = true;
      this.fail(error as Error);
    }
  }

  private take(log: Log): void {
    const { row, time_ns, lbn, blocks, write, place } = log.arrived;
    row.forEach((number, at) => {
      this.requests[number] = {
        row: number,
        arrival_ns: time_ns[at]!,
        lbn: lbn[at]!,
        blocks: blocks[at]!,
        write: write[at]!,
        place: place[at]!,
        start_ns: Number.POSITIVE_INFINITY,
        completion_ns: Number.POSITIVE_INFINITY,
      };
    });
    for (const served of log.served) {
      if (served.path) {
        const { after_ns } = served.path;
        served.path.phases = after_ns.map((ns, at) => phaseAt(served, (ns + (after_ns[at - 1] ?? ns)) / 2));
      }
      this.services.push(served);
      this.requests[served.row]!.start_ns = served.start_ns;
    }
    for (const [number, ns] of log.completed) {
      const request = this.requests[number]!;
      request.completion_ns = ns;
      this.completed.push(request);
    }
    this.known_ns = log.is_done ? Number.POSITIVE_INFINITY : log.now_ns;
    this.isDone = log.is_done;
  }

  /** Time in nanoseconds of the last known completion. */
  get end_ns(): number {
    return this.completed.at(-1)?.completion_ns ?? 0;
  }

  /** Return the service in progress at a time, or else the last service before that time. */
  service(now_ns: number): Served | undefined {
    return this.services[upTo(this.services, (served) => served.start_ns, now_ns) - 1];
  }

  /** Return the start time of the next service after a time, or of the previous service before it. */
  neighbour(now_ns: number, step: 1 | -1): number | undefined {
    if (step > 0) return this.services[upTo(this.services, (served) => served.start_ns, now_ns)]?.start_ns;
    const at = upTo(this.services, (served) => served.start_ns, now_ns - 1) - 1;
    return this.services[at]?.start_ns;
  }

  /** Return the position of the sled at a time, if it is known. */
  sled(now_ns: number): Place | undefined {
    const at = upTo(this.services, (served) => served.start_ns, now_ns) - 1;
    const path = this.services[at]?.path;
    const next = this.services[at + 1];
    if (!path) return next?.path ? placeOn(next.path, 0) : undefined;
    const [start, end] = [this.services[at]!.start_ns, this.services[at]!.start_ns + path.after_ns.at(-1)!];
    if (now_ns < end || !next?.path) return placeOn(path, now_ns - start);
    // While the sled is idle, its position is unknown: it may have moved.
    const [from, to] = [placeOn(path, Number.POSITIVE_INFINITY), placeOn(next.path, 0)];
    const share = next.start_ns > end ? (now_ns - end) / (next.start_ns - end) : 1;
    return { x_um: from.x_um + (to.x_um - from.x_um) * share, y_um: from.y_um + (to.y_um - from.y_um) * share };
  }

  /** Return the requests that have arrived before a time, and whose service has not started. */
  waiting(now_ns: number): Request[] {
    return Array.from(this.rowsWaiting(now_ns), (row) => this.requests[row]!);
  }

  waits(now_ns: number): number {
    return this.rowsWaiting(now_ns).size;
  }

  private rowsWaiting(now_ns: number): Set<number> {
    if (now_ns < this.seen_ns || this.seen_ns < 0) {
      this.waitingRows.clear();
      [this.seenArrivals, this.seenServices] = [0, 0];
    }
    this.seen_ns = now_ns;
    for (; this.seenArrivals < this.requests.length; this.seenArrivals += 1) {
      const request = this.requests[this.seenArrivals]!;
      if (request.arrival_ns > now_ns) break;
      if (request.start_ns > now_ns) this.waitingRows.add(request.row);
    }
    for (; this.seenServices < this.services.length; this.seenServices += 1) {
      const served = this.services[this.seenServices]!;
      if (served.start_ns > now_ns) break;
      this.waitingRows.delete(served.row);
    }
    return this.waitingRows;
  }

  /** Return the request that has waited longest at a time. */
  oldest(now_ns: number): Request | undefined {
    if (now_ns < this.oldest_ns) this.oldestRow = 0;
    this.oldest_ns = now_ns;
    while ((this.requests[this.oldestRow]?.start_ns ?? Number.POSITIVE_INFINITY) <= now_ns) this.oldestRow += 1;
    const request = this.requests[this.oldestRow];
    return request && request.arrival_ns <= now_ns ? request : undefined;
  }

  /** Return the number of requests that are complete at a time. */
  count(now_ns: number): number {
    return upTo(this.completed, (request) => request.completion_ns, now_ns);
  }
}
