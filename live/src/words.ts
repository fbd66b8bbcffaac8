// What a run is doing, in words.

import { time } from "./drawing";
import { lasts, phaseAt, type Lane, type Request } from "./lane";

const sectors = (count: number) => `${count} sector${count === 1 ? "" : "s"}`;

/** What a device does now, which requests wait, and what becomes of the one that is looked at. */
export function doing(lane: Lane, now_ns: number, picked: number | undefined): string {
  const says: string[] = [];
  const service = lane.service(now_ns);
  if (service && now_ns < service.start_ns + lasts(service)) {
    const request = lane.requests[service.row]!;
    says.push(
      `${phaseAt(service, now_ns - service.start_ns)}: request ${request.row}, ${request.write ? "write" : "read"} of ` +
        `${sectors(request.blocks)}, which waited ${time(service.start_ns - request.arrival_ns)}`,
    );
  } else says.push(now_ns > lane.known_ns ? "the simulator works" : "idle");
  const waiting = lane.waits(now_ns);
  const oldest = lane.oldest(now_ns);
  says.push(oldest ? `${waiting} waiting, the oldest (request ${oldest.row}) for ${time(now_ns - oldest.arrival_ns)}` : "none waiting");
  const about = picked === undefined ? undefined : lane.requests[picked];
  if (about) says.push(became(about, now_ns));
  return `${says.join("; ")}.`;
}

/** What has become of a request until now. */
function became(request: Request, now_ns: number): string {
  const about = `chosen: request ${request.row}, ${request.write ? "write" : "read"} of ${sectors(request.blocks)} at LBN ${request.lbn}`;
  if (now_ns < request.arrival_ns) return `${about}, comes at ${time(request.arrival_ns)}`;
  const came = `${about}, came at ${time(request.arrival_ns)}`;
  if (now_ns < request.start_ns) return `${came}, waits for ${time(now_ns - request.arrival_ns)} so far`;
  const waited = `${came}, waited ${time(request.start_ns - request.arrival_ns)}`;
  if (now_ns < request.completion_ns) return `${waited}, is served`;
  return `${waited}, complete after ${time(request.completion_ns - request.arrival_ns)}`;
}
