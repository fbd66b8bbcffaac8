// The recorded run (requests and settings) that `sledsim view` has stored in the page.

import { unpacked } from "./simulator";
import { DEFAULT, type State } from "./state";

/** The recorded run in the form in which python/sledsim/charts/live_page.py writes it. */
interface Written {
  /** Name of the file of the run, as the user typed it. */
  name: string;
  /** Sentences that describe the run. */
  says: string;
  device: string;
  parameters: Record<string, string>;
  policies: string[];
  at_ms: number;
  row: number | null;
  /** Map of the columns of the requests; the requests as CSV, compressed by gzip, in base64. */
  map: string;
  requests: string;
}

export interface File {
  name: string;
  bytes: Uint8Array;
  format?: string;
  map?: string;
}

export interface Recorded {
  file: File;
  says: string;
  /** Return the initial state of the page, used if its address contains no state. */
  state: State;
}

export async function recordedIn(text: string): Promise<Recorded | undefined> {
  if (!text.trim()) return undefined;
  const { name, says, map, requests, row, ...chosen } = JSON.parse(text) as Written;
  return {
    file: { name, bytes: new Uint8Array(await unpacked(requests)), format: "csv", map },
    says,
    state: { ...DEFAULT, ...chosen, trace: name, row: row ?? undefined },
  };
}
