import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/**
 * `npm run torture [-- --minutes N] [-- --seed N]`: kills, races, histories and the model, with large numbers.
 *
 * The programme itself is TypeScript; this builds it and runs it, because Node 20 cannot.
 */

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "pawl-torture-"));
symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));

const bundle = await rolldown({
  cwd: root,
  input: { torture: join(root, "test/torture/torture.ts") },
  platform: "node",
  external: [/^node:/, /^(@photostructure\/sqlite|pg|fast-check|rolldown)(\/|$)/],
  transform: { target: "node20.19" },
  logLevel: "warn",
  checks: { ineffectiveDynamicImport: false },
});
await bundle.write({
  dir: folder,
  format: "esm",
  entryFileNames: "[name].mjs",
  chunkFileNames: "parts/[name].mjs",
});
await bundle.close();

const child = spawn(process.execPath, [join(folder, "torture.mjs"), ...process.argv.slice(2)], {
  cwd: root,
  env: { ...process.env, PAWL_TEST_ROOT: root },
  stdio: "inherit",
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("close", (code) => {
  rmSync(folder, { recursive: true, force: true });
  process.exitCode = code ?? 1;
});
