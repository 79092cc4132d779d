import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserForTests } from "../support/browser.ts";
import { pawl } from "../support/cli.ts";
import { planText } from "../support/plans.ts";
import { GOOD, type RunShop, runShop, untilWritten } from "../support/run-shop.ts";
import { seededRandom } from "../support/random.ts";
import { atTerminal } from "../support/terminal.ts";
import { enter, openWindow, startUi, type UiServer } from "../support/ui-shop.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await browserForTests();
});
afterAll(() => browser.close());

/** Sends bytes as they are and gives back the first line of the answer; empty when the line was cut. */
const raw = (port: number, text: string): Promise<string> =>
  new Promise((resolve) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    const end = () => {
      socket.destroy();
      resolve(answer.split("\r\n")[0]!);
    };
    socket.setTimeout(4000, end);
    socket.on("data", (part) => {
      answer += String(part);
      if (answer.includes("\r\n\r\n")) end();
    });
    socket.on("error", end).on("close", end);
  });

interface Tried {
  readonly name: string;
  readonly text: string;
  /** Statuses that turn it away; an empty line is a connection that was cut. */
  readonly refused: RegExp;
}

const ACT = JSON.stringify({
  action: "hold",
  plan: "plan.md",
  step: "step-1",
  version: "pending:0",
  request_id: "evil",
});

interface Shape {
  readonly method?: string;
  readonly path?: string;
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  readonly token?: string | undefined;
  readonly type?: string;
  readonly more?: readonly string[];
  readonly body?: string;
}

const requestFor = (shape: Shape): string => {
  const { method = "POST", path = "/api/act", type = "application/json", body = ACT } = shape;
  return [
    `${method} ${path} HTTP/1.1`,
    ...(shape.host === undefined ? [] : [`Host: ${shape.host}`]),
    ...(shape.origin === undefined ? [] : [`Origin: ${shape.origin}`]),
    ...(shape.token === undefined ? [] : [`Authorization: Bearer ${shape.token}`]),
    `Content-Type: ${type}`,
    ...(shape.more ?? []),
    `Content-Length: ${Buffer.byteLength(body)}`,
    "",
    body,
  ].join("\r\n");
};

/** Everything that is not the page, in every way we know of. */
function hostileRequests({ port }: UiServer, token: string): readonly Tried[] {
  const host = `127.0.0.1:${port}`;
  const origin = `http://${host}`;
  const good = { host, origin, token };
  const tries: Tried[] = [];
  const add = (name: string, refused: RegExp, shape: Shape) =>
    tries.push({ name, refused, text: requestFor({ ...good, ...shape }) });
  const hosts = [
    "evil.example",
    `evil.example:${port}`,
    "127.0.0.1",
    "localhost",
    `127.0.0.1:${port + 1}`,
    `0.0.0.0:${port}`,
    `127.1:${port}`,
    `2130706433:${port}`,
    `LOCALHOST:${port}`,
    `127.0.0.1.evil.example:${port}`,
    `127.0.0.1:${port}.evil.example`,
    `user@127.0.0.1:${port}`,
    `[::1]:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    "",
    " ",
    `${host}, evil.example`,
    `localhost.:${port}`,
    `127.0.0.1:${port}/`,
    `127.0.0.1:0${port}`,
  ];
  for (const one of hosts) {
    add(`host ${one}`, /400|421|^$/, { host: one });
    add(`page for host ${one}`, /400|421|^$/, { host: one, method: "GET", path: "/", body: "" });
  }
  add("no host", /400|421|^$/, { host: undefined });
  add("two hosts", /400|421|^$/, { more: ["Host: evil.example"] });
  const origins = [
    "null",
    "http://evil.example",
    `https://${host}`,
    `http://evil.example:${port}`,
    "http://127.0.0.1",
    "http://localhost",
    `http://127.0.0.1:${port + 1}`,
    `http://${host}.evil.example`,
    `http://evil.example#${host}`,
    "file://",
    `http://${host}/`,
    "http://[::1]",
    `HTTP://${host.toUpperCase()}x`,
    "chrome-extension://abcdef",
    `http://user@${host}`,
    undefined,
  ];
  for (const one of origins) {
    add(`origin ${one}`, /403/, { origin: one });
    if (one !== undefined)
      add(`reading from ${one}`, /403/, { origin: one, method: "GET", path: "/api/overview", body: "" });
  }
  for (const site of ["cross-site", "same-site", "none", "", "Same-Origin "]) {
    add(`fetched ${site}`, /403|401|^$/, {
      more: [`Sec-Fetch-Site: ${site}`],
      ...(site.trim().toLowerCase() === "same-origin" ? { token: "x" } : {}),
    });
    add(`read ${site}`, /403|401|^$/, {
      more: [`Sec-Fetch-Site: ${site}`],
      method: "GET",
      path: "/api/steps?plan=plan.md",
      body: "",
      ...(site.trim().toLowerCase() === "same-origin" ? { token: "x" } : {}),
    });
  }
  const tokens = [
    undefined,
    "",
    "x",
    "null",
    "undefined",
    token.slice(0, -1),
    `${token}x`,
    token.toUpperCase(),
    token.split("").reverse().join(""),
    "../../etc/passwd",
    "a".repeat(5000),
    `${token},${token}`,
  ];
  for (const one of tokens)
    for (const path of ["/api/act", "/api/overview", "/api/live", "/api/ticket"])
      add(`token ${String(one).slice(0, 12)} at ${path}`, /401|403|429|400|431|^$/, {
        token: one,
        path,
        method: path === "/api/act" || path === "/api/ticket" ? "POST" : "GET",
      });
  for (const more of [
    `Cookie: token=${token}`,
    `Cookie: pawl-token=${token}`,
    `X-Token: ${token}`,
    `Authorization: Basic ${Buffer.from(`:${token}`).toString("base64")}`,
  ])
    add(more.slice(0, 24), /401|403|429/, { token: undefined, more: [more] });
  add("token in the address", /401|429/, {
    token: undefined,
    path: `/api/act?token=${token}&access_token=${token}`,
  });
  const types = [
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain",
    "text/plain; application/json",
    "",
    "application/json-patch+json",
    "text/json",
    "application/xml",
  ];
  for (const type of types) add(`type ${type}`, /415|400/, { type });
  const bodies = [
    "",
    "{",
    "[]",
    "null",
    "1",
    '"x"',
    "action=hold&plan=plan.md",
    '{"__proto__":{"action":"hold"}}',
    `${ACT}${ACT}`,
    "\0",
    JSON.stringify({ action: ["hold"] }),
    JSON.stringify({ action: "hold", version: {}, request_id: [] }),
    JSON.stringify({
      action: "hold",
      plan: "plan.md\0",
      step: "step-1",
      version: "pending:0",
      request_id: "x",
    }),
    JSON.stringify({ action: "constructor", plan: "plan.md", version: "x", request_id: "x" }),
    JSON.stringify({ ...JSON.parse(ACT), version: "completed:99" }),
    JSON.stringify({ ...JSON.parse(ACT), version: "pending:1e3" }),
    JSON.stringify({ ...JSON.parse(ACT), plan: "../../../etc/passwd" }),
    JSON.stringify({ ...JSON.parse(ACT), plan: "/etc/passwd" }),
    JSON.stringify({ ...JSON.parse(ACT), step: "x'; drop table steps; --" }),
    JSON.stringify({ ...JSON.parse(ACT), step: "--force" }),
  ];
  for (const body of bodies) add(`body ${body.slice(0, 40)}`, /400|404|409|415/, { body });
  for (const method of [
    "GET",
    "PUT",
    "DELETE",
    "PATCH",
    "OPTIONS",
    "TRACE",
    "HEAD",
    "CONNECT",
    "PROPFIND",
    "FOO",
  ])
    add(`method ${method}`, /400|405|^$/, { method });
  const paths = [
    "/../../../etc/passwd",
    "/..%2f..%2fetc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/page/../index.html",
    "//etc/passwd",
    "/.git/config",
    "/pawl.svg/../../pawl.cjs",
    "/index.html.br",
    "/api",
    "/api/",
    "/api/../api/act",
    "/api//act",
    "/api/act/",
    "/api/act%00",
    "/API/ACT",
    "/api/act;x=1",
    "http://evil.example/api/act",
    "/state.db",
    "/\\..\\..\\etc\\passwd",
    "/api/output?id=../../etc/passwd&command=1",
    "/api/commit?hash=--output=/tmp/x",
    "/api/commit?hash=HEAD",
    "/api/changes?commit=--output=/tmp/x",
    "/api/changes?kept=refs/heads/main",
    "/api/changes?kept=refs/pawl/../heads/main",
    "/api/changes?worktree=/etc",
    "/api/transcript?id=../../etc/passwd&command=1",
    "/api/transcript?id=s-1&before=-1",
    "/api/steps?plan=../../../etc/passwd",
    "/api/steps?plan=%00",
    "/api/journal?before=-1",
    "/api/journal?before=1e9",
    "/api/preview?action=hold&plan=/etc/passwd&step=x",
  ];
  for (const path of paths)
    add(`path ${path}`, /400|403|404|405|409|^$/, {
      path,
      method: path.includes("?") ? "GET" : "POST",
      ...(path.includes("?") ? { body: "" } : {}),
    });
  add("a large body", /413|^$/, { body: JSON.stringify({ action: "x".repeat(200_000) }) });
  add("large headers", /431|400|^$/, { more: [`X-Large: ${"x".repeat(40_000)}`] });
  tries.push({
    name: "two lengths",
    refused: /400|^$/,
    text: `POST /api/act HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  });
  tries.push({
    name: "websocket",
    refused: /^$|4\d\d/,
    text: `GET /api/live HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://evil.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==\r\nSec-WebSocket-Version: 13\r\n\r\n`,
  });
  for (const text of [
    "\0\0\0\0",
    "GET",
    "GET / HTTP/9.9\r\n\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "\x16\x03\x01\x02\x00",
    `GET / HTTP/1.1\nHost: evil\n\n`,
    "* * *\r\n\r\n",
  ])
    tries.push({ name: `noise ${JSON.stringify(text)}`, refused: /^$|4\d\d/, text });
  return tries;
}

const stateOf = (shop: RunShop): string =>
  JSON.stringify([
    shop.query("select anchor, status, claim_seq from steps"),
    shop.query("select count(*) as n from events"),
  ]);

describe("hostile calls", () => {
  it("two hundred and more of them, by raw sockets, change nothing and learn nothing", async () => {
    const shop = runShop();
    shop.json("state", "init", "plan.md");
    const server = await startUi(shop);
    const { token, get } = await enter(server);
    const before = stateOf(shop);
    const tries = hostileRequests(server, token);
    expect(tries.length).toBeGreaterThan(200);
    const wrong: string[] = [];
    for (let start = 0; start < tries.length; start += 20)
      await Promise.all(
        tries.slice(start, start + 20).map(async ({ name, text, refused }) => {
          const line = await raw(server.port, text);
          const status = line.split(" ")[1] ?? "";
          if (!refused.test(status) && status !== "429") wrong.push(`${name}: ${line}`);
        }),
      );
    expect(wrong).toEqual([]);
    expect(stateOf(shop)).toBe(before);
    const { status } = await get("/api/overview");
    expect(status).toBe(200);
  });

  it("those that are slow, and streams without end, do not keep the page from others", async () => {
    const shop = runShop();
    shop.json("state", "init", "plan.md");
    const server = await startUi(shop);
    const { token, get } = await enter(server);
    const slow = Array.from({ length: 40 }, () => {
      const socket = connect(server.port, "127.0.0.1", () =>
        socket.write("POST /api/act HTTP/1.1\r\nHost: x"),
      );
      socket.on("error", () => undefined);
      return new Promise<void>((closed) => socket.on("close", () => closed()));
    });
    const streams = await Promise.all(
      Array.from({ length: 40 }, () =>
        fetch(`${server.origin}/api/live`, { headers: { Authorization: `Bearer ${token}` } }),
      ),
    );
    expect(streams.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(24);
    expect(streams.some(({ status }) => status === 429)).toBe(true);
    expect((await get("/api/overview")).status).toBe(200);
    // They are cut off by the server's own limit.
    await Promise.all(slow);
    for (const { body } of streams) await body?.cancel();
    const { body } = await get("/api/server");
    expect(body.data.resident_bytes).toBeLessThan(400 * 1024 * 1024);
  });

  it("a link works once, and nothing of it is in the environment of agents or in what processes show", async () => {
    const shop = runShop();
    shop.json("state", "init", "plan.md");
    const server = await startUi(shop);
    await enter(server);
    const again = await fetch(`${server.origin}/api/enter`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: server.origin },
      body: JSON.stringify({ ticket: server.link.split("#ticket=")[1] }),
    });
    expect(again.status).toBe(401);
    expect(await again.text()).toContain("E244");
    for (const name of ["environ", "cmdline"])
      expect(readFileSync(`/proc/${server.child.pid}/${name}`, "utf8")).not.toMatch(/ticket|Bearer/);
  });

  it("the file that opens a browser is read by its owner only, and gone once its ticket was used", async () => {
    const shop = runShop();
    shop.json("state", "init", "plan.md");
    const programs = shop.path("programs");
    const opened = shop.path("opened");
    mkdirSync(programs);
    const opener = '#!/bin/sh\nprintf %s "$1" > "$OPENED.new" && mv "$OPENED.new" "$OPENED"\n';
    writeFileSync(join(programs, "xdg-open"), opener, { mode: 0o755 });
    const env = {
      ...shop.env,
      OPENED: opened,
      DISPLAY: ":9",
      PATH: `${programs}:${process.env["PATH"] ?? ""}`,
    };
    const terminal = atTerminal({ cwd: shop.repo.path, env }, "ui");
    await untilWritten(opened);
    const file = readFileSync(opened, "utf8");
    expect(statSync(file).mode & 0o077).toBe(0);
    const [, link = ""] = /url=([^"]+)"/.exec(readFileSync(file, "utf8")) ?? [];
    const { origin } = new URL(link);
    const { token } = await enter({ origin, link });
    expect(token).not.toBe("");
    expect(existsSync(dirname(file))).toBe(false);
    terminal.press("\u0003");
    await terminal.ended;
  });

  it("a page does not start where a session is", () => {
    const shop = runShop();
    const inside = { cwd: shop.repo.path, env: { PAWL_SESSION: "s-agent" } };
    const { code, stderr } = pawl(inside, "ui", "--no-open");
    expect(code).toBe(4);
    expect(stderr).toContain("E077");
  });

  it("reading only is reading only", async () => {
    const shop = runShop();
    shop.json("state", "init", "plan.md");
    const { get, post } = await enter(await startUi(shop, "--read-only"));
    const { body } = await get("/api/preview?action=hold&plan=plan.md&step=step-1");
    const acted = await post("/api/act", {
      action: "hold",
      plan: "plan.md",
      step: "step-1",
      version: body.data.version,
      request_id: "x",
    });
    expect(acted.status).toBe(403);
    expect(acted.body.issues[0]).toMatchObject({ code: "E241" });
    expect(shop.steps()[0]).toBe("step-1 pending");
  });
});

const PARTS = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg onload=alert(1)>",
  "javascript:alert(1)",
  '"><script>alert(1)</script>',
  "'-alert(1)-'",
  "{{constructor.constructor('alert(1)')()}}",
  "${alert(1)}",
  "</title><script>alert(1)</script>",
  "<iframe srcdoc='<script>parent.alert(1)</script>'>",
  '<math><mi//xlink:href="data:x,<script>alert(1)</script>">',
  "<a href=javascript:alert(1)>x</a>",
  "<style>*{display:none}</style>",
  "<base href=//evil.example>",
  "<meta http-equiv=refresh content=0;url=//evil.example>",
  "<form action=//evil.example><button>x</button></form>",
  "\u202egnp.exe",
  "\u200b\u200d\ufeff",
  "]]>",
  "<!--",
  "&lt;script&gt;",
  "%3Cscript%3E",
  "\\u003cscript\\u003e",
  "__proto__",
  "constructor",
  "a".repeat(2000),
  "𓀀".repeat(60),
  "e\u0301\u0301\u0301\u0301\u0301".repeat(40),
  "<object data=x>",
  "<details open ontoggle=alert(1)>",
];

describe("hostile titles", () => {
  it("five hundred of them are text in every view, and run nothing", async () => {
    const random = seededRandom(7);
    const titles = Array.from({ length: 500 }, (_, index) =>
      `${index} ${PARTS[random.below(PARTS.length)]} ${PARTS[random.below(PARTS.length)]}`.replaceAll(
        "\n",
        " ",
      ),
    );
    const shop = runShop();
    shop.repo.write(
      "evil-plan.md",
      planText(
        titles.map((title, index) => ({
          number: String(index + 1),
          title,
          tasks: [PARTS[index % PARTS.length]!],
        })),
        "<script>alert('phase')</script>",
      ),
    );
    const saved = shop.json("state", "init", "evil-plan.md");
    expect(saved.issues).toEqual([]);
    shop.json("state", "hold", "evil-plan.md", "step-1", "--reason", "<img src=x onerror=alert(1)>");
    const { link } = await startUi(shop);
    const { page, go, complaints, context } = await openWindow(browser, link);
    const strays: string[] = [];
    context.on("request", (request) => {
      if (!request.url().startsWith(new URL(link).origin)) strays.push(request.url());
    });
    page.on("dialog", (dialog) => {
      strays.push(dialog.message());
      void dialog.dismiss();
    });
    await page.waitForSelector(".card.plan");
    for (const way of ["board", "list", "graph"]) {
      await go("plan", "evil-plan.md", way);
      await page.waitForSelector(way === "graph" ? ".graph canvas" : "[data-anchor]");
      const box = way === "graph" ? undefined : page.locator(".windowed").first();
      for (let round = 0; round < 25; round += 1) {
        await box?.evaluate((element: { scrollTop: number }) => void (element.scrollTop += 800));
        await page.waitForTimeout(10);
      }
    }
    for (let number = 1; number <= PARTS.length; number += 1) {
      await go("plan", "evil-plan.md", "step", `step-${number}`);
      await page.waitForSelector(`.crumbs:has-text("step-${number}")`);
    }
    await go("journal");
    await page.waitForSelector(".event-line");
    await go();
    await page.waitForSelector("[data-rule='step-on-hold']");
    const planted = await page.evaluate(
      `document.querySelectorAll("#page script, #page img, #page iframe, #page base, #page meta, #page form, #page object, #page style, #page math").length`,
    );
    expect(planted).toBe(0);
    expect(strays).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("that act on how a line reads are shown without what acts, in words and in what is read aloud", async () => {
    const acting = "\u202egnp.exe\u2066 \u200bhidden\u2069 \ufeffdone";
    const shop = runShop([{ number: "1", title: `Title ${acting}`, tasks: [`Task ${acting}`] }]);
    shop.script({ steps: { "step-1": [[{ say: `Output ${acting}` }, ...GOOD]] } });
    expect((await shop.run()).code).toBe(0);
    shop.json("state", "reopen", "plan.md", "step-1", "--reason", `Reason ${acting}`);
    const [session] = shop.query("select id from sessions");
    const { page, go } = await openWindow(browser, (await startUi(shop)).link);
    const places: readonly (readonly [string, ...string[]])[] = [
      ["Title", "plan", "plan.md", "board"],
      ["Title", "plan", "plan.md", "list"],
      ["Title", "plan", "plan.md", "graph"],
      ["Task", "plan", "plan.md", "step", "step-1"],
      ["Reason", "journal"],
      ["Output", "sessions", String(session!["id"])],
    ];
    for (const [word, ...place] of places) {
      await go(...place);
      await page.waitForSelector(`text=${word} \ufffdgnp.exe\ufffd \ufffdhidden`);
      const shown = String(await page.evaluate(`document.title + document.documentElement.outerHTML`));
      expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\ufeff]/);
    }
  });
});
