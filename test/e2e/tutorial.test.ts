import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PAWL } from "../support/cli.ts";
import { type DocBlock, docBlocks, readDocPage } from "../support/doc-blocks.ts";
import { cleanEnv } from "../support/repository.ts";
import { SCRIPTED_AGENT } from "../support/supervised.ts";

/**
 * The tutorial, typed as it stands, from an empty folder to the merged branch, and what it prints compared with the page.
 * `PAWL_WRITE_TUTORIAL=1` writes what it prints now into the page.
 */
const PAGE = "docs/tutorial.md";

let home: string;
let env: NodeJS.ProcessEnv;

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "pawl-tutorial-")));
  const bin = join(home, "bin");
  mkdirSync(bin);
  symlinkSync(PAWL, join(bin, "pawl"));
  symlinkSync(SCRIPTED_AGENT, join(bin, "claude"));
  // The agent of step 2 announces that it has begun, and works until it is killed; started again, it does the step.
  const good = (text: string) => [{ write: "greet.sh", text }, { tick: "all" }];
  const steps = {
    "step-1": [good("echo Hello\n")],
    "step-2": [
      [
        { write: "greet.sh", text: "echo Hello, $1\n" },
        { sh: `touch ${join(home, "begun")}` },
        { hang: true },
      ],
      good("echo Hello, $1\n"),
    ],
  };
  writeFileSync(join(home, "script.json"), JSON.stringify({ speak: "claude", steps }));
  // What the page calls patience.
  writeFileSync(
    join(bin, "wait-for-step-2"),
    `#!/bin/sh\nuntil [ -e ${join(home, "begun")} ]; do sleep 0.1; done\n`,
    {
      mode: 0o755,
    },
  );
  env = cleanEnv({
    PATH: [bin, process.env["PATH"]].join(delimiter),
    HOME: home,
    SCRIPTED_AGENT: join(home, "script.json"),
    GIT_AUTHOR_NAME: "You",
    GIT_AUTHOR_EMAIL: "you@example.com",
    GIT_COMMITTER_NAME: "You",
    GIT_COMMITTER_EMAIL: "you@example.com",
    COLUMNS: "100",
  });
});

afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

/** What differs from machine to machine and from run to run becomes what the page shows for it. */
const shown = (text: string): string =>
  text
    .replaceAll(home, "/home/you")
    .replaceAll(/\b[0-9a-f]{12}\b/g, "3f9c2a1d0b4e")
    .replaceAll(/\bs-[0-9a-f]{4,}\b/g, "s-1f0c")
    .replaceAll(/\b\d+(?:\.\d+)? (?:ms|s)\b/g, "2 s")
    .replaceAll(/\b\d+s ago\b|\bjust now\b/g, "2s ago")
    .replaceAll(/\b\d\d:\d\d(?::\d\d)?\b/g, "14:05:09")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "2026-11-17T14:05:09.000Z")
    .replaceAll(/[ \t]+$/gm, "")
    .trim();

/** A page of code and what it prints, in order. */
const pairs = (): readonly (readonly [DocBlock, DocBlock | undefined])[] => {
  const blocks = docBlocks(PAGE);
  return blocks.flatMap((block, at) => {
    const next = blocks[at + 1];
    return block.language === "sh" ? [[block, next?.language === "text" ? next : undefined] as const] : [];
  });
};

function type({ text }: DocBlock): string {
  const folder = text.startsWith("mkdir greeter") ? home : join(home, "greeter");
  const { status, stdout, stderr } = spawnSync("bash", ["-eu"], {
    cwd: folder,
    env,
    input: text,
    encoding: "utf8",
  });
  expect([status, stderr], text).toEqual([0, expect.anything()]);
  return shown(stdout);
}

describe("the tutorial", () => {
  it("prints what its page shows, from an empty folder to the merged branch", () => {
    let page = readDocPage(PAGE);
    const wrong: string[] = [];
    for (const [block, output] of pairs()) {
      const said = type(block);
      if (output === undefined || said === output.text) continue;
      wrong.push(`${PAGE}:${output.line}\n${said}`);
      const lines = page.split("\n");
      const begin = lines.indexOf("```text", lines.indexOf(block.text.split("\n").at(-1)!));
      lines.splice(begin + 1, lines.indexOf("```", begin) - begin - 1, ...said.split("\n"));
      page = lines.join("\n");
    }
    if (process.env["PAWL_WRITE_TUTORIAL"])
      writeFileSync(fileURLToPath(new URL(`../../${PAGE}`, import.meta.url)), page);
    else expect(wrong).toEqual([]);
  });
});
