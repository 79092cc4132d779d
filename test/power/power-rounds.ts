import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { sleep } from "../../src/platform/sleep.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { type Broken, greenDoctor, keptBytes, soundObjects, truthfulDoctor } from "./power-checks.ts";
import { type Cut, type Mount, MOUNTS } from "./power-disk.ts";
import { SCENES, type Scene, type SceneName } from "./power-scenes.ts";
import { type Habit, HABITS, type PowerSite, powerSite, type Running } from "./power-site.ts";

export interface CutRecord {
  readonly scene: SceneName;
  readonly habit: Habit;
  readonly mount: Mount;
  readonly cut: Cut;
  readonly atMs: number;
  /** Whether the command had ended by itself before the power went. */
  readonly hadEnded: boolean;
  /** Whether git found anything wrong when the power was back. */
  readonly damaged: boolean;
  readonly broken: readonly Broken[];
}

export interface RoundsRequest {
  readonly folder: string;
  readonly root: string;
  readonly seed: number;
  readonly scenes: readonly SceneName[];
  readonly isOver: () => boolean;
  /** Records a cut and answers with its number. */
  readonly note: (record: CutRecord) => number;
  /** Where images are kept on which a promise broke; nowhere when left out. */
  readonly keep?: string | undefined;
}

/** A power cut most often leaves what it can of the least: nothing but what was flushed. */
const LIKELY: readonly Cut[] = ["nothing", "nothing", "nothing", "nothing", "log only", "flushed"];
const EARLIEST_MS = 100;
const AFTER_END_MS = 300;

/** How long a command takes that is left alone, by scene and habit. */
type Durations = Map<string, number>;

/** Goes round the scenes until it is over; each cut comes a little later in its command than the one before. */
export async function powerRounds(request: RoundsRequest): Promise<void> {
  mkdirSync(request.folder, { recursive: true });
  const site = powerSite(request.folder, request.root);
  const random = seededRandom(request.seed);
  const durations: Durations = new Map();
  try {
    for (let round = 0; !request.isOver(); round += 1) {
      const scene = request.scenes[round % request.scenes.length]!;
      const note = (record: CutRecord): void => {
        const number = request.note(record);
        if (record.broken.length > 0 && request.keep !== undefined)
          site.disk.keepAt(join(request.keep, `cut-${number}.img`));
      };
      await playRound(site, { scene, random, durations, note });
    }
  } finally {
    await site.discard();
  }
}

interface Round {
  readonly scene: SceneName;
  readonly random: Random;
  readonly durations: Durations;
  readonly note: (record: CutRecord) => void;
}

async function playRound(site: PowerSite, { scene: name, random, durations, note }: Round): Promise<void> {
  const scene: Scene = SCENES[name];
  const habit = random.pick(HABITS);
  const mount = random.pick(MOUNTS);
  const longest = await bringScene(site, name, habit, durations);
  site.disk.mount(mount);
  try {
    let now: SceneName = name;
    // A run that was cut is resumed, and now and then the power goes again meanwhile.
    for (let cuts = 1; ; cuts += 1) {
      const atMs = Math.round(EARLIEST_MS + random.next() * (longest + AFTER_END_MS - EARLIEST_MS));
      const cut = random.pick(LIKELY);
      const command = now === name ? scene.command(site, habit) : ["resume"];
      const shot = await cutUnder(site, {
        command,
        folder: scene.folder(site),
        atMs,
        cut,
        mount,
        flushAtMs: random.chance(0.4) ? atMs * random.next() : undefined,
      });
      const isLast = cuts === 3 || !["run", "resume"].includes(now) || random.chance(0.5);
      const found = await inspect(site, scene, shot, { habit, random, isLast });
      note({
        scene: now,
        habit,
        mount,
        cut,
        atMs,
        hadEnded: shot.hadEnded,
        ...found,
      });
      if (isLast || found.broken.length > 0) break;
      now = "resume";
    }
  } finally {
    await site.endAll();
    await site.disk.unmount();
  }
}

interface Shot extends Running {
  readonly hadEnded: boolean;
  readonly said: string;
}

interface Shooting {
  readonly command: readonly string[];
  readonly folder: string;
  readonly atMs: number;
  readonly cut: Cut;
  readonly mount: Mount;
  /** When everything so far is put on the disk, as the kernel does from time to time. */
  readonly flushAtMs: number | undefined;
}

/** Lets a command run, takes the power away under it, and brings it back. */
async function cutUnder(
  site: PowerSite,
  { command, folder, atMs, cut, mount, flushAtMs }: Shooting,
): Promise<Shot> {
  const fire = await site.disk.arm(cut);
  const begunAt = performance.now();
  const running = site.start(command, folder);
  if (flushAtMs !== undefined) {
    await sleep(flushAtMs);
    await new Promise((resolve) => {
      spawn("sync", ["-f", site.disk.path]).once("close", resolve);
    });
  }
  await sleep(Math.max(0, atMs - (performance.now() - begunAt)));
  // What was read by now was surely said before the power went.
  const hadEnded = running.code() !== undefined;
  const said = running.output();
  await fire();
  await site.endAll();
  await running.ended;
  await site.disk.unmount();
  site.disk.mount(mount);
  return { ...running, hadEnded, said };
}

async function inspect(
  site: PowerSite,
  scene: Scene,
  shot: Shot,
  { habit, random, isLast }: { readonly habit: Habit; readonly random: Random; readonly isLast: boolean },
): Promise<Pick<CutRecord, "damaged" | "broken">> {
  const damaged = soundObjects(site).length > 0;
  const answer = { output: shot.said, ...(shot.hadEnded ? { code: shot.code()! } : {}) };
  const broken: Broken[] = [...(await scene.afterCut(site, answer))];
  if (damaged || random.chance(0.2)) broken.push(...(await truthfulDoctor(site)));
  if (random.chance(0.3)) await site.pawl(["recover", "--auto"]);
  if (!isLast) return { damaged, broken };
  broken.push(...(await scene.finish(site, habit)));
  broken.push(...keptBytes(site), ...soundObjects(site), ...(await greenDoctor(site)));
  return { damaged, broken };
}

/** Builds a scene once and measures its command once; later rounds begin with a copy of the image and its ledger. */
async function bringScene(
  site: PowerSite,
  name: SceneName,
  habit: Habit,
  durations: Durations,
): Promise<number> {
  const key = `${name}-${habit}`;
  const ledger = `${site.ledger}-${key}`;
  const known = durations.get(key);
  if (known === undefined) {
    const scene: Scene = SCENES[name];
    rmSync(site.ledger, { force: true });
    site.disk.format();
    site.disk.mount("defaults");
    await scene.prepare(site, habit);
    await site.disk.unmount();
    site.disk.keep(key);
    if (existsSync(site.ledger)) copyFileSync(site.ledger, ledger);
    site.disk.mount("defaults");
    const begunAt = performance.now();
    await site.pawl(scene.command(site, habit), scene.folder(site));
    durations.set(key, performance.now() - begunAt);
    await site.endAll();
    await site.disk.unmount();
  }
  site.disk.bring(key);
  rmSync(site.ledger, { force: true });
  if (existsSync(ledger)) copyFileSync(ledger, site.ledger);
  return durations.get(key)!;
}
