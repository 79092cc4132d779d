import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { testRepository } from "../../../../test/support/repository.ts";
import { readRef } from "./read-ref.ts";

function stage() {
  const repository = testRepository();
  onTestFinished(() => repository.remove());
  const { path, git } = repository;
  git("branch", "pawl/one");
  git("tag", "-a", "v1", "-m", "v1");
  const file = (name: string) => join(path, ".git", name);
  return {
    git,
    file,
    look: (ref: string) => readRef(join(path, ".git"), ref),
    head: git("rev-parse", "HEAD"),
  };
}

it("finds a branch in its own file, in the packed ones, and first of all in its own", () => {
  const { git, look, head } = stage();
  expect(look("refs/heads/pawl/one")).toEqual({ commit: head });
  git("pack-refs", "--all");
  expect(look("refs/heads/pawl/one")).toEqual({ commit: head });
  git("commit", "-q", "--allow-empty", "-m", "more");
  const newer = git("rev-parse", "HEAD");
  git("branch", "-f", "pawl/one", newer);
  expect(newer).not.toBe(head);
  expect(look("refs/heads/pawl/one")).toEqual({ commit: newer });
});

it("says of a branch that is not there that it is not, also where others go on from its name", () => {
  const { git, look } = stage();
  for (const prepare of [() => "", () => git("pack-refs", "--all")]) {
    prepare();
    for (const name of ["pawl", "one", "pawl/on", "pawl/other"])
      expect(look(`refs/heads/${name}`), name).toEqual({ commit: undefined });
  }
});

it("leaves to git what is not plainly a commit", () => {
  const { git, file, look } = stage();
  const ref = "refs/heads/pawl/one";
  for (const content of ["", "ref: refs/heads/main\n", "0123\n", `${"g".repeat(40)}\n`]) {
    writeFileSync(file(ref), content);
    expect(look(ref), content).toBeUndefined();
  }
  rmSync(file(ref));
  symlinkSync("../main", file(ref));
  expect(look(ref)).toBeUndefined();
  rmSync(file(ref));
  git("pack-refs", "--all");
  writeFileSync(file("packed-refs"), `half a line ${ref}\n`);
  expect(look(ref)).toBeUndefined();
  writeFileSync(file("packed-refs"), `${"\n".repeat(1 << 20)}#`);
  expect(look(ref)).toBeUndefined();
  expect(look("refs/heads/../heads/main")).toBeUndefined();
});

it("leaves everything to git where refs are kept in another way", () => {
  const { file, look } = stage();
  rmSync(file("refs/heads"), { recursive: true });
  writeFileSync(file("refs/heads"), "this repository uses the reftable format\n");
  expect(look("refs/heads/pawl/one")).toBeUndefined();
  expect(look("refs/heads/none")).toBeUndefined();
});
