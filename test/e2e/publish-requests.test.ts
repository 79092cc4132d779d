import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { AGENT, type RunShop, runShop, THREE } from "../support/run-shop.ts";
import { pawlAsync } from "../support/cli.ts";

const TOOL = fileURLToPath(new URL("../support/hosting/request-tool.mjs", import.meta.url));
const TOKEN = "ghp_a-token-that-nobody-may-see";

interface Request {
  readonly number: number;
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly isDraft: boolean;
  readonly state: string;
}

interface HostedShop extends RunShop {
  readonly requests: () => readonly Request[];
  /** The calls of the program: noun and verb of each. */
  readonly calls: () => readonly string[];
  readonly runWith: (
    env: Readonly<Record<string, string>>,
    ...options: readonly string[]
  ) => ReturnType<RunShop["run"]>;
}

/** A repository with a bare remote, and a stand-in for the program of its hosting service on PATH. */
function hostedShop(program: "gh" | "glab", settings = ""): HostedShop {
  const shop = runShop(
    THREE,
    `remote = "origin"\npublish = "pull-request"\npublish_with = "${program}"\n${settings}[verify]\ncommand = ["test", "-f", "plan.md"]\n`,
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
  const env = {
    ...shop.env,
    PATH: `${bin}${delimiter}${process.env["PATH"]}`,
    REQUESTS_FILE: file,
    GH_TOKEN: TOKEN,
    GITLAB_TOKEN: TOKEN,
  };
  const runWith: HostedShop["runWith"] = (more, ...options) =>
    pawlAsync({ cwd: shop.repo.path, env: { ...env, ...more } }, "run", "plan.md", ...options, ...AGENT);
  return {
    ...shop,
    runWith,
    run: (...options) => runWith({}, ...options),
    requests: () => (existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as readonly Request[]) : []),
    calls: () =>
      readFileSync(`${file}.log`, "utf8")
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as readonly string[]).slice(1, 3).join(" ")),
  };
}

describe.each(["gh", "glab"] as const)("publishing with %s", (program) => {
  it("opens one draft at the first landing, keeps it current, and marks it as ready at the end", async () => {
    const shop = hostedShop(program);
    expect(await shop.run("--max-steps", "1")).toMatchObject({ code: 0 });
    const [draft] = shop.requests();
    expect(draft).toMatchObject({ branch: "pawl/plan", base: "main", isDraft: true });
    expect(draft!.body).toContain("1 of 3 steps landed");
    const { code, stdout, stderr } = await shop.run();
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const requests = shop.requests();
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ isDraft: false });
    expect(requests[0]!.body).toContain("3 of 3 steps landed");
    expect(requests[0]!.body).toMatch(/step-3 .*\| landed \| [0-9a-f]{12} \| checklist, test -f plan.md \|/);
    expect(shop.query("select event from events where event like 'request-%' order by id")).toEqual([
      { event: "request-opened" },
      { event: "request-ready" },
    ]);
    const seen = readFileSync(shop.path("script.json.step-1.1.json"), "utf8");
    expect(seen + stdout + stderr + JSON.stringify(shop.query("select detail from events"))).not.toContain(
      TOKEN,
    );
  });

  it("finds its request again after kills right behind each change of it", async () => {
    const shop = hostedShop(program);
    const verbs = program === "gh" ? ["create", "edit", "ready"] : ["create", "update"];
    const ends: unknown[] = [];
    for (const verb of verbs)
      ends.push((await shop.runWith({ REQUESTS_KILL_AFTER: verb }, "--max-steps", "1")).signal);
    expect(ends).toEqual(verbs.map(() => "SIGKILL"));
    expect(await shop.run()).toMatchObject({ code: 0 });
    expect(shop.requests()).toHaveLength(1);
    expect(shop.requests()[0]).toMatchObject({ isDraft: false });
    expect(shop.requests()[0]!.body).toContain("3 of 3 steps landed");
    expect(shop.calls().filter((call) => call.endsWith(" create"))).toHaveLength(1);
  });
});

it("a service that cannot be reached fails no run, is reported once, and without the token", async () => {
  const shop = hostedShop("gh");
  const { code, stdout, stderr } = await shop.runWith({ REQUESTS_FAIL: "1" });
  expect(code).toBe(0);
  expect(stdout.match(/the request was not written/g)).toHaveLength(1);
  expect(stdout + stderr).toContain("[GH_TOKEN]");
  expect(stdout + stderr).not.toContain(TOKEN);
});

it("a failed check of the service is in the request and the journal, and the request stays a draft until it passes", async () => {
  const shop = hostedShop("gh", "publish_checks = true\n");
  const checks = JSON.stringify([
    { name: "build", bucket: "pass" },
    { name: "e2e", bucket: "fail" },
  ]);
  const { code, stdout } = await shop.runWith({ REQUESTS_CHECKS: checks });
  expect(code).toBe(0);
  expect(stdout).toContain("checks failed on https://x/1: e2e");
  expect(shop.requests()[0]!.body).toContain("- e2e: failed");
  expect(shop.query("select count(*) as n from events where event = 'request-checks-failed'")).not.toEqual([
    { n: 0 },
  ]);
  expect(shop.requests()[0]).toMatchObject({ isDraft: true });
  const passing = JSON.stringify([{ name: "e2e", bucket: "pass" }]);
  expect(await shop.runWith({ REQUESTS_CHECKS: passing })).toMatchObject({ code: 0 });
  expect(shop.requests()[0]).toMatchObject({ isDraft: false });
});

it("a request that a person closed stays closed, and no other is opened", async () => {
  const shop = hostedShop("gh");
  await shop.run("--max-steps", "1");
  const closed = shop.requests().map((request) => ({ ...request, state: "CLOSED" }));
  writeFileSync(shop.path("requests.json"), JSON.stringify(closed));
  expect(await shop.run()).toMatchObject({ code: 0 });
  expect(shop.requests()).toEqual(closed);
});
