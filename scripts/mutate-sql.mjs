// Mutates the SQL of statements, one predicate at a time, and asks the fast tests whether they notice.
//
// Stryker knows JavaScript only: to it, a statement is one string. What goes wrong in statements is a condition that was
// forgotten or turned round, so exactly these are tried: each line that begins with `and` or `or` is dropped, and each
// comparison and each order is turned round.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const TURNS = [
  [/ = (?=[:'\w($])/g, " <> "],
  [/ <> /g, " = "],
  [/ is not null/g, " is null"],
  [/ is null/g, " is not null"],
  [/ <= /g, " > "],
  [/ >= /g, " < "],
  [/ < /g, " >= "],
  [/ > /g, " <= "],
  [/ not in \(/g, " in ("],
  [/(?<! not) in \(/g, " not in ("],
  [/ not exists \(/g, " exists ("],
  [/(?<! not) exists \(/g, " not exists ("],
  [/ desc\b/g, ""],
  // A condition in the middle of a line; one that begins a line is dropped with it.
  [
    /(?<=\S) (?:and|or) [\w.]+ (?:=|<>|<=|>=|<|>) [:\w.']+(?=[\s)]|$)/g,
    (match) => ` ${without(match.trimStart().split(" ")[0], match)}`.trimEnd(),
  ],
];

/**
 * What stands there in place of a condition that is dropped: nothing, or one that decides nothing and has its parameters.
 *
 * A parameter that no statement names any more is an error of the driver, and no test would have to notice anything.
 */
function without(joined, condition) {
  const names = [...new Set(condition.match(/:[a-z_]+/g) ?? [])];
  if (names.length === 0) return "";
  const same = names.map(
    (name) => `coalesce(cast(${name} as text), '') = coalesce(cast(${name} as text), '')`,
  );
  return joined === "and" ? `and (${same.join(" and ")})` : `or not (${same.join(" and ")})`;
}

/** Every mutant of a file: the line it is on, what it was and what it became. */
export function mutantsOf(text) {
  const lines = text.split("\n");
  const found = [];
  let isSql = false;
  for (const [index, line] of lines.entries()) {
    const ticks = line.split("`").length - 1;
    const isInside = isSql || ticks > 0;
    if (ticks % 2 === 1) isSql = !isSql;
    if (!isInside || /^\s*(\/\/|\*|\/\*\*)/.test(line) || /^\s*(insert|set|values)\b/.test(line)) continue;
    const joined = /^\s*(and|or) /.exec(line)?.[1];
    if (joined && isBalanced(line)) found.push({ index, was: line, became: without(joined, line) });
    // An assignment is no comparison.
    if (!/^\s*(and|or|where|when|on|having|order|case|exists|not|\(|select exists)\b/.test(line)) continue;
    for (const [pattern, turned] of TURNS) {
      for (const { index: at, 0: match } of line.matchAll(pattern)) {
        const put = typeof turned === "string" ? turned : turned(match);
        found.push({ index, was: line, became: line.slice(0, at) + put + line.slice(at + match.length) });
      }
    }
  }
  return found.map(({ index, was, became }) => ({
    line: index + 1,
    was: was.trim(),
    became: became.trim(),
    text: lines.with(index, became).join("\n"),
  }));
}

const isBalanced = (line) => {
  const bare = line.replaceAll(/`.*$/g, "");
  return bare.split("(").length === bare.split(")").length && !line.includes("`");
};

/** Runs the tests for every mutant of the files; answers how many there were and which were not noticed. */
export function mutateSql(files, log = console.log) {
  if (isNoticed()) throw new Error("The tests fail without any mutation.");
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130));
  const survivors = [];
  let count = 0;
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    const restore = () => writeFileSync(file, text);
    process.once("exit", restore);
    try {
      for (const { line, was, became, text: mutated } of mutantsOf(text)) {
        count += 1;
        writeFileSync(file, mutated);
        if (isNoticed()) continue;
        survivors.push({ file, line, was, became });
        log(`survived: ${file}:${line}\n  - ${was}\n  + ${became || "(dropped)"}`);
      }
    } finally {
      restore();
      process.off("exit", restore);
    }
  }
  return { count, survivors };
}

function isNoticed() {
  const args = ["node_modules/vitest/vitest.mjs", "run", "--config", "vitest.mutate.config.ts", "--bail=1"];
  const tests = ["src/steps", "src/claims", "src/sessions", "src/plans", "test/conformance/sqlite.test.ts"];
  return spawnSync(process.execPath, [...args, ...tests], { stdio: "ignore" }).status !== 0;
}
