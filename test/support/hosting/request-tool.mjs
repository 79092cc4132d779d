#!/usr/bin/env node
// A stand-in for `gh` and `glab`: requests are kept in a JSON file, and every call in a log beside it.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { basename } from "node:path";

const program = basename(process.argv[1]);
const words = process.argv.slice(2);
const file = process.env.REQUESTS_FILE;
const valueOf = (name) => {
  const at = words.indexOf(name);
  return at === -1 ? undefined : words[at + 1];
};
const input = words.includes("--body-file") ? readFileSync(0, "utf8") : "";
appendFileSync(`${file}.log`, `${JSON.stringify([program, ...words])}\n`);
if (process.env.REQUESTS_FAIL) {
  console.error(`cannot reach the service with ${process.env.GH_TOKEN}`);
  process.exit(1);
}

// One call at a time, as on a server.
for (;;) {
  try {
    mkdirSync(`${file}.lock`);
    break;
  } catch {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  }
}
process.on("exit", () => rmdirSync(`${file}.lock`));
const requests = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
const save = () => {
  writeFileSync(`${file}.new`, JSON.stringify(requests, null, 1));
  renameSync(`${file}.new`, file);
};
const refuse = (text) => {
  console.error(text);
  process.exit(1);
};
const one = () => requests.find(({ number }) => number === Number(words[2])) ?? refuse("no such request");
const branchOf = () => valueOf("--head") ?? valueOf("--source-branch");

const [noun, verb] = words;
if (verb === "list") {
  const found = requests.filter(({ branch }) => branch === branchOf());
  console.log(
    JSON.stringify(
      program === "gh"
        ? found.map(({ number, body, isDraft, state }) => ({
            number,
            body,
            isDraft,
            state,
            url: `https://x/${number}`,
          }))
        : found.map(({ number, body, isDraft, state }) => ({
            iid: number,
            description: body,
            draft: isDraft,
            state: state === "OPEN" ? "opened" : "closed",
            web_url: `https://x/${number}`,
          })),
    ),
  );
} else if (verb === "create") {
  const branch = branchOf();
  if (requests.some((request) => request.branch === branch && request.state === "OPEN"))
    refuse(`a request for branch ${branch} already exists`);
  requests.push({
    number: requests.length + 1,
    branch,
    base: valueOf("--base") ?? valueOf("--target-branch"),
    title: valueOf("--title"),
    body: valueOf("--description") ?? input,
    isDraft: words.includes("--draft"),
    state: "OPEN",
    // When each was written, to tell an update from none.
    written: 1,
  });
  save();
  console.log(`https://x/${requests.length}`);
} else if (verb === "edit" || (verb === "update" && !words.includes("--ready"))) {
  const request = one();
  request.body = valueOf("--description") ?? input;
  request.written += 1;
  save();
} else if (verb === "ready" || verb === "update") {
  one().isDraft = false;
  save();
} else if (verb === "checks") {
  console.log(process.env.REQUESTS_CHECKS ?? "[]");
} else if (noun === "ci") {
  console.log(process.env.REQUESTS_CHECKS ?? "{}");
} else refuse(`unknown: ${words.join(" ")}`);

// Ends the caller, after the service has done it and before the caller knows of it.
const victim = process.env.REQUESTS_KILL_AFTER === verb ? process.ppid : undefined;
if (victim !== undefined) process.kill(victim, "SIGKILL");
