// Print the size of the module, plain and compressed: `node size.js MODULE`. Exit with an error if it is too large.
import { readFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

// Tables whose words contradict each other are refused on the page, too.
const MOST_BYTES = 455_000;
const source = readFileSync(process.argv[2]);
const brotli = brotliCompressSync(source, {
  params: { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS, [constants.BROTLI_PARAM_SIZE_HINT]: source.length },
}).length;
const gzip = gzipSync(source, { level: 9 }).length;
const kb = (bytes) => `${Math.round(bytes / 1000)} kB`;
console.log(`${kb(source.length)}, gzip ${kb(gzip)}, brotli ${kb(brotli)} of at most ${kb(MOST_BYTES)}`);
if (brotli > MOST_BYTES) {
  console.error(`error: expected at most ${kb(MOST_BYTES)} as brotli, found ${kb(brotli)}`);
  process.exit(1);
}
