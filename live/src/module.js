// The simulator as a WebAssembly module: calls take and return JSON values. Browsers and Node run this file.

/**
 * @typedef {(name: string, given?: object, bytes?: Uint8Array) => any} Call
 * Call a function of the simulator by name, with arguments and, optionally, the bytes of a file. Its errors are thrown.
 */

/** Start the simulator from its WebAssembly module.
 * @param {BufferSource} source the module
 * @returns {Promise<Call>}
 */
export async function started(source) {
  const { instance } = await WebAssembly.instantiate(source, {});
  const wasm = /** @type {any} */ (instance.exports);
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();

  /** @param {Uint8Array} bytes */
  const given = (bytes) => {
    const start = wasm.sledsim_allocate(bytes.length);
    if (start === 0) throw new Error(`not enough memory for ${bytes.length} bytes`);
    new Uint8Array(wasm.memory.buffer, start, bytes.length).set(bytes);
    return start;
  };

  return (name, values = {}, bytes = new Uint8Array()) => {
    const parts = [encoder.encode(name), encoder.encode(JSON.stringify(values)), bytes];
    const starts = parts.map(given);
    const length = wasm.sledsim_call(...parts.flatMap((part, at) => [starts[at], part.length]));
    parts.forEach((part, at) => wasm.sledsim_release(starts[at], part.length));
    const text = decoder.decode(new Uint8Array(wasm.memory.buffer, wasm.sledsim_answer(), length));
    const answer = JSON.parse(text);
    if ("error" in answer) throw new Error(answer.error);
    return answer.ok;
  };
}
