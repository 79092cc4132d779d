import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import type { NotifySettings } from "../../agents/settings/run-settings.ts";
import { NOTIFY_EVENTS, type NotifyEvent } from "../../domain/index.ts";
import { webPost } from "../../platform/os/web-post.ts";
import type { Ports } from "../../platform/ports/index.ts";
import { notifierOf } from "./notify.ts";
import type { RunAnswer } from "./run-answer.ts";

const KEY = "a key of the webhook";
const TOKEN = "ghp_0123456789abcdef";

interface Got {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver that answers with one status after the other, the last again and again. */
async function receiver(...statuses: readonly number[]) {
  const got: Got[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      response.statusCode = statuses[Math.min(got.length, statuses.length - 1)] ?? 200;
      got.push({ headers: request.headers, body });
      response.end();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?key=private` };
}

function world(settings: Partial<NotifySettings>) {
  const ran: (readonly string[])[] = [];
  const inputs: string[] = [];
  const slept: number[] = [];
  const ports = {
    post: async () => webPost({ PAWL_KEY: KEY }),
    newId: () => "one-id",
    repository: { mainTopLevel: "/repo", commonDir: "/repo/.git" },
    running: async () => ({
      secrets: () => ({ GITHUB_TOKEN: TOKEN }),
      sleep: async (ms: number) => void slept.push(ms),
    }),
    sandbox: async () => ({ tools: async () => ({ system: "linux" }) }),
    commands: async () => ({
      run: async (argv: readonly string[], { input }: { input: string }) => {
        ran.push(argv);
        inputs.push(input);
        return argv[0] === "missing" ? { ok: false, ending: "was not found on PATH" } : { ok: true };
      },
    }),
  } as unknown as Ports;
  const on = Object.keys(NOTIFY_EVENTS) as NotifyEvent[];
  const all = {
    on,
    desktop: false,
    command: undefined,
    webhook: undefined,
    secretEnv: undefined,
    ...settings,
  };
  const about = { planPath: "plan.md", runId: "r-1", waits: false };
  return { notifier: notifierOf(ports, all, about), ran, inputs, slept };
}

const ANSWER: Omit<RunAnswer, "warnings"> = {
  planPath: "plan.md",
  runId: "r-1",
  sessions: [],
  branch: "pawl/plan",
  ended: "all_completed",
  signal: null,
  completed: [],
  blocked: [],
  waiting: [],
  pausedUntil: null,
  because: null,
  resumeWith: null,
  toMerge: false,
  notVerified: null,
  usage: null,
  durationMs: 1,
};

const BLOCKED = { anchor: "step-1", title: "Dig", reason: "agent_failed", note: `it printed ${TOKEN}` };

describe("a webhook", () => {
  it("gets a signed message without any secret", async () => {
    const { got, url } = await receiver(200);
    const { notifier } = world({ webhook: url, secretEnv: "PAWL_KEY" });
    expect(await notifier.ended({ ...ANSWER, ended: "stuck", blocked: [BLOCKED] })).toEqual([]);
    const [{ headers, body }] = got as [Got];
    const signature = createHmac("sha256", KEY).update(body).digest("hex");
    expect(headers).toMatchObject({ "x-pawl-event": "needs-you", "x-pawl-signature": `sha256=${signature}` });
    expect(JSON.parse(body)).toMatchObject({
      event: "needs-you",
      blocked: [{ note: "it printed [GITHUB_TOKEN]" }],
    });
    expect(body).not.toContain(TOKEN);
  });

  it("is tried again while it may pass, under the same number", async () => {
    const { got, url } = await receiver(503, 429, 200);
    const { notifier, slept } = world({ webhook: url });
    expect(await notifier.ended(ANSWER)).toEqual([]);
    expect(got.map(({ headers }) => headers["x-pawl-delivery"])).toEqual(["one-id", "one-id", "one-id"]);
    expect(slept).toHaveLength(2);
  });

  it("that refuses is not asked again, and the warning does not hold its address", async () => {
    const { got, url } = await receiver(403);
    const [warning] = await world({ webhook: url }).notifier.ended(ANSWER);
    expect(got).toHaveLength(1);
    expect(warning).toMatch(
      /^The webhook at 127\.0\.0\.1:\d+ was not notified: it answered with status 403\.$/,
    );
    expect(warning).not.toContain("private");
  });

  it("without its key is not posted to", async () => {
    const { got, url } = await receiver(200);
    expect(await world({ webhook: url, secretEnv: "NO_KEY" }).notifier.ended(ANSWER)).toEqual([
      expect.stringContaining("the variable NO_KEY is not set"),
    ]);
    expect(got).toEqual([]);
  });
});

describe("what is notified of", () => {
  const eventsOf = async (answer: Partial<RunAnswer>, on?: readonly NotifyEvent[]) => {
    const { notifier, inputs } = world({ command: ["tell"], ...(on ? { on } : {}) });
    await notifier.ended({ ...ANSWER, ...answer });
    return inputs.map((input) => (JSON.parse(input) as { event: string }).event);
  };

  it("is the most particular event of an end", async () => {
    const limit = { scope: "run", kind: "cost", limit: 1, used: 2 } as const;
    expect(await eventsOf({})).toEqual(["ended"]);
    expect(await eventsOf({ ended: "paused" })).toEqual(["paused"]);
    expect(await eventsOf({ ended: "paused", limit })).toEqual(["budget"]);
    expect(await eventsOf({ ended: "halted" })).toEqual(["needs-you"]);
  });

  it("is only what was asked for; `ended` is every end", async () => {
    expect(await eventsOf({ ended: "halted" }, ["ended"])).toEqual(["ended"]);
    expect(await eventsOf({}, ["needs-you", "budget"])).toEqual([]);
  });

  it("is a blocked step at once, while the run continues", async () => {
    const { notifier, inputs } = world({ command: ["tell"], on: ["blocked"] });
    notifier.happened({ event: "blocked", step: "step-1", reason: "agent_failed", note: "it failed" });
    notifier.happened({ event: "completed", step: "step-2", commit: "0123" });
    await notifier.ended(ANSWER);
    expect(inputs.map((input) => JSON.parse(input))).toEqual([
      {
        event: "blocked",
        plan_path: "plan.md",
        run_id: "r-1",
        step: "step-1",
        reason: "agent_failed",
        note: "it failed",
      },
    ]);
  });

  it("is shown on the desktop with its words as arguments, and a failure is a warning", async () => {
    const { notifier, ran } = world({ desktop: true, command: ["missing"] });
    expect(await notifier.ended(ANSWER)).toEqual([
      "A notification could not be sent: missing was not found on PATH.",
    ]);
    expect(ran).toContainEqual([
      "notify-send",
      "--app-name=pawl",
      "--",
      "Pawl: plan.md is completed",
      "0 steps completed",
    ]);
  });
});
