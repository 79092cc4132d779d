import { chmodSync, chownSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client } from "pg";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Envelope, pawlAsync } from "../support/cli.ts";
import { SMALL_PLAN } from "../support/plans.ts";
import { testRepository, type TestRepository } from "../support/repository.ts";
import { selfSigned } from "./self-signed.ts";
import { freshId, schemaOf, ownServer, urlWith } from "./shared-server.ts";

const shared = ownServer();
const SECRET = "hush-s3cret";
let repository: TestRepository;

beforeAll(async () => {
  repository = testRepository();
  repository.write("plan.md", SMALL_PLAN);
  await shared.ask(`create role worker login password '${SECRET}'`);
  await shared.ask(`create role reader login superuser password '${SECRET}'`);
  await shared.ask("alter role reader set default_transaction_read_only = on");
  await shared.ask(`create role lonely login password '${SECRET}' connection limit 1`);
  return () => repository.remove();
});

const as = (username: string, part: Parameters<typeof urlWith>[1] = {}): string =>
  urlWith(shared.url, { username, password: SECRET, ...part });

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** Runs a command in every way it can talk, and looks for the password in all of it. */
async function refusalOf(url: string, ...args: readonly string[]): Promise<Refusal> {
  const env = { PAWL_DATABASE_URL: url, PAWL_REPOSITORY_ID: freshId(), PAWL_DEBUG: "1" };
  const words = args.length > 0 ? args : ["state", "init", "plan.md"];
  const [text, json, doctor] = await Promise.all([
    pawlAsync({ cwd: repository.path, env }, ...words),
    pawlAsync({ cwd: repository.path, env }, ...words, "--json"),
    pawlAsync({ cwd: repository.path, env }, "doctor", "--json"),
  ]);
  for (const run of [text, json, doctor]) {
    expect(run.stdout + run.stderr).not.toContain(SECRET);
    expect(run.stdout + run.stderr).not.toContain("pawl-test-secret");
    expect(run.stdout + run.stderr).not.toMatch(/\n\s+at |"at |Warning/);
  }
  expect([text.code, json.code], text.stderr).toEqual([3, 3]);
  const [issue] = (JSON.parse(json.stdout) as Envelope).issues;
  expect(text.stderr).toContain(issue!.message);
  expect(issue!.hint).not.toBe("");
  return { code: issue!.code, message: issue!.message, hint: issue!.hint };
}

const at = (database = "postgres") => `postgres://127.0.0.1:${shared.server.port}/${database}`;

describe("what stands between a person and the server is said", () => {
  test("no server listens there", async () => {
    const { code, message } = await refusalOf(as("worker", { port: "1" }));
    expect([code, message]).toEqual(["E088", "postgres://127.0.0.1:1/postgres: nothing listens there."]);
  });

  test("the host name is unknown", async () => {
    const { code, message } = await refusalOf(as("worker", { hostname: "no-such-host.invalid" }));
    expect(code).toBe("E088");
    expect(message).toMatch(/the host name (is unknown|cannot be looked up now)\.$/);
  });

  test("the password is wrong", async () => {
    const { code, message } = await refusalOf(as("worker", { password: `not-${SECRET}` }));
    expect([code, message]).toEqual(["E046", `${at()}: the password is wrong.`]);
  });

  test("a password is missing", async () => {
    const { code, message, hint } = await refusalOf(as("worker", { password: "" }));
    expect([code, message]).toEqual(["E046", `${at()}: the server asks for a password, and none was given.`]);
    expect(hint).toContain("PGPASSWORD");
  });

  test("there is no such database", async () => {
    const { code, message } = await refusalOf(as("worker", { pathname: "/nowhere" }));
    expect(code).toBe("E046");
    expect(message).toBe(`${at("nowhere")}: there is no such database (database "nowhere" does not exist).`);
  });

  test("the role may not make a schema", async () => {
    const { code, message, hint } = await refusalOf(as("worker"));
    expect(code).toBe("E046");
    expect(message).toContain("lacks a right that Pawl needs (permission denied for database postgres)");
    expect(hint).toContain("docs/many-machines.md");
  });

  test("the role may not read the repository's tables", async () => {
    const id = freshId();
    const init = await pawlAsync(
      { cwd: repository.path, env: { PAWL_DATABASE_URL: shared.url, PAWL_REPOSITORY_ID: id } },
      "state", "init", "plan.md",
    ); // oxfmt-ignore
    expect(init.code, init.stderr).toBe(0);
    const run = await pawlAsync(
      { cwd: repository.path, env: { PAWL_DATABASE_URL: as("worker"), PAWL_REPOSITORY_ID: id } },
      "state", "show", "plan.md",
    ); // oxfmt-ignore
    expect(run.code).toBe(3);
    expect(run.stderr).toContain(`permission denied for schema ${schemaOf(id)}`);
  });

  test("the server only takes reads", async () => {
    const { code, message, hint } = await refusalOf(as("reader"));
    expect([code, message]).toEqual(["E070", `${at()}: the server only takes reads.`]);
    expect(hint).toContain("primary");
  });

  test("the server has no room for more connections", async () => {
    const holder = new Client({ connectionString: as("lonely") });
    await holder.connect();
    onTestFinished(() => holder.end());
    const { code, message } = await refusalOf(as("lonely"));
    expect(code).toBe("E088");
    expect(message).toContain("no room for more connections (too many connections for role");
  });

  test("the server offers no encryption, and the URL asks for it", async () => {
    for (const mode of ["require", "verify-full"]) {
      const { code, message } = await refusalOf(as("worker", { search: `?sslmode=${mode}` }));
      expect([code, message]).toEqual([
        "E046",
        `${at()}: the server offers no encryption, and the database URL asks for it.`,
      ]);
    }
  });

  test("the URL is none, or holds a password that is not escaped", async () => {
    expect((await refusalOf(`just-${SECRET}`)).message).toBe("The database URL is not a postgres:// URL.");
    const { code, message } = await refusalOf(`postgres://u:77#${SECRET}@127.0.0.1/x`);
    expect(code).toBe("E046");
    expect(message).toBe("The database URL holds a character that must be escaped.");
  });

  test("the URL in the settings is as secret as that in the environment", async () => {
    const configured = testRepository();
    onTestFinished(configured.remove);
    configured.write("plan.md", SMALL_PLAN);
    configured.write("pawl.toml", `database_url = "${as("worker", { password: `not-${SECRET}` })}"\n`);
    const wrong = await pawlAsync({ cwd: configured.path }, "state", "init", "plan.md", "--json");
    expect(wrong.code).toBe(3);
    expect((JSON.parse(wrong.stdout) as Envelope).issues[0]!.message).toContain("the password is wrong");
    configured.write("pawl.toml", `database_url = "${as("worker")}\nremote = 1`);
    const broken = await pawlAsync({ cwd: configured.path }, "state", "init", "plan.md");
    expect(broken.code).toBe(2);
    for (const run of [wrong, broken]) expect(run.stdout + run.stderr).not.toContain(SECRET);
  });
});

describe("an encrypted connection", () => {
  test("is checked as the URL says", async () => {
    const [{ data }] = (await shared.ask<{ data: string }>("show data_directory")).map((row) => ({
      data: (row as unknown as { data_directory: string }).data_directory,
    })) as [{ data: string }];
    const folder = dirname(data);
    const { certificate, key } = selfSigned([127, 0, 0, 1]);
    const paths = { certificate: join(folder, "server.pem"), key: join(folder, "server.key") };
    writeFileSync(paths.certificate, certificate);
    writeFileSync(paths.key, key);
    chmodSync(paths.key, 0o600);
    if (process.getuid?.() === 0) for (const path of Object.values(paths)) chownSync(path, 65_534, 65_534);
    await shared.ask(`alter system set ssl_cert_file = '${paths.certificate}'`);
    await shared.ask(`alter system set ssl_key_file = '${paths.key}'`);
    await shared.ask("alter system set ssl = on");
    await shared.ask("select pg_reload_conf()");
    await expect.poll(() => shared.ask("show ssl")).toEqual([{ ssl: "on" }]);

    const encryption = async (search: string, part: Parameters<typeof urlWith>[1] = {}) => {
      const env = {
        PAWL_DATABASE_URL: urlWith(shared.url, { search, ...part }),
        PAWL_REPOSITORY_ID: freshId(),
      };
      const init = await pawlAsync({ cwd: repository.path, env }, "state", "init", "plan.md", "--json");
      const envelope = JSON.parse(init.stdout) as Envelope;
      if (envelope.status === "error") return envelope.issues[0]!.message.replace(/^\S+ /, "");
      const doctor = await pawlAsync({ cwd: repository.path, env }, "doctor", "--json");
      const checks = (JSON.parse(doctor.stdout) as Envelope).data["checks"] as {
        name: string;
        details: { encryption: string };
      }[];
      expect(init.stderr + doctor.stderr).toBe("");
      return checks.find(({ name }) => name === "state_db")?.details.encryption;
    };
    const ca = `sslrootcert=${encodeURIComponent(paths.certificate)}`;
    expect(await encryption("")).toBe("none");
    expect(await encryption("?sslmode=disable")).toBe("none");
    expect(await encryption("?sslmode=require")).toMatch(/^TLSv1/);
    expect(await encryption("?sslmode=verify-full")).toBe("the server's certificate is not trusted.");
    expect(await encryption(`?sslmode=verify-full&${ca}`)).toMatch(/^TLSv1/);
    expect(await encryption(`?sslmode=verify-full&${ca}`, { hostname: "localhost" })).toBe(
      "the server's certificate does not fit its name.",
    );
    expect(await encryption(`?sslmode=verify-ca&${ca}`, { hostname: "localhost" })).toMatch(/^TLSv1/);
  });
});

// proves G-secrets-stay-secret
describe("the password", () => {
  test("is not handed to git, nor shown in the list of processes", async () => {
    const home = testRepository();
    onTestFinished(home.remove);
    home.write("plan.md", SMALL_PLAN);
    home.git("add", "-A");
    home.git("commit", "-q", "-m", "plan");
    const seen = join(home.path, "seen");
    const bin = home.write(
      "bin/git",
      `#!/bin/sh\n{ env; echo "$@"; cat /proc/$PPID/cmdline /proc/$PPID/comm; } >> ${seen}\nexec ${realGit()} "$@"\n`,
    );
    chmodSync(bin, 0o755);
    const env = {
      PAWL_DATABASE_URL: shared.url,
      PGPASSWORD: SECRET,
      PATH: `${dirname(bin)}:${process.env["PATH"] ?? ""}`,
    };
    for (const words of [
      ["state", "init", "plan.md"],
      ["state", "claim", "plan.md", "--worktree", "."],
      ["state", "start", "plan.md", "step-0", "--worktree", "."],
      [
        "state",
        "complete",
        "plan.md",
        "step-0",
        "--worktree",
        ".",
        "--commit",
        home.git("rev-parse", "HEAD"),
        "--force",
        "test",
      ],
      ["state", "claim", "plan.md", "--worktree", "."],
      ["state", "reconcile", "plan.md"],
      ["doctor"],
    ]) {
      const run = await pawlAsync({ cwd: home.path, env }, ...words);
      expect(run.code, run.stderr).toBe(0);
      expect(run.stdout + run.stderr).not.toContain("pawl-test-secret");
    }
    expect(existsSync(seen)).toBe(true);
    const text = readFileSync(seen, "utf8");
    expect(text.match(/^PATH=/gm)!.length).toBeGreaterThan(3);
    expect(text).not.toContain("pawl-test-secret");
    expect(text).not.toContain(SECRET);
  });

  test("is not in what doctor tells people of the server, before and after there is state", async () => {
    const env = { PAWL_DATABASE_URL: shared.url, PAWL_REPOSITORY_ID: freshId() };
    const doctor = async () => {
      const { stdout } = await pawlAsync({ cwd: repository.path, env }, "doctor");
      expect(stdout).not.toContain("pawl-test-secret");
      return stdout.replaceAll(/\s+/g, " ");
    };
    const before = await doctor();
    expect(before).toContain(`makes the database on ${at()}.`);
    expect(before).toMatch(
      /Server \d+\S*.*, [\d.]+ ms away, .*; clocks differ by -?\d+ ms; \w+ may make the schema\./,
    );
    await pawlAsync({ cwd: repository.path, env }, "state", "init", "plan.md");
    expect(await doctor()).toMatch(
      /opens \(postgres\w*\)\. Server \d+\S*.*, [\d.]+ ms away, (not encrypted|encrypted with \S+); clocks differ by -?\d+ ms; \w+ may change the schema\./,
    );
  });

  test("may stand in PostgreSQL's own file instead of the URL", async () => {
    const id = freshId();
    const file = join(repository.path, "pgpass");
    writeFileSync(file, `# a comment\n*:${shared.server.port}:postgres:pawl:pawl-test-secret\n`, {
      mode: 0o600,
    });
    const env = {
      PAWL_DATABASE_URL: urlWith(shared.url, { password: "" }),
      PAWL_REPOSITORY_ID: id,
      PGPASSFILE: file,
    };
    const run = await pawlAsync({ cwd: repository.path, env }, "state", "init", "plan.md");
    expect([run.code, run.stderr]).toEqual([0, ""]);
    chmodSync(file, 0o644);
    const open = await pawlAsync({ cwd: repository.path, env }, "state", "show", "plan.md");
    expect(open.code).toBe(3);
  });
});

test("doctor says before there is any state whether this role can make it", async () => {
  const look = async (env: Readonly<Record<string, string>>) =>
    (await pawlAsync({ cwd: repository.path, env }, "doctor")).stdout.replaceAll(/\s+/g, " ");
  const id = freshId();
  const env = { PAWL_DATABASE_URL: as("worker"), PAWL_REPOSITORY_ID: id };
  expect(await look(env)).toMatch(/fail state_db .* worker may not make the schema\. Without that right/);
  await shared.ask(`create schema ${schemaOf(id)} authorization worker`);
  expect(await look(env)).toMatch(/pass state_db .* worker may make the schema\./);
  expect(await look({ ...env, PAWL_DATABASE_URL: as("reader") })).toMatch(
    /warn state_db .* The server only takes reads\./,
  );
});

function realGit(): string {
  const found = (process.env["PATH"] ?? "")
    .split(":")
    .map((folder) => join(folder, "git"))
    .find(existsSync);
  if (found === undefined) throw new Error("git is not on PATH");
  return found;
}
