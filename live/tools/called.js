// Call the module for tests: `node called.js MODULE < CALLS`, where CALLS is a list of [name, given, bytes as base64].
// A given text `$KEY` stands for that key of the last answer that has it. Writes the list of answers.
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
