import { existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { AGENT, type Acts, GOOD, type RunShop, runShop } from "../support/run-shop.ts";
import { mountOf } from "../../src/platform/git/snapshots/mount-record.ts";
import { until } from "../support/until.ts";

/**
 * A power cut keeps the names of files that were not flushed and loses their bytes: they are empty afterwards. No step
 * takes that for work.
 */

const TWO = ["1", "2"].map((number) => ({ number, tasks: ["dig"] }));
const CUT_OFF: Acts = [{ write: "work/half.txt", text: "half\n" }, { write: "begun" }, { hang: true }];

/** One step completed, and everything gone with -9 while the agent of the second works. */
async function cutOff(acts: Acts = CUT_OFF, { isPowerCut = true } = {}): Promise<RunShop> {
  const shop = runShop(TWO);
  shop.repo.write("kept.txt", "kept\n".repeat(100));
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-q", "-m", "a file");
  shop.script({ steps: { "step-2": [acts] } });
  const { child, ended } = shop.start("run", "plan.md", ...AGENT);
  await until(() => existsSync(join(shop.worktree(), "begun")));
  child.kill("SIGKILL");
  await ended;
  for (const pid of shop.pids()) stop(pid);
  shop.script({ steps: { "step-2": [GOOD] } });
  if (isPowerCut) mountAnew(shop);
  return shop;
}

function stop(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It had ended.
  }
}

/** As after a cut of the power that the machine itself survived: the record is of another mount. */
const mountAnew = (shop: RunShop): void =>
  writeFileSync(join(shop.repo.path, ".git/worktrees", basename(shop.worktree()), "pawl-mount"), "another\n");

const inWorktree = (shop: RunShop, name: string): string => join(shop.worktree(), name);
const onBranch = (shop: RunShop, name: string): string => shop.repo.git("show", `pawl/plan:${name}`);
const restored = (shop: RunShop) =>
  shop
    .query("select detail from events where event = 'files-restored'")
    .map(({ detail }) => JSON.parse(String(detail)) as { files: string[]; snapshot: string });

// proves G-power-cut-keeps-answers
it("files of completed steps get back what they held, and no step commits them as empty", async () => {
  const shop = await cutOff();
  const before = readFileSync(inWorktree(shop, "work/step-1.txt"), "utf8");
  for (const name of ["work/step-1.txt", "kept.txt"]) truncateSync(inWorktree(shop, name));
  const { code, stdout, stderr } = shop.pawl("resume");
  expect(code).toBe(0);
  expect(onBranch(shop, "work/step-1.txt")).toBe(before.trim());
  expect(onBranch(shop, "kept.txt")).toBe("kept\n".repeat(100).trim());
  expect(`${stdout}${stderr}`).toMatch(
    /2 files in .* lost content .* and got it back: kept\.txt, work\/step-1\.txt/,
  );
  const [entry] = restored(shop);
  expect(entry!.files).toEqual(["kept.txt", "work/step-1.txt"]);
  // As they were found, they are in a snapshot.
  expect(shop.repo.git("show", `${entry!.snapshot}:kept.txt`)).toBe("");
});

it.each([
  ["a person", "by hand"],
  ["a restoration that was cut off", "session s-1: before files that lost their content are put back"],
])("a snapshot that %s took of the losses does not pass for what the files held", async (_, reason) => {
  const shop = await cutOff();
  const before = readFileSync(inWorktree(shop, "work/step-1.txt"), "utf8");
  truncateSync(inWorktree(shop, "work/step-1.txt"));
  const taken = shop.pawl("snapshot", "take", "--worktree", shop.worktree(), "--reason", reason);
  expect(taken.code).toBe(0);
  expect(shop.pawl("resume").code).toBe(0);
  expect(onBranch(shop, "work/step-1.txt")).toBe(before.trim());
});

it("a new run does the same where it takes the step over", async () => {
  const shop = await cutOff();
  truncateSync(inWorktree(shop, "kept.txt"));
  expect((await shop.run()).code).toBe(0);
  expect(onBranch(shop, "kept.txt")).toBe("kept\n".repeat(100).trim());
});

it("zero bytes in place of the end count as lost, what an agent wrote does not", async () => {
  const shop = await cutOff();
  writeFileSync(inWorktree(shop, "kept.txt"), `kept\n${"\0".repeat(495)}`);
  writeFileSync(inWorktree(shop, "work/step-1.txt"), "another text, and shorter");
  expect(shop.pawl("resume").code).toBe(0);
  expect(onBranch(shop, "kept.txt")).toBe("kept\n".repeat(100).trim());
  expect(onBranch(shop, "work/step-1.txt")).toBe("another text, and shorter");
});

it("without a restart of the machine, a file that an agent shortened stays as it is", async () => {
  const shop = await cutOff();
  truncateSync(inWorktree(shop, "kept.txt"), 50);
  expect(shop.pawl("resume").code).toBe(0);
  expect(onBranch(shop, "kept.txt")).toBe("kept\n".repeat(10).trim());
  expect(restored(shop)).toEqual([]);
});

it("what an interruption in order has left empty is the agent's work", async () => {
  const shop = runShop(TWO);
  shop.repo.write("kept.txt", "kept\n");
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-q", "-m", "a file");
  shop.script({
    steps: { "step-1": [[{ write: "kept.txt", text: "" }, { write: "begun" }, { hang: true }]] },
  });
  const { child, ended } = shop.start("run", "plan.md", ...AGENT);
  await until(() => existsSync(inWorktree(shop, "begun")));
  child.kill("SIGINT");
  await ended;
  shop.script({});
  expect(shop.pawl("resume").code).toBe(0);
  expect(onBranch(shop, "kept.txt")).toBe("");
  expect(restored(shop)).toEqual([]);
});

it("what an agent had emptied when the runner was killed is its work, where the disk stayed mounted", async () => {
  const empty: Acts = [{ write: "kept.txt", text: "" }, ...CUT_OFF];
  const shop = await cutOff(empty, { isPowerCut: false });
  const { code, stdout, stderr } = shop.pawl("resume");
  expect(code).toBe(0);
  if (mountOf(shop.worktree()) === undefined) {
    // The system cannot say whether the power was cut: then a lost file is worse than a restored one, and it is reported.
    expect(`${stdout}${stderr}`).toContain("got it back: kept.txt");
    return;
  }
  expect(onBranch(shop, "kept.txt")).toBe("");
  expect(restored(shop)).toEqual([]);
  expect(`${stdout}${stderr}`).not.toContain("lost content");
});

it("what an agent had emptied before its last checkpoint stays empty", async () => {
  const command = (name: string) =>
    `[[workflows.two.commands]]\nname = "${name}"\ntype = "implement_spec"\nprompt = "implement"\n`;
  const settings = `workflow = "two"\n${command("first")}${command("second")}`;
  const shop = runShop([{ number: "1", tasks: ["dig"] }], settings);
  shop.repo.write("kept.txt", "kept\n");
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-q", "-m", "a file");
  shop.script({ runs: [[{ write: "kept.txt", text: "" }], [{ write: "begun" }, { hang: true }]] });
  const { child, ended } = shop.start("run", "plan.md", ...AGENT);
  await until(() => existsSync(inWorktree(shop, "begun")));
  child.kill("SIGKILL");
  await ended;
  for (const pid of shop.pids()) stop(pid);
  mountAnew(shop);
  shop.script({});
  expect(shop.pawl("resume").code).toBe(0);
  expect(onBranch(shop, "kept.txt")).toBe("");
});
