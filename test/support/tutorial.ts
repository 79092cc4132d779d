import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect } from "vitest";
import { PAWL } from "./cli.ts";
import { type DocBlock, docBlocks } from "./doc-blocks.ts";
import { cleanEnv } from "./repository.ts";

export const TUTORIAL = "docs/tutorial.md";

/** A new user's home folder, with `pawl` and one agent on the path. */
export interface TutorialHome {
  readonly path: string;
  readonly bin: string;
  readonly env: Readonly<Record<string, string>>;
  readonly remove: () => void;
}

export function tutorialHome(agent: string, options: { readonly pawl?: string } = {}): TutorialHome {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "pawl-tutorial-")));
  const bin = join(path, "bin");
  mkdirSync(bin);
  symlinkSync(options.pawl ?? PAWL, join(bin, "pawl"));
  symlinkSync(agent, join(bin, "claude"));
  return {
    path,
    bin,
    env: cleanEnv({
      PATH: [bin, process.env["PATH"]].join(delimiter),
      HOME: path,
      GIT_AUTHOR_NAME: "You",
      GIT_AUTHOR_EMAIL: "you@example.com",
      GIT_COMMITTER_NAME: "You",
      GIT_COMMITTER_EMAIL: "you@example.com",
      COLUMNS: "100",
    }),
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** The command that the page calls patience: it ends once a condition of the shell holds. */
export const waitUntil = ({ bin }: TutorialHome, condition: string): void =>
  writeFileSync(join(bin, "wait-for-step-2"), `#!/bin/sh\nuntil ${condition}; do sleep 0.1; done\n`, {
    mode: 0o755,
  });

/** What differs from machine to machine and from run to run becomes what the page shows for it. */
const shown = (text: string, home: string): string =>
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

export interface Typed {
  readonly block: DocBlock;
  /** What the page shows below it. */
  readonly output: DocBlock | undefined;
  readonly printed: string;
}

/** Types every shell block of the tutorial, in order, and answers with what each printed. */
export async function typeTutorial(
  home: TutorialHome,
  env: Readonly<Record<string, string>>,
  before: (block: DocBlock) => void = () => undefined,
): Promise<readonly Typed[]> {
  const blocks = docBlocks(TUTORIAL);
  const typed: Typed[] = [];
  for (const [at, block] of blocks.entries()) {
    if (block.language !== "sh") continue;
    before(block);
    const folder = block.text.startsWith("mkdir greeter") ? home.path : join(home.path, "greeter");
    const next = blocks[at + 1];
    typed.push({
      block,
      output: next?.language === "text" ? next : undefined,
      printed: shown(await typeInto(folder, { ...home.env, ...env }, block.text), home.path),
    });
  }
  return typed;
}

/** Types lines into a shell that stops at the first failure. Does not block this process, which may answer the agent. */
export async function typeInto(
  cwd: string,
  env: Readonly<Record<string, string>>,
  lines: string,
): Promise<string> {
  const child = spawn("bash", ["-eu"], { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
  let stdout = "";
  let all = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    all += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => (all += text));
  child.stdin.end(lines);
  const code = await new Promise((resolve) => {
    child.on("close", resolve);
  });
  expect(code, `${lines}\n${all}`).toBe(0);
  return stdout;
}
