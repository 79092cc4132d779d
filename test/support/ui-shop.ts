import type { ChildProcess } from "node:child_process";
import { type Browser, type BrowserContext, type Page } from "playwright-core";
import { onTestFinished } from "vitest";
import type { RunShop } from "./run-shop.ts";

/** The page's server as people start it, and how to talk to it without a browser. */
export interface UiServer {
  readonly child: ChildProcess;
  readonly port: number;
  readonly origin: string;
  /** Good for one window. */
  readonly link: string;
}

/** Starts `pawl ui` in a shop; it ends with the test. */
export const startUi = (shop: RunShop, ...options: readonly string[]): Promise<UiServer> =>
  listening(shop.start("ui", "--no-open", "--json", ...options).child);

/** Where a process that was just started serves the page. */
export async function listening(child: ChildProcess): Promise<UiServer> {
  const { port, link } = JSON.parse(await firstLine(child)) as {
    readonly port: number;
    readonly link: string;
  };
  return { child, port, link, origin: `http://127.0.0.1:${port}` };
}

const firstLine = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = "";
    child.stdout!.on("data", (part: string) => {
      text += part;
      if (text.includes("\n")) resolve(text.split("\n")[0]!);
    });
    child.once("exit", () => reject(new Error(`it ended: ${text}`)));
  });

/** Calls the server as the page does. */
export interface Caller {
  readonly token: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into every shape
  readonly get: (path: string) => Promise<{ readonly status: number; readonly body: any }>;
  readonly post: (
    path: string,
    body: object,
    // oxlint-disable-next-line typescript/no-explicit-any -- as above
  ) => Promise<{ readonly status: number; readonly body: any }>;
}

export async function enter({ origin, link }: Pick<UiServer, "origin" | "link">): Promise<Caller> {
  const ticket = link.split("#ticket=")[1]!;
  const json = { "Content-Type": "application/json", Origin: origin };
  const entered = await fetch(`${origin}/api/enter`, {
    method: "POST",
    headers: json,
    body: JSON.stringify({ ticket }),
  });
  const { data } = (await entered.json()) as { readonly data: { readonly token: string } };
  const known = { Authorization: `Bearer ${data.token}` };
  const read = async (response: Response) => ({ status: response.status, body: await response.json() });
  return {
    token: data.token,
    get: async (path) => read(await fetch(`${origin}${path}`, { headers: known })),
    post: async (path, body) =>
      read(
        await fetch(`${origin}${path}`, {
          method: "POST",
          headers: { ...json, ...known },
          body: JSON.stringify(body),
        }),
      ),
  };
}

export interface Window {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the browser complained about: scripts that failed, rules of the page that were broken. */
  readonly complaints: string[];
  readonly go: (...parts: readonly string[]) => Promise<void>;
}

/** Opens the page in a window of its own, closed with the test. */
export async function openWindow(
  browser: Browser,
  link: string,
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<Window> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 820 }, ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    // Refusals and servers that are gone are what some tests are about.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      complaints.push(message.text());
  });
  await page.goto(link);
  return {
    page,
    context,
    complaints,
    go: (...parts) => moveTo(page, `#/${parts.map(encodeURIComponent).join("/")}`),
  };
}

/** As a person does who changes the address; as text, because tests know nothing of browsers' own names. */
export const moveTo = async (page: Page, hash: string): Promise<void> =>
  void (await page.evaluate(`location.hash = ${JSON.stringify(hash)}`));

/** A link of its own, asked for by a window that is in. */
export const oneMoreLink = (page: Page): Promise<string> =>
  page.evaluate(`fetch("/api/ticket", {
    method: "POST",
    headers: {
      Authorization: "Bearer " + sessionStorage.getItem("pawl-token"),
      "Content-Type": "application/json",
    },
    body: "{}",
  })
    .then((response) => response.json())
    .then(({ data }) => location.origin + "/#ticket=" + data.ticket)`);
