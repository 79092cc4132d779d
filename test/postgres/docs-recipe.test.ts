import { mkdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { PAWL } from "../support/cli.ts";
import { docBlocks } from "../support/doc-blocks.ts";
import { planText } from "../support/plans.ts";
import { cleanEnv } from "../support/repository.ts";
import { SCRIPTED_AGENT } from "../support/supervised.ts";
import { typeInto } from "../support/tutorial.ts";
import { clones } from "./clones.ts";
import { sharedServer } from "./shared-server.ts";

const shared = sharedServer();

const PLAN = planText([{ number: "1", tasks: ["dig"] }]);

test("the recipe for several machines completes a plan whose state is on a server", async () => {
  const all = clones(shared.url, PLAN);
  onTestFinished(all.remove);
  const { path, env } = all.clone("host-a");
  const bin = join(path, "../bin");
  mkdirSync(bin);
  symlinkSync(PAWL, join(bin, "pawl"));
  symlinkSync(SCRIPTED_AGENT, join(bin, "claude"));
  const block = docBlocks("docs/recipes.md").find(({ heading }) => heading === "Several machines")!;
  const typed = block.text.replace(/postgres:\/\/\S+/, () => `'${shared.url}'`);
  expect(typed).not.toBe(block.text);
  const PATH = [bin, process.env["PATH"]].join(delimiter);
  const { PAWL_DATABASE_URL: _, ...others } = env;
  expect(await typeInto(path, cleanEnv({ ...others, PATH }), typed)).toContain("All steps are completed.");
});
