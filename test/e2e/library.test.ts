import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, expect, it } from "vitest";
import { pawlJson } from "../support/cli.ts";
import { SMALL_PLAN } from "../support/plans.ts";
import { openPawl } from "../../src/index.ts";
import { cleanEnv, testRepository, type TestRepository } from "../support/repository.ts";

const root = new URL("../../", import.meta.url);
let repository: TestRepository | undefined;
afterEach(() => repository?.remove());

it("says in words that it was closed", async () => {
  repository = testRepository();
  repository.write("plan.md", SMALL_PLAN);
  const pawl = await openPawl({ cwd: repository.path, env: cleanEnv() });
  await pawl.init({ plan: "plan.md" });
  await pawl.close();
  await expect(pawl.show({ plan: "plan.md" })).rejects.toMatchObject({
    problem: "library/closed",
    code: "E224",
  });
  await expect(pawl.init({ plan: "plan.md" })).rejects.toThrow("init was called after close");
  await pawl.close();
});

it("runs the example of docs/library.md as it stands", async () => {
  repository = testRepository();
  repository.write("plan.md", SMALL_PLAN.replace(/\n##### Step[\s\S]*?(?=\n---|$)/g, ""));
  const [, example = ""] =
    /```ts\n([\s\S]*?)```/.exec(readFileSync(new URL("docs/library.md", root), "utf8")) ?? [];
  const program = example
    .replace('from "pawl"', `from ${JSON.stringify(new URL("dist/index.js", root).href)}`)
    .replace(": string[]", "");
  const path = join(repository.path, "example.mjs");
  writeFileSync(
    path,
    `const repository = ${JSON.stringify(repository.path)};\n${program}\nexport { done };\n`,
  );
  const { done } = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as { done: string[] };
  expect(done).toEqual(["step-0", "step-1", "step-2"]);
  const { data } = pawlJson({ cwd: repository.path }, "state", "show", "plan.md");
  expect(data["plan"]).toMatchObject({ status: "done" });
});
