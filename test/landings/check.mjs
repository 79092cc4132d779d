// The check of a landing campaign: every call has its definition, and no conflict is left.
import { readdirSync, readFileSync } from "node:fs";

const text = readdirSync("src")
  .map((name) => readFileSync(`src/${name}`, "utf8"))
  .join("");
const defined = new Set([...text.matchAll(/^def (\w+)/gm)].map(([, name]) => name));
const missing = [...text.matchAll(/^call (\w+)/gm)]
  .map(([, name]) => name)
  .filter((name) => !defined.has(name));
if (/^(?:<{7}|>{7})/m.test(text)) missing.push("a conflict");
await new Promise((resolve) => setTimeout(resolve, Number(process.env.CHECK_MS ?? 20)));
if (missing.length > 0) {
  console.log(`not defined: ${missing.join(", ")}`);
  process.exit(1);
}
