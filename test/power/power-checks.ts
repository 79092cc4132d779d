import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BASE_FILES, baseText, type PowerSite, readLedger, STEPS } from "./power-site.ts";

/** A promise that did not hold, by its name and in words. */
export interface Broken {
  readonly promise: string;
  readonly says: string;
}

export const broken = (promise: string, says: string): Broken => ({ promise, says: says.slice(0, 3000) });

interface StepView {
  readonly anchor: string;
  readonly status: string;
  readonly commit_hash: string | null;
}

/** The steps as the state has them; undefined when it cannot be shown. */
export async function stepsOf(site: PowerSite): Promise<readonly StepView[] | undefined> {
  const { code, output } = await site.pawl(["state", "show", "plan.md", "--json"]);
  if (code !== 0) return undefined;
  const { data } = JSON.parse(output) as { data: { plan?: { steps: StepView[] }; steps?: StepView[] } };
  return data.plan?.steps ?? data.steps;
}

/** What a command printed before the power went is true afterwards. */
export async function acknowledged(site: PowerSite, output: string): Promise<readonly Broken[]> {
  const said = [...output.matchAll(/(step-\d+): completed with ([0-9a-f]{12})/g)];
  if (said.length === 0) return [];
  const steps = await stepsOf(site);
  if (steps === undefined) return [broken("state can be read", "state show fails after the cut")];
  return said.flatMap(([, anchor, commit]) => {
    const step = steps.find((one) => one.anchor === anchor);
    return step?.status === "completed" && step.commit_hash?.startsWith(commit!)
      ? []
      : [broken("an acknowledged completion stays", `${anchor} with ${commit} is ${step?.status}`)];
  });
}

export function soundObjects({ git }: PowerSite): readonly Broken[] {
  const { code, output } = git("fsck", "--full", "--no-dangling");
  return code === 0 ? [] : [broken("git fsck finds nothing", output)];
}

/** Every file on a branch has the content that the beginning or an agent gave it. */
export function contentsOn(site: PowerSite, branch: string): readonly Broken[] {
  const written = new Map<string, Set<string>>(BASE_FILES.map((name) => [name, new Set([baseText(name)])]));
  for (const { path, text } of readLedger(site.ledger)) {
    if (!written.has(path)) written.set(path, new Set());
    written.get(path)!.add(text);
  }
  const files = site.git("ls-tree", "-r", "--name-only", branch).output.split("\n").filter(Boolean);
  const gone = BASE_FILES.filter((name) => !files.includes(name));
  return [
    ...gone.map((name) => broken("nothing goes from the branch", `${name} is gone from ${branch}`)),
    ...files.flatMap((name) => {
      const texts = written.get(name);
      if (texts === undefined) return [];
      const { output } = site.git("cat-file", "blob", `${branch}:${name}`);
      return texts.has(output)
        ? []
        : [broken("contents are as written", `${branch}:${name} is ${JSON.stringify(output.slice(0, 80))}`)];
    }),
  ];
}

/** Completed steps have their files on the branch, and a commit that leads there. */
export async function completedOn(site: PowerSite, branch: string): Promise<readonly Broken[]> {
  const steps = await stepsOf(site);
  const commits = new Set(site.git("rev-list", branch).output.split("\n"));
  const files = new Set(site.git("ls-tree", "-r", "--name-only", branch).output.split("\n"));
  return (steps ?? [])
    .filter(({ status }) => status === "completed")
    .flatMap(({ anchor, commit_hash }) => [
      ...(commit_hash !== null && commits.has(commit_hash)
        ? []
        : [broken("a completed step's commit is on the branch", `${anchor}: ${commit_hash}`)]),
      ...(files.has(`work/${anchor}.done`) ? [] : [broken("a completed step's files are there", anchor)]),
    ]);
}

export async function allCompleted(site: PowerSite): Promise<boolean> {
  const steps = await stepsOf(site);
  return steps?.length === STEPS && steps.every(({ status }) => status === "completed");
}

/** Each byte that an agent had on the disk is in a folder of the repository or below a ref. */
export function keptBytes(site: PowerSite): readonly Broken[] {
  const there = new Set(
    site
      .git("rev-list", "--objects", "--all")
      .output.split("\n")
      .map((line) => line.slice(0, 40)),
  );
  for (const hash of fileHashes(site.repo)) there.add(hash);
  return readLedger(site.ledger)
    .filter(({ kind, text }) => kind === "synced" && !there.has(blobHash(Buffer.from(text))))
    .map(({ path, text }) => broken("synced work is kept", `${path} (${text.trim()})`));
}

const blobHash = (bytes: Buffer): string =>
  createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");

function* fileHashes(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === ".git") continue;
    if (entry.isDirectory()) yield* fileHashes(join(folder, entry.name));
    else if (entry.isFile()) yield blobHash(readFileSync(join(folder, entry.name)));
  }
}

/** A checkout has exactly what its branch says, apart from what was not committed. */
export function cleanCheckout(site: PowerSite, folder: string): readonly Broken[] {
  if (!existsSync(folder)) return [broken("the checkout is there", folder)];
  const { code, output } = site.git("-C", folder, "status", "--porcelain", "--untracked-files=no");
  return code === 0 && output === "" ? [] : [broken("a checkout has what its branch says", output)];
}

interface Diagnosis {
  readonly failures: number;
  readonly warnings: number;
  readonly says: readonly string[];
}

export async function doctor(site: PowerSite): Promise<Diagnosis> {
  const { output } = await site.pawl(["doctor", "--json"]);
  const { data } = JSON.parse(output) as {
    data: {
      summary: { failures: number; warnings: number };
      checks?: { name: string; status: string; message: string }[];
    };
  };
  if (data.checks === undefined) throw new Error(`pawl doctor could not look: ${output}`);
  const says = data.checks
    .filter(({ status }) => status !== "pass")
    .map(({ name, message }) => `${name}: ${message}`);
  return { ...data.summary, says };
}

/** Where objects are damaged the doctor says so, and where it is green they are whole. */
export async function truthfulDoctor(site: PowerSite): Promise<readonly Broken[]> {
  const damage = soundObjects(site);
  // Warnings do not count: here one is always there, that no agent is on PATH.
  const { failures } = await doctor(site);
  return damage.length > 0 && failures === 0
    ? [broken("the doctor is not green on damage", damage[0]!.says)]
    : [];
}

export async function greenDoctor(site: PowerSite): Promise<readonly Broken[]> {
  const { failures, says } = await doctor(site);
  return failures === 0 ? [] : [broken("the doctor is green in the end", says.join("; "))];
}
