import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import { formatCarriesStatus } from "../../../src/plans/formats/format-names.ts";
import { PAWL } from "../cli.ts";
import type { Random } from "../random.ts";
import { runShop, type RunShop } from "../run-shop.ts";
import { lives } from "../supervised.ts";
import type { PlanDocument, Unit } from "./documents.ts";

const AGENT = fileURLToPath(new URL("agent.mjs", import.meta.url));

export interface Campaign {
  /** What is wrong afterwards, in words. */
  readonly faults: readonly string[];
  readonly edits: number;
  /** How often each kind of process was killed or interrupted. */
  readonly kills: Readonly<Record<KillName, number>>;
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

/** What happens to a run: its own process, an agent or a git of it is killed, or a person presses Ctrl-C. */
const KILLS = ["runner", "agent", "git", "interrupt"] as const;
type KillName = (typeof KILLS)[number];

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
  const { shop, starts, branch, run: toRun } = planShop(document);
  const top = shop.repo.path;

  let marks = 0;
  let edits = 0;
  const kills = Object.fromEntries(KILLS.map((name) => [name, 0])) as Record<KillName, number>;
  const faults: string[] = [];
  /** Marks of steps that a person called done: where no worker had begun them, no agent does them. */
  const ticked = new Set<string>();
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
    Array.from({ length: document.isOneStep ? 1 : 4 }, () => document.make(numberOf(), title())),
  );
  writeFileSync(join(top, ".gitignore"), "*~\n");
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-qm", "plan");

  const refersTo = (all: readonly Unit[], ids: ReadonlyMap<string | undefined, string | undefined>) =>
    all.map((unit) =>
      unit.needs.some((id) => ids.has(id))
        ? unit.withNeeds(unit.needs.flatMap((id) => (ids.has(id) ? (ids.get(id) ?? []) : id)))
        : unit,
    );
  const renumbered = (all: readonly Unit[], which: (at: number) => boolean) => {
    const after = all.map((unit, at) => (which(at) ? unit.renumber(numberOf()) : unit));
    return refersTo(after, new Map(all.map(({ id }, at) => [id, after[at]!.id])));
  };
  const EDITS: Readonly<Record<string, (all: readonly Unit[]) => readonly Unit[]>> = {
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
      ticked.add(markIn(all[at]!.title));
      return all.with(at, all[at]!.tick());
    },
    breakDown: (all) => {
      const at = random.below(all.length);
      return all.with(at, all[at]!.breakDown(["first part", "second part"]));
    },
    rename: (all) => {
      const one = random.below(all.length);
      return renumbered(all, (at) => at === one);
    },
    add: (all) => all.toSpliced(random.below(all.length + 1), 0, document.make(numberOf(), title())),
    append: (all) => [...all, document.make(numberOf(), title())],
    remove: (all) => {
      if (all.length < 2) return all;
      const at = random.below(all.length);
      return refersTo(all.toSpliced(at, 1), new Map([[all[at]!.id, undefined]]));
    },
    renumber: (all) => renumbered(all, () => true),
    reorder: (all) => {
      const from = random.below(all.length);
      return all.toSpliced(from, 1).toSpliced(random.below(all.length), 0, all[from]!);
    },
    depend: (all) => {
      const at = random.below(all.length);
      const { id } = all[random.below(at + 1)]!;
      const unit = all[at]!;
      if (id === undefined || id === unit.id) return all;
      return all.with(
        at,
        unit.withNeeds(
          unit.needs.includes(id) ? unit.needs.filter((one) => one !== id) : [...unit.needs, id],
        ),
      );
    },
  };
  /** No edit leaves a step waiting for one that comes after it: in most formats that would be a circle. */
  const inOrder = (all: readonly Unit[]) =>
    all.map((unit, at) => {
      const before = new Set(all.slice(0, at).map(({ id }) => id));
      return unit.needs.every((id) => before.has(id))
        ? unit
        : unit.withNeeds(unit.needs.filter((id) => before.has(id)));
    });
  const names = Object.keys(EDITS).slice(0, document.isOneStep ? 4 : undefined);
  const edit = () => {
    const before = units();
    let name: string;
    let after: readonly Unit[];
    do {
      name = random.pick(names);
      after = inOrder(EDITS[name]!(before));
    } while (sourceOf(after) === sourceOf(before));
    document.write(top, after);
    edits += 1;
    const isCommitted = random.chance(0.7);
    if (isCommitted) commit();
    log(`edit ${name}${isCommitted ? ", committed" : ""}: ${describe(before)} -> ${describe(after)}`);
  };

  const agents = () => linesOf(starts).map(({ pid }) => Number(pid));
  /** Undefined where there was no such process at that moment. */
  const victim = async (name: KillName, runner: number): Promise<number | undefined> => {
    for (let tries = 0; tries < 200; tries += 1) {
      const found =
        name === "agent"
          ? agents().filter(lives)
          : name === "git"
            ? offspringOf(runner).filter((pid) => programOf(pid) === "git")
            : [runner];
      if (found.length > 0) return random.pick(found);
      if (!lives(runner)) return undefined;
      await sleep(5);
    }
    return undefined;
  };
  const SIGNALS: Readonly<Record<KillName, readonly NodeJS.Signals[]>> = {
    runner: ["SIGKILL"],
    agent: ["SIGKILL"],
    git: ["SIGKILL"],
    interrupt: random.chance(0.5) ? ["SIGINT"] : ["SIGINT", "SIGINT"],
  };

  const run = async (killed: KillName | undefined, during: () => Promise<void>) => {
    const { child, ended } = shop.start(...toRun);
    await during();
    const pid = killed && child.exitCode === null ? await victim(killed, child.pid!) : undefined;
    if (killed && pid !== undefined && child.exitCode === null) {
      for (const signal of SIGNALS[killed]) {
        if (lives(pid)) process.kill(pid, signal);
        await sleep(100);
      }
      kills[killed] += 1;
    }
    const { code, signal, stderr, stdout } = await ended;
    log(
      `run ended with ${code ?? signal}${pid === undefined ? "" : `, ${killed} killed`}\n${stderr}${stdout}`,
    );
    // Nothing but a kill or a decision about an edit keeps a run from its end.
    const isMeant = code === 0 || code === 5 || (pid !== undefined && killed !== "agent");
    if (!isMeant) faults.push(`a run ended with ${code ?? signal}: ${stderr.slice(-600)}`);
  };

  for (let round = 0; round < rounds; round += 1) {
    if (random.chance(0.4)) edit();
    const killed = random.chance(0.5) ? random.pick(KILLS) : undefined;
    await run(killed, async () => {
      for (let left = 1 + random.below(editsPerRound); left > 0; left -= 1) {
        await sleep(random.below(700));
        edit();
      }
      await sleep(random.below(300));
    });
  }
  commit();
  for (let turn = 0; turn < 6; turn += 1) {
    await run(undefined, () => Promise.resolve());
    // oxlint-disable-next-line typescript/no-explicit-any -- snake_case
    const findings: any[] = shop.json("recover", "--dry-run").data.findings;
    log(`findings: ${findings.map(({ rule, subject, found }) => `${rule}:${subject} ${found}`).join("\n")}`);
    const open = findings.filter(({ weight }) => weight === "decide");
    if (open.length === 0) break;
    for (const { rule, anchor, found, choices } of open) {
      const keys = choices.map(({ key }: { key: string }) => key);
      // A person sees that other words in the same place are other work.
      const isOther = new Set(String(found).match(/(?<= )k\d{4}/g)).size > 1;
      const key = (isOther ? ["N"] : ["A", "F", "N"]).find((one) => keys.includes(one));
      if (rule !== "step-edited" || key === undefined) {
        faults.push(`${rule}:${anchor} needs a person: ${keys.join("")}`);
        continue;
      }
      const { code, stderr } = shop.pawl("recover", document.plan, "--answer", `${rule}:${anchor}=${key}`);
      log(`answered ${rule}:${anchor}=${key}: ${code} ${stderr}`);
    }
  }
  return { faults: [...faults, ...judge(), ...(await judgeByAnother())], edits, kills, story, shop };

  function judge(): readonly string[] {
    const found: string[] = [];
    for (const { mark, step, landed, stderr } of linesOf(starts)) {
      if (landed === true) found.push(`${String(mark)} (${String(step)}) was completed and is done again`);
      if (stderr !== undefined) found.push(`${String(mark)}: ${String(stderr)}`);
    }
    const lost = shop.query("select anchor, outcome, because from verdicts where outcome <> 'passed'");
    if (lost.length > kills.agent)
      for (const { anchor, outcome, because } of lost)
        found.push(`${String(anchor)} lost an attempt: ${String(outcome)} ${String(because)}`);
    for (const { anchor, detail } of shop.query("select anchor, detail from events where event = 'blocked'"))
      found.push(`${String(anchor)} was blocked: ${String(detail)}`);
    if (formatCarriesStatus(document.format))
      for (const unit of units())
        if (!unit.isDone) found.push(`the file does not show that ${unit.title} is done`);
    return found;
  }

  /** A second repository whose plan has the last text from the start, and its one run. */
  async function judgeByAnother(): Promise<readonly string[]> {
    const other = planShop(document);
    document.write(
      other.shop.repo.path,
      units().map((unit) => unit.reopen()),
    );
    other.shop.repo.git("add", "-A");
    other.shop.repo.git("commit", "-qm", "plan");
    const { ended } = other.shop.start(...other.run);
    const { code, stderr } = await ended;
    const found = code === 0 ? [] : [`the second repository's run ended with ${code}: ${stderr.slice(-600)}`];
    const [has, want] = [shop, other.shop].map((one) => stateOf(one).join("\n  "));
    if (has !== want) found.push(`the store has\n  ${has}\nand with the last text from the start\n  ${want}`);
    const [built, wanted] = [shop, other.shop].map((one) => workOn(one, branch));
    const missing = wanted!.filter((name) => !built!.includes(name) && !ticked.has(markIn(name)));
    if (missing.length > 0) found.push(`the branch lacks ${missing.join(", ")}`);
    return found;
  }
}

/** A repository without a plan, whose agent notes its starts. */
function planShop({ plan }: PlanDocument) {
  const shop = runShop();
  shop.repo.git("rm", "-q", "plan.md");
  const starts = shop.path("starts.log");
  const about = shop.path("plan-edits.json");
  const branch = `pawl/${basename(plan).replace(/\.\w+$/, "")}`;
  writeFileSync(about, JSON.stringify({ log: starts, pawl: [process.execPath, PAWL], branch, pauseMs: 200 }));
  Object.assign(shop.env, { PLAN_EDITS: about });
  // Where a spec has a build already, a person must say what is to become of it.
  const run = ["run", plan, "--workers", "3", "--auto-continue", "--", process.execPath, AGENT];
  return { shop, starts, branch, run };
}

const stateOf = (shop: RunShop): readonly string[] =>
  shop
    .query("select anchor, status, title from steps order by anchor")
    .map(({ anchor, status, title }) => `${String(anchor)} ${String(status)}: ${String(title)}`);

const workOn = (shop: RunShop, branch: string): readonly string[] =>
  shop.repo.git("ls-tree", "-r", "--name-only", branch, "--", "work").split("\n");

const linesOf = (log: string): readonly Record<string, string | boolean | number>[] =>
  existsSync(log)
    ? readFileSync(log, "utf8")
        .split("\n")
        // The last line may be half written.
        .filter((line) => line.endsWith("}"))
        .map((line) => JSON.parse(line) as Record<string, string | boolean | number>)
    : [];

const statOf = (pid: number): readonly string[] => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return [
      stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")")),
      ...stat.slice(stat.lastIndexOf(")") + 2).split(" "),
    ];
  } catch {
    return [];
  }
};

const programOf = (pid: number): string | undefined => statOf(pid)[0];

function offspringOf(ancestor: number): readonly number[] {
  const parents = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), Number(statOf(Number(name))[2])]),
  );
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && parent > 1 && (parent === ancestor || isBelow(parent));
  };
  return [...parents.keys()].filter(isBelow);
}

const describe = (all: readonly Unit[]): string =>
  all
    .map(
      ({ title, isDone, id, needs }) =>
        `${title.slice(-5)}${id === undefined ? "" : `#${id}`}${needs.length > 0 ? `(${needs.join(" ")})` : ""}${isDone ? "x" : ""}`,
    )
    .join(" ");

const markIn = (text: string): string => /k\d{4}/.exec(text)?.[0] ?? text;

const sourceOf = (all: readonly Unit[]): string => JSON.stringify(all.map(({ source }) => source));
