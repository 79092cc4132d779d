#!/usr/bin/env node
// A stand-in for a coding agent that does what a script says; README.md beside it tells what a script can say.
import { randomUUID } from "node:crypto";
import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { ACTS, End, printBytes } from "./acts.mjs";
import { PLAIN_EXITS, VOICES } from "./voices.mjs";

const { env } = process;
const argv = process.argv.slice(2);
const step = env["PAWL_STEP"] ?? "run";
const scriptPath = env["SCRIPTED_AGENT"];
const script = scriptPath === undefined ? {} : JSON.parse(readFileSync(scriptPath, "utf8"));
const prompt = readFileSync(promptFile() ?? 0, "utf8");

/** Without a script: the work of a good agent. */
const GOOD_WORK = [{ say: "Working on {step}." }, { write: "work/{step}.txt" }, { tick: "all" }];

const run = scriptPath === undefined ? 1 : countThisRun();
const lists = script.steps?.[step] ?? script.runs ?? [GOOD_WORK];
const acts = lists[Math.min(run, lists.length) - 1];
const guise = basename(process.argv[1]);
const speaks = script.speak ?? (Object.hasOwn(VOICES, guise) ? guise : "claude");
const talk = conversation();
const voice = VOICES[speaks](talk, countReport);
const unique = randomUUID();

const context = {
  voice,
  prompt,
  print: (lines) => printBytes(1, Buffer.from(lines.map((line) => `${line}\n`).join(""))),
  fill: (text) =>
    text.replaceAll("{unique}", unique).replaceAll("{step}", step).replaceAll("{run}", String(run)),
  codeOf: (trouble) => (speaks === "plain" ? (PLAIN_EXITS[trouble] ?? 1) : 1),
};

try {
  context.print(voice.begin());
  for (const act of acts) {
    const name = Object.keys(act).find((key) => Object.hasOwn(ACTS, key));
    if (name === undefined) throw new Error(`no such act: ${JSON.stringify(act)}`);
    await ACTS[name](act, context);
  }
  context.print(voice.end(`Done: ${unique}`));
  process.exit(0);
} catch (ending) {
  if (!(ending instanceof End)) throw ending;
  context.print(ending.lines);
  process.exit(ending.code);
}

/** The process that makes the file first has that number, also when several run at once. */
function countThisRun() {
  const facts = { pid: process.pid, argv, env: onlyPawl(), prompt };
  for (let number = 1; ; number += 1) {
    try {
      writeFileSync(`${scriptPath}.${step}.${number}.json`, JSON.stringify(facts), { flag: "wx" });
      return number;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
  }
}

/** How often this conversation has reported what it used: agents add up what all of its runs did. */
function countReport() {
  if (scriptPath === undefined) return 1;
  appendFileSync(`${scriptPath}.${talk}.used`, ".");
  return statSync(`${scriptPath}.${talk}.used`).size;
}

function onlyPawl() {
  return Object.fromEntries(Object.entries(env).filter(([name]) => /^(?:PAWL|GIT)_/.test(name)));
}

/** The id that the caller chose or resumes by, else a new one. */
function conversation() {
  const after = (...names) => {
    const place = argv.findIndex((word) => names.includes(word));
    return place === -1 ? undefined : argv[place + 1];
  };
  return after("--session-id", "--resume", "--session", "resume") ?? randomUUID();
}

function promptFile() {
  const place = argv.indexOf("--message-file");
  return place === -1 ? undefined : argv[place + 1];
}
