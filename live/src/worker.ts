// The worker that runs the simulator, so that the page stays responsive.

import { started } from "./module.js";

type Asked =
  | { source: ArrayBuffer }
  | { number: number; name: string; given: object; bytes?: Uint8Array };

let source: ArrayBuffer | undefined;
let call: ReturnType<typeof started> | undefined;

const answer = async (asked: { number: number; name: string; given: object; bytes?: Uint8Array }) => {
  const { number, name, given, bytes } = asked;
  try {
    if (source === undefined) throw new Error("the simulator is not loaded yet");
    call ??= started(source);
    postMessage({ number, ok: (await call)(name, given, bytes) });
  } catch (error) {
    // After an internal error, the instance of the module is unusable.
    if (error instanceof WebAssembly.RuntimeError) call = undefined;
    const text = error instanceof WebAssembly.RuntimeError ? `internal error of the simulator: ${error.message}` : String((error as Error).message);
    postMessage({ number, error: text });
  }
};

addEventListener("message", (event: MessageEvent<Asked>) => {
  if ("source" in event.data) source = event.data.source;
  else void answer(event.data);
});
