// Sentences on the state of a run.

import { time } from "./drawing";
import { lasts, phaseAt, type Lane, type Request } from "./lane";

const sectors = (count: number) => `${count} sector${count === 1 ? "" : "s"}`;

/** Describe the current service of a device, its queue, and the request that the user follows. */
export function doing(lane: Lane, now_ns: number, picked: number | undefined): string {
  const says: string[] = [];
  const service = lane.service(now_ns);
  if (service && now_ns < service.start_ns + lasts(service)) {
    const request = lane.requests[service.row]!;
    says.push(
      `${phaseAt(service, now_ns - service.start_ns)}: request ${request.row}, ${request.write ? "write" : "read"} of ` +
        `${sectors(request.blocks)}, which waited ${time(service.start_ns - request.arrival_ns)}`,
    );
  } else says.push(now_ns > lane.known_ns ? "simulating" : "idle");
  const waiting = lane.waits(now_ns);
  const oldest = lane.oldest(now_ns);
  says.push(oldest ? `${waiting} waiting, the oldest (request ${oldest.row}) for ${time(now_ns - oldest.arrival_ns)}` : "no request waits");
  const about = picked === undefined ? undefined : lane.requests[picked];
  if (about) says.push(became(about, now_ns));
  return `${says.join("; ")}.`;
}

/** Describe the request that the user follows, and its progress at a time. */
function became(request: Request, now_ns: number): string {
  const about = `chosen: request ${request.row}, ${request.write ? "write" : "read"} of ${sectors(request.blocks)} at LBN ${request.lbn}`;
  if (now_ns < request.arrival_ns) return `${about}, arrives at ${time(request.arrival_ns)}`;
  const came = `${about}, arrived at ${time(request.arrival_ns)}`;
  if (now_ns < request.start_ns) return `${came}, waits for ${time(now_ns - request.arrival_ns)} so far`;
  const waited = `${came}, waited ${time(request.start_ns - request.arrival_ns)}`;
  if (now_ns < request.completion_ns) return `${waited}, in service`;
  return `${waited}, complete after ${time(request.completion_ns - request.arrival_ns)}`;
}
