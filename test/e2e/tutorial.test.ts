import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { readDocPage } from "../support/doc-blocks.ts";
import { SCRIPTED_AGENT } from "../support/supervised.ts";
import { TUTORIAL, tutorialHome, typeTutorial, waitUntil } from "../support/tutorial.ts";

/**
 * The tutorial, typed as it stands, from an empty folder to the merged branch, and what it prints compared with the page.
 * `PAWL_WRITE_TUTORIAL=1` writes what it prints now into the page. test/agents does the same with a released agent.
 */
it("the tutorial prints what its page shows, from an empty folder to the merged branch", async () => {
  const home = tutorialHome(SCRIPTED_AGENT);
  onTestFinished(home.remove);
  // The agent of step 2 announces that it has begun, and works until it is killed; started again, it does the step.
  const begun = join(home.path, "begun");
  const good = (text: string) => [{ write: "greet.sh", text }, { tick: "all" }];
  const steps = {
    "step-1": [good("echo Hello\n")],
    "step-2": [
      [{ write: "greet.sh", text: "echo Hello, $1\n" }, { sh: `touch ${begun}` }, { hang: true }],
      good("echo Hello, $1\n"),
    ],
  };
  const script = join(home.path, "script.json");
  writeFileSync(script, JSON.stringify({ speak: "claude", steps }));
  waitUntil(home, `[ -e ${begun} ]`);

  let page = readDocPage(TUTORIAL);
  const wrong: string[] = [];
  for (const { block, output, printed } of await typeTutorial(home, { SCRIPTED_AGENT: script })) {
    if (output === undefined || printed === output.text) continue;
    wrong.push(`${TUTORIAL}:${output.line}\n${printed}`);
    const lines = page.split("\n");
    const begin = lines.indexOf("```text", lines.indexOf(block.text.split("\n").at(-1)!));
    lines.splice(begin + 1, lines.indexOf("```", begin) - begin - 1, ...printed.split("\n"));
    page = lines.join("\n");
  }
  if (process.env["PAWL_WRITE_TUTORIAL"])
    writeFileSync(fileURLToPath(new URL(`../../${TUTORIAL}`, import.meta.url)), page);
  else expect(wrong).toEqual([]);
});
