import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { redactor } from "./redact.ts";
import { serverForAgents } from "./server-for-agents.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "pawl-servers-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const kept = (state: string): readonly string[] =>
  existsSync(join(state, "servers")) ? readdirSync(join(state, "servers")) : [];

const shown = (secrets: Readonly<Record<string, string>>, text: string): string => {
  const { push, end } = redactor(secrets);
  return Buffer.concat([push(Buffer.from(text)), end()]).toString();
};

const OPEN = "postgres://me@db/state";
const CLOSED = "postgres://me:choose%20one%21@db/state";

test("a URL in a variable is handed on, with its password only in a file of ours", () => {
  const state = folder();
  expect(serverForAgents({ env: { PAWL_DATABASE_URL: OPEN }, url: OPEN }, state).variables).toEqual({
    PAWL_DATABASE_URL: OPEN,
  });
  const { variables } = serverForAgents({ env: { PAWL_DATABASE_URL: CLOSED }, url: CLOSED }, state);
  const path = variables["PAWL_DATABASE_URL_FILE"]!;
  expect(Object.keys(variables)).toEqual(["PAWL_DATABASE_URL_FILE"]);
  expect(readFileSync(path, "utf8").trim()).toBe(CLOSED);
  expect(statSync(path).mode & 0o077).toBe(0);
});

test("what stands in the settings or in a file is found without us, and is a secret all the same", () => {
  const state = folder();
  const { variables, secrets } = serverForAgents({ env: {}, url: CLOSED }, state);
  expect([variables, kept(state)]).toEqual([{}, []]);
  expect(shown(secrets, "password: choose one!\n")).not.toContain("choose one!");
});

test("a password in PGPASSWORD goes into a file, wherever the URL is", () => {
  const state = folder();
  const { variables } = serverForAgents({ env: { PGPASSWORD: "hush & s3cret" }, url: OPEN }, state);
  const url = new URL(readFileSync(variables["PAWL_DATABASE_URL_FILE"]!, "utf8"));
  expect(url.searchParams.get("password")).toBe("hush & s3cret");
});

test.each([
  [{ PAWL_DATABASE_URL: CLOSED }, CLOSED, "choose one!"],
  [{ PGPASSWORD: "hush & s3cret" }, OPEN, "hush & s3cret"],
  [{}, "postgres://db/state?user=me&password=tell%2Fnobody", "tell/nobody"],
])("neither form of the password stays in a log (%o)", (env, url, password) => {
  const state = folder();
  const { variables, secrets } = serverForAgents({ env, url }, state);
  const path = variables["PAWL_DATABASE_URL_FILE"];
  const text = shown(secrets, `${path ? readFileSync(path, "utf8") : url}\n${password}\n`);
  expect(text).toContain("db/state");
  for (const piece of password.match(/[a-z0-9]+/g)!) expect(text).not.toContain(piece);
});
