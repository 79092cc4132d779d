// Runs `pawl` again and again in one process, for tests that are not about processes: starting Node is four fifths of
// what a command costs. Each call evaluates all files of Pawl anew, so it knows nothing of the calls before it, and
// afterwards no database, file or connection of it stays open.
"use strict";
const fs = require("node:fs");

const [questions, answers] = process.argv.slice(2);
const [leave, writeSync, dlopen] = [process.exit, fs.writeSync, process.dlopen];
const databases = new Set();
const statements = new Set();
let native;
let printed = { 1: [], 2: [] };
let finish = () => undefined;

/** A database stays open, even when closed, until all of its statements are collected: so these can be let go. */
function forgettable(statement) {
  const held = { statement };
  statements.add(held);
  const names = ["run", "get", "all", "iterate", "columns", "setReadBigInts", "setReturnArrays"];
  return Object.fromEntries(names.map((name) => [name, (...args) => held.statement[name](...args)]));
}

process.dlopen = (module, ...more) => {
  if (!native) {
    native = { exports: {} };
    dlopen.call(process, native, ...more);
  }
  const { DatabaseSync } = native.exports;
  function Tracked(...args) {
    const database = new DatabaseSync(...args);
    const prepare = database.prepare.bind(database);
    Object.defineProperty(database, "prepare", { value: (...text) => forgettable(prepare(...text)) });
    databases.add(database);
    return database;
  }
  module.exports = { ...native.exports, DatabaseSync: Tracked };
};

fs.writeSync = (fd, bytes, from = 0, ...more) => {
  if (fd !== 1 && fd !== 2) return writeSync(fd, bytes, from, ...more);
  const part = Buffer.from(bytes).subarray(from);
  printed[fd].push(part);
  return part.length;
};

process.exit = (code) => finish(code ?? 0);
process.on("uncaughtException", (error) => {
  printed[2].push(Buffer.from(`${error?.stack ?? error}\n`));
  finish(1);
});
// Nothing is left to wait for, and the command has not ended: Node says it by this code.
process.on("beforeExit", () => finish(13));

function call({ launcher, cwd, env, args }) {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv = [process.execPath, launcher, ...args];
  printed = { 1: [], 2: [] };
  return new Promise((resolve) => {
    finish = resolve;
    delete require.cache[launcher];
    require(launcher);
  });
}

/** Does what the end of the process would have done. */
async function tidy() {
  finish = () => undefined;
  for (const database of databases) if (database.isOpen) database.close();
  for (const held of statements) held.statement = undefined;
  if (databases.size > 0) {
    global.gc();
    await new Promise((resolve) => void setImmediate(resolve));
  }
  databases.clear();
  statements.clear();
  for (const handle of process._getActiveHandles()) handle.destroy?.();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.removeAllListeners(signal);
  for (const fd of openFiles()) if (!kept.has(fd)) fs.closeSync(fd);
  process.chdir("/");
}

/** Not pipes and the like, which belong to Node, nor what belongs to the database engine. */
const openFiles = () =>
  fs
    .readdirSync("/proc/self/fd")
    .map(Number)
    .filter((fd) => {
      try {
        return /^\/(?!.*\.db(?:-wal|-shm)?$)/.test(fs.readlinkSync(`/proc/self/fd/${fd}`));
      } catch {
        // The listing itself was one of them.
        return false;
      }
    });

function read(input, size) {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size;) {
    const count = fs.readSync(input, bytes, at, size - at);
    // The test is over.
    if (count === 0) leave.call(process, 0);
    at += count;
  }
  return bytes;
}

function write(output, bytes) {
  for (let at = 0; at < bytes.length;) at += writeSync(output, bytes, at);
}

async function serve() {
  for (;;) {
    const code = await call(JSON.parse(String(read(input, read(input, 4).readUInt32LE()))));
    await tidy();
    const [stdout, stderr] = [1, 2].map((fd) => String(Buffer.concat(printed[fd])));
    const answer = Buffer.from(JSON.stringify({ code, stdout, stderr }));
    const size = Buffer.alloc(4);
    size.writeUInt32LE(answer.length);
    write(output, Buffer.concat([size, answer]));
  }
}

const input = fs.openSync(questions, "r");
const output = fs.openSync(answers, "w");
const kept = new Set(openFiles());
void serve();
