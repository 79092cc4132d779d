import {
  chmodSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { testRepository } from "../../../../test/support/repository.ts";
import { appendSetting } from "./append-setting.ts";

function stage() {
  const repository = testRepository();
  onTestFinished(() => repository.remove());
  const gitDir = join(repository.path, ".git");
  const file = (name: string) => join(gitDir, name);
  return {
    ...repository,
    file,
    config: () => readFileSync(file("config"), "utf8"),
    append: (subsection: string, value = "it") =>
      appendSetting(gitDir, { section: "branch", subsection, name: "pawl", value }),
    /** What lies there of a write: git's lock, and our draft. */
    remains: () => readdirSync(gitDir).filter((name) => name.startsWith("config.")),
  };
}

it("adds what git then reads, behind everything that was there, with the rights it had", () => {
  const { append, git, file, config, remains } = stage();
  chmodSync(file("config"), 0o640);
  const before = config();
  const values: readonly (readonly [string, string])[] = [
    ["pawl/plan", '{"plan":"a \\"b\\" \\\\ c","base":"main"}'],
    ["pawl/größe", "# no comment; none = at all "],
    ['pawl/a"b', "line\nline\ttab"],
  ];
  for (const [branch, value] of values) expect(append(branch, value), branch).toBe(true);
  for (const [branch, value] of values)
    expect(git("config", "--local", "--get", "-z", `branch.${branch}.pawl`), branch).toBe(`${value}\0`);
  expect(config().startsWith(before)).toBe(true);
  expect(statSync(file("config")).mode & 0o777).toBe(0o640);
  expect(remains()).toEqual([]);
});

it("leaves to git what is more than adding a section to a plain file", () => {
  const { append, file, config, remains } = stage();
  const plain = config();
  for (const text of [
    `${plain}[a]\n\tb = c`,
    `${plain}[a]\n\tb = c\\\n`,
    `${plain}[a]\r\n\tb = c\\\r\n`,
    `${plain}[branch "pawl/plan"]\n\tremote = origin\n`,
    `${plain}[branch.pawl/plan]\n\tpawl = other\n`,
    `${plain}[branch.PAWL/plan]\n\tpawl = other\n`,
  ]) {
    writeFileSync(file("config"), text);
    expect(append("pawl/plan"), text).toBe(false);
    expect(config()).toBe(text);
    expect(remains()).toEqual([]);
  }
  renameSync(file("config"), file("elsewhere"));
  writeFileSync(file("elsewhere"), plain);
  symlinkSync("elsewhere", file("config"));
  expect(append("pawl/plan")).toBe(false);
  expect(config()).toBe(plain);
});

it("leaves another process's lock, and the file, as they are", () => {
  const { append, file, config, remains } = stage();
  const before = config();
  writeFileSync(file("config.lock"), "theirs");
  expect(append("pawl/plan")).toBe(false);
  expect(remains()).toEqual(["config.lock"]);
  expect(readFileSync(file("config.lock"), "utf8")).toBe("theirs");
  // A draft that was left before it became the lock says nothing about who holds it.
  writeFileSync(file("config.pawl"), "a draft");
  expect(append("pawl/plan")).toBe(false);
  expect(readFileSync(file("config.lock"), "utf8")).toBe("theirs");
  expect(config()).toBe(before);
});

it("frees a lock that a killed call left, and never writes into a draft that became the configuration", () => {
  const { append, file, git, remains } = stage();
  writeFileSync(file("config.pawl"), "half");
  linkSync(file("config.pawl"), file("config.lock"));
  expect(append("pawl/one")).toBe(true);
  linkSync(file("config"), file("config.pawl"));
  expect(append("pawl/two")).toBe(true);
  expect(git("config", "branch.pawl/one.pawl")).toBe("it");
  expect(git("config", "branch.pawl/two.pawl")).toBe("it");
  expect(remains()).toEqual([]);
  expect(existsSync(file("config.lock"))).toBe(false);
});
