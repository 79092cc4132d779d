import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import { PAWL } from "../cli.ts";
import type { Random } from "../random.ts";
import { runShop, type RunShop } from "../run-shop.ts";
import type { PlanDocument, Unit } from "./documents.ts";

const AGENT = fileURLToPath(new URL("agent.mjs", import.meta.url));

export interface Campaign {
  /** What is wrong afterwards, in words. */
  readonly faults: readonly string[];
  readonly edits: number;
  readonly kills: number;
  /** What was done and printed, for the one who looks for the reason. */
  readonly story: readonly string[];
  readonly shop: RunShop;
}

interface CampaignRequest {
  readonly document: PlanDocument;
  readonly random: Random;
  readonly rounds: number;
  readonly editsPerRound: number;
}

const VERBS = ["Dig", "Build", "Paint", "Wire", "Roof", "Clean", "Plant", "Fence"];
const WORDS = ["the north side", "with care", "once more", "for winter", "by hand"];

/** Runs a plan with three workers while a person edits and commits it and kills what runs; then brings it to its end. */
export async function campaign({
  document,
  random,
  rounds,
  editsPerRound,
}: CampaignRequest): Promise<Campaign> {
  const log = (line: string) => story.push(line);
  const story: string[] = [];
  const shop = runShop();
  const top = shop.repo.path;
  shop.repo.git("rm", "-q", "plan.md");
  const starts = shop.path("starts.log");
  const about = shop.path("plan-edits.json");
  const branch = `pawl/${basename(document.plan).replace(/\.\w+$/, "")}`;
  writeFileSync(about, JSON.stringify({ log: starts, pawl: [process.execPath, PAWL], branch, pauseMs: 200 }));
  const env = { PLAN_EDITS: about };
  Object.assign(shop.env, env);

  let marks = 0;
  let edits = 0;
  let kills = 0;
  const faults: string[] = [];
  const title = () => `${random.pick(VERBS)} ${random.pick(WORDS)} k${String((marks += 1)).padStart(4, "0")}`;
  const numberOf = () => (numbers += 1);
  let numbers = 0;
  const units = () => document.read(top);
  const commit = () => {
    shop.repo.git("add", "-A", "--", document.plan);
    if (shop.repo.git("status", "--porcelain", "--", document.plan) !== "")
      shop.repo.git("commit", "-qm", "edit", "--", document.plan);
  };
  document.write(
    top,
    Array.from({ length: 4 }, () => document.make(numberOf(), title())),
  );
  writeFileSync(join(top, ".gitignore"), "*~\n");
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-qm", "plan");

  const EDITS: Readonly<Record<string, (all: readonly Unit[]) => readonly Unit[]>> = {
    add: (all) => all.toSpliced(random.below(all.length + 1), 0, document.make(numberOf(), title())),
    append: (all) => [...all, document.make(numberOf(), title())],
    remove: (all) => (all.length < 2 ? all : all.toSpliced(random.below(all.length), 1)),
    rename: (all) => {
      const at = random.below(all.length);
      return all.with(at, all[at]!.renumber(numberOf()));
    },
    renumber: (all) => {
      const moved = all.map((unit) => unit.renumber(numberOf()));
      return moved;
    },
    reorder: (all) => {
      const from = random.below(all.length);
      return all.toSpliced(from, 1).toSpliced(random.below(all.length), 0, all[from]!);
    },
    edit: (all) => {
      const at = random.below(all.length);
      const [verb, ...rest] = all[at]!.title.split(" ");
      return all.with(
        at,
        all[at]!.edit([verb, random.pick(["quickly", "slowly", "twice"]), ...rest].join(" ")),
      );
    },
    tick: (all) => {
      const at = random.below(all.length);
      return all.with(at, all[at]!.tick());
    },
    breakDown: (all) => {
      const at = random.below(all.length);
      return all.with(at, all[at]!.breakDown(["first part", "second part"]));
    },
  };
  const names = Object.keys(EDITS);
  const edit = () => {
    const name = random.pick(names);
    const before = units();
    const after = EDITS[name]!(before);
    document.write(top, after);
    edits += 1;
    const isCommitted = random.chance(0.7);
    if (isCommitted) commit();
    log(`edit ${name}${isCommitted ? ", committed" : ""}: ${describe(before)} -> ${describe(after)}`);
  };

  const run = async (isKilled: boolean, during: () => Promise<void>) => {
    // Where a spec has a build already, a person must say what is to become of it.
    const options = ["--workers", "3", "--auto-continue"];
    const { child, ended } = shop.start("run", document.plan, ...options, "--", process.execPath, AGENT);
    await during();
    if (isKilled && child.exitCode === null) {
      child.kill("SIGKILL");
      kills += 1;
    }
    const { code, signal, stderr, stdout } = await ended;
    log(`run ended with ${code ?? signal}\n${stderr}${stdout}`);
    // Nothing but a kill or a decision about an edit keeps a run from its end.
    if (signal === null && code !== 0 && code !== 5)
      faults.push(`a run ended with ${code}: ${stderr.slice(-600)}`);
    return code;
  };

  for (let round = 0; round < rounds; round += 1) {
    if (random.chance(0.4)) edit();
    const isKilled = random.chance(0.4);
    await run(isKilled, async () => {
      for (let left = 1 + random.below(editsPerRound); left > 0; left -= 1) {
        await sleep(random.below(700));
        edit();
      }
      await sleep(random.below(300));
    });
  }
  commit();
  for (let turn = 0; turn < 6; turn += 1) {
    await run(false, () => Promise.resolve());
    // oxlint-disable-next-line typescript/no-explicit-any -- snake_case
    const findings: any[] = shop.json("recover", "--dry-run").data.findings;
    log(`findings: ${findings.map(({ rule, subject, found }) => `${rule}:${subject} ${found}`).join("\n")}`);
    const open = findings.filter(({ weight }) => weight === "decide");
    if (open.length === 0) break;
    for (const { rule, anchor, choices } of open) {
      const keys = choices.map(({ key }: { key: string }) => key);
      const key = ["A", "F", "N"].find((one) => keys.includes(one));
      if (rule !== "step-edited" || key === undefined) {
        faults.push(`${rule}:${anchor} needs a person: ${keys.join("")}`);
        continue;
      }
      const { code, stderr } = shop.pawl("recover", document.plan, "--answer", `${rule}:${anchor}=${key}`);
      log(`answered ${rule}:${anchor}=${key}: ${code} ${stderr}`);
    }
  }
  return { faults: [...faults, ...judge()], edits, kills, story, shop };

  function judge(): readonly string[] {
    const found: string[] = [];
    const lines = existsSync(starts) ? readFileSync(starts, "utf8").trim().split("\n").filter(Boolean) : [];
    for (const line of lines) {
      const { mark, step, landed, stderr } = JSON.parse(line) as Record<string, string | boolean>;
      if (landed === true) found.push(`${String(mark)} (${String(step)}) was completed and is done again`);
      if (stderr !== undefined) found.push(`${String(mark)}: ${String(stderr)}`);
    }
    for (const { anchor, outcome, because } of shop.query(
      "select anchor, outcome, because from verdicts where outcome <> 'passed'",
    ))
      found.push(`${String(anchor)} lost an attempt: ${String(outcome)} ${String(because)}`);
    for (const { anchor, detail } of shop.query("select anchor, detail from events where event = 'blocked'"))
      found.push(`${String(anchor)} was blocked: ${String(detail)}`);
    // oxlint-disable-next-line typescript/no-explicit-any -- snake_case
    const wanted: any[] = shop.json("plan", "show", document.plan).data.steps;
    const rows = shop.query(
      "select anchor, status, title from steps where parent_anchor is null order by step_index",
    );
    const has = rows.map(({ anchor, status }) => `${String(anchor)} ${String(status)}`).toSorted();
    const want = wanted.map(({ anchor }) => `${String(anchor)} completed`).toSorted();
    if (has.join("\n") !== want.join("\n"))
      found.push(`the store has\n  ${has.join("\n  ")}\nthe plan wants\n  ${want.join("\n  ")}`);
    if (document.format !== "tugplan")
      for (const unit of units())
        if (!unit.isDone) found.push(`the file does not show that ${unit.title} is done`);
    return found;
  }
}

const describe = (all: readonly Unit[]): string =>
  all
    .map(
      ({ title, isDone, source }) =>
        `${title.slice(-5)}${typeof source === "object" ? `#${String((source as { id?: unknown }).id)}` : ""}${isDone ? "x" : ""}`,
    )
    .join(" ");
