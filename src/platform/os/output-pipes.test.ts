import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished, vi } from "vitest";

/** A process that has opened no pipes yet, with a temporary folder of its own. */
async function freshProcess() {
  const folder = mkdtempSync(join(tmpdir(), "pawl-pipes-"));
  vi.stubEnv("TMPDIR", folder);
  vi.resetModules();
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, ...(await import("./output-pipes.ts")) };
}

it("gives what is written, and leaves no name behind", async () => {
  const { folder, outputPipes } = await freshProcess();
  const pipes = (await outputPipes())!;
  expect(readdirSync(folder)).toEqual([]);
  let said = "";
  pipes.stdout.output.setEncoding("utf8").on("data", (text: string) => (said += text));
  const closed = new Promise((resolve) => pipes.stdout.output.once("close", resolve));
  writeSync(pipes.stdout.fd, "hello");
  pipes.handedOver();
  await closed;
  pipes.stderr.output.destroy();
  expect(said).toBe("hello");
});

it("removes the names that a killed process left, and no others", async () => {
  const { folder, outputPipes } = await freshProcess();
  const id = "11c82729-c10e-4738-973e-b23bbc3095be";
  const [old, young, file] = [`pawl-${id}-out`, `pawl-${id}-err`, `pawl-${id.replace("1", "2")}-out`];
  spawnSync("mkfifo", [join(folder, old), join(folder, young)]);
  writeFileSync(join(folder, file), "a file of that name");
  for (const name of [old, file]) utimesSync(join(folder, name), 1, 1);
  const pipes = (await outputPipes())!;
  pipes.handedOver();
  for (const { output } of [pipes.stdout, pipes.stderr]) output.destroy();
  expect(readdirSync(folder).toSorted()).toEqual([young, file].toSorted());
});

it("gives each program pipes of its own, many of them made at once", async () => {
  const { folder, outputPipes } = await freshProcess();
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(
    join(bin, "mkfifo"),
    `#!/bin/sh\necho >> '${folder}/calls'\nPATH='${process.env["PATH"]}' exec mkfifo "$@"\n`,
    { mode: 0o755 },
  );
  vi.stubEnv("PATH", `${bin}:${process.env["PATH"]}`);
  const given = [];
  for (let at = 0; at < 20; at += 1) given.push((await outputPipes())!);
  expect(readFileSync(join(folder, "calls"), "utf8")).toHaveLength(5);
  const said = await Promise.all(
    given.map(async ({ stdout, stderr, handedOver }, at) => {
      writeSync(stdout.fd, `out ${at}`);
      writeSync(stderr.fd, `err ${at}`);
      handedOver();
      return `${await text(stdout.output)} ${await text(stderr.output)}`;
    }),
  );
  expect(said).toEqual(given.map((_, at) => `out ${at} err ${at}`));
});
