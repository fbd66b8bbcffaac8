// Call the module in tests: `node called.js MODULE < CALLS`; CALLS is a JSON list of [name, given, bytes as base64].
// The text `$KEY` in `given` stands for the value of KEY in the last answer that has it. Prints a list of answers.
import { readFileSync } from "node:fs";
import { started } from "../src/module.js";

const call = await started(readFileSync(process.argv[2]));
const known = {};
const filled = (value) => (typeof value === "string" && value.startsWith("$") ? known[value.slice(1)] : value);
const answers = JSON.parse(readFileSync(0, "utf8")).map(([name, given, bytes = ""]) => {
  const values = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, filled(value)]));
  try {
    const answer = call(name, values, Buffer.from(bytes, "base64"));
    Object.assign(known, answer);
    return answer;
  } catch (error) {
    return { error: error.message };
  }
});
process.stdout.write(JSON.stringify(answers));
