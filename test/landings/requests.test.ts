import { execFileSync, spawn } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { PAWL, pawlAsync } from "../support/cli.ts";
import { chosenSeed, seededRandom } from "../support/random.ts";
import { cleanEnv } from "../support/repository.ts";
import { runShop } from "../support/run-shop.ts";

/**
 * `npm run test:landed -- requests`: one pull or merge request per plan after many kills, and its token nowhere.
 * `PAWL_KILLS=N`, `PAWL_SEED=N`.
 */

const KILLS = Number(process.env["PAWL_KILLS"] ?? "50");
const SEED = chosenSeed();
/** Each kill comes at a call of the stand-in or soon after it, and most calls need a step that landed. */
const STEPS = Math.ceil(KILLS * 1.5) + 5;
const TOOL = fileURLToPath(new URL("../support/hosting/request-tool.mjs", import.meta.url));
const TOKEN = "ghp_a-token-that-stays-where-it-is";

interface Request {
  readonly body: string;
  readonly isDraft: boolean;
}

it.each(["gh", "glab"] as const)("%s: one request per plan after kills, and no token", async (program) => {
  const random = seededRandom(SEED);
  const shop = runShop(
    Array.from({ length: STEPS }, (_, at) => ({ number: String(at + 1) })),
    `remote = "origin"\npublish = "pull-request"\npublish_with = "${program}"\n[verify]\ncommand = ["true"]\n`,
  );
  const remote = shop.path("remote.git");
  shop.repo.git("init", "-q", "--bare", "-b", "main", remote);
  shop.repo.git("remote", "add", "origin", remote);
  shop.repo.git("push", "-q", "origin", "main");
  const bin = shop.path("bin");
  mkdirSync(bin);
  copyFileSync(TOOL, join(bin, program));
  chmodSync(join(bin, program), 0o755);
  const file = shop.path("requests.json");
  const agent = shop.path("agent.sh");
  const seen = shop.path("agents-saw");
  writeFileSync(agent, `mkdir -p work\necho x > "work/$PAWL_STEP.txt"\nenv >> '${seen}'\n`);
  const env = {
    ...shop.env,
    PATH: `${bin}${delimiter}${process.env["PATH"]}`,
    REQUESTS_FILE: file,
    GH_TOKEN: TOKEN,
    GITHUB_TOKEN: TOKEN,
    GITLAB_TOKEN: TOKEN,
  };
  const args = ["run", "plan.md", "--workers", "2", "--", "sh", agent];
  const calls = (): readonly (readonly string[])[] =>
    existsSync(`${file}.log`)
      ? readFileSync(`${file}.log`, "utf8")
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line) as readonly string[])
      : [];
  let output = "";
  /** Killed at a call of the stand-in, in the middle of it or soon after; false when it ended before. */
  const killed = async (): Promise<boolean> => {
    const before = calls().length;
    const child = spawn(process.execPath, [PAWL, ...args], {
      cwd: shop.repo.path,
      env: cleanEnv(env),
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void (child.exitCode === null && child.kill("SIGKILL")));
    child.stdout.on("data", (text: Buffer) => (output += text.toString()));
    child.stderr.on("data", (text: Buffer) => (output += text.toString()));
    const ended = new Promise<NodeJS.Signals | null>((resolve) => {
      child.on("close", (_, signal) => resolve(signal));
    });
    const wanted = before + 1 + random.below(3);
    const afterMs = random.below(120);
    while (child.exitCode === null && calls().length < wanted) await sleep(5);
    await sleep(afterMs);
    child.kill("SIGKILL");
    return (await ended) === "SIGKILL";
  };
  let kills = 0;
  while (kills < KILLS && (await killed())) kills += 1;
  const last = await pawlAsync({ cwd: shop.repo.path, env }, ...args);
  expect({ ...last, kills }).toMatchObject({ code: 0, kills: KILLS });
  const requests = JSON.parse(readFileSync(file, "utf8")) as readonly Request[];
  expect(requests).toHaveLength(1);
  expect(requests[0]).toMatchObject({ isDraft: false });
  expect(requests[0]!.body).toContain(`${STEPS} of ${STEPS} steps landed`);
  const landed = shop.commits();
  expect(new Set(landed).size).toBe(STEPS);
  expect(landed).toHaveLength(STEPS);
  const everything = [
    output,
    last.stdout,
    last.stderr,
    readFileSync(seen, "utf8"),
    readFileSync(`${file}.log`, "utf8"),
    readFileSync(file, "utf8"),
  ].join("\n");
  expect(everything).not.toContain(TOKEN);
  expect(filesWith(TOKEN, join(shop.repo.path, ".git"))).toBe("");
  const created = calls().filter(([, , verb]) => verb === "create").length;
  console.log(
    `${program}, seed ${SEED}: ${kills} kills, ${STEPS} steps, ${calls().length} calls, ${created} of them to open a request: 1 request, 0 tokens`,
  );
});

/** Below what Pawl and git keep, such as logs and the database. */
function filesWith(text: string, folder: string): string {
  try {
    return execFileSync("grep", ["-rlaF", text, folder], { encoding: "utf8" });
  } catch {
    return "";
  }
}
