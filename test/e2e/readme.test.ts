import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { PAWL, pawlJson } from "../support/cli.ts";
import { cleanEnv, testRepository } from "../support/repository.ts";

const README = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

/** The shell blocks under a heading, in the order a reader pastes them. */
function shellBlocks(heading: string): readonly string[] {
  const [, section = ""] = README.split(`\n## ${heading}\n`);
  const [own = ""] = section.split("\n## ");
  return [...own.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
}

it("works when pasted from top to bottom into a repository with one commit", () => {
  const repository = testRepository();
  onTestFinished(repository.remove);
  const bin = join(dirname(repository.path), "bin");
  mkdirSync(bin);
  symlinkSync(PAWL, join(bin, "pawl"));
  const blocks = shellBlocks("Your own plan in two minutes");
  expect(blocks).toHaveLength(4);
  const { status, stderr } = spawnSync("sh", ["-eu"], {
    cwd: repository.path,
    env: cleanEnv({ PATH: [bin, process.env["PATH"]].join(delimiter) }),
    input: blocks.join("\n"),
    encoding: "utf8",
  });
  expect({ status, stderr }).toMatchObject({ status: 0 });
  const { data } = pawlJson({ cwd: repository.path }, "state", "show", "plan.md");
  expect(data["plan"]).toMatchObject({ status: "done" });
  expect(repository.git("ls-files")).toContain("work.txt");
});
