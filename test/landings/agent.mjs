// The agent of a landing campaign: it knows what its step is to do, and writes it against the files as they are.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

const { PAWL_STEP: step, PAWL_PLAN: plan, PAWL_WORKTREE: worktree, CAMPAIGN: campaign } = process.env;
const { steps, pawl } = JSON.parse(readFileSync(campaign, "utf8"));
const { calls, renames, lists, pauseMs, commits } = steps[step];

const text = (name) => (existsSync(name) ? readFileSync(name, "utf8") : "");
const withoutMarkers = (name) => text(name).replace(/^(?:<{7}|={7}|>{7}).*\n/gm, "");
/** Where a function is defined by now: others may have given it another name. */
const nameOf = (id) => {
  for (const file of existsSync("src") ? readdirSync("src") : []) {
    const found = new RegExp(`^def (\\w+) ${id}$`, "m").exec(text(`src/${file}`));
    if (found) return found[1];
  }
  return undefined;
};

await new Promise((resolve) => setTimeout(resolve, pauseMs));
mkdirSync("src", { recursive: true });
// Two steps that rename what a third one calls change the same lines of its file: both lines stay, and are renamed below.
const marked = readdirSync("src").filter((file) => withoutMarkers(`src/${file}`) !== text(`src/${file}`));
for (const file of marked) writeFileSync(`src/${file}`, withoutMarkers(`src/${file}`));
for (const { id, to } of renames) {
  writeFileSync(`src/lib-${id}.txt`, `def ${to} ${id}\n`);
  // A step that renames a function renames its calls too, in the files that are there.
  for (const file of readdirSync("src")) {
    const before = text(`src/${file}`);
    const after = before.replace(/^call (\w+) (\w+)$/gm, (line, _name, called) =>
      called === id ? `call ${to} ${id}` : line,
    );
    if (after !== before) writeFileSync(`src/${file}`, after);
  }
}
for (const file of marked) {
  const lines = text(`src/${file}`).replace(/^call \w+ (\w+)$/gm, (_line, id) => `call ${nameOf(id)} ${id}`);
  writeFileSync(`src/${file}`, [...new Set(lines.split("\n"))].join("\n"));
}
const used = calls.map((id) => `call ${nameOf(id)} ${id}\n`).join("");
writeFileSync(`src/${step}.txt`, `def own_${step.replace(/\W/g, "_")} own\n${used}`);
for (const list of lists) {
  const file = `src/list-${list}.txt`;
  const lines = withoutMarkers(file)
    .split("\n")
    .filter((line) => line !== "" && line !== `item ${step}`);
  writeFileSync(file, `${[...new Set([`item ${step}`, ...lines])].join("\n")}\n`);
}
if (commits) spawnSync("git", ["commit", "-qam", `agent: ${step}`]);
const [program, ...args] = pawl;
const { status } = spawnSync(
  program,
  [...args, "state", "update", plan, step, "--worktree", worktree, "--all", "completed"],
  { stdio: "inherit" },
);
process.exitCode = status ?? 1;
