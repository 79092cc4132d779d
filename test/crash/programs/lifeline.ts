import { createInterface } from "node:readline";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { lifelineFiles } from "../../../src/platform/sqlite/lifeline-files.ts";
import { programInput } from "../../support/program-input.ts";

/** Holds lifelines and reads them, as ordered. */

type Order =
  | { readonly hold: string }
  | { readonly look: string; readonly times: number }
  | { readonly collect: true };

const { folder } = programInput() as { folder: string };
const lifelines = lifelineFiles(folder);

function obey(order: Order): object {
  if ("hold" in order) {
    // The answer is dropped on purpose: the holder of a session need not keep the object.
    lifelines.hold(order.hold);
    return {};
  }
  if ("collect" in order) {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    for (let round = 0; round < 5; round += 1) collect();
    return {};
  }
  const seen: Record<string, number> = {};
  for (let look = 0; look < order.times; look += 1) {
    const state = lifelines.look(order.look);
    seen[state] = (seen[state] ?? 0) + 1;
  }
  return { seen };
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(obey(JSON.parse(line) as Order))}\n`);
