import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/**
 * `npm run test:power [-- --cuts N] [-- --seed N] [-- --only run,merge] [-- --jobs N] [-- --log FILE]
 * [-- --keep FOLDER]`: power cuts on loop images of ext4.
 *
 * The programme itself is TypeScript; this builds it and runs it, because Node 20 cannot.
 */

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "pawl-power-program-"));
const bundle = await rolldown({
  cwd: root,
  input: { power: join(root, "test/power/power.ts") },
  platform: "node",
  external: [/^node:/],
  transform: { target: "node20.19" },
  logLevel: "warn",
});
await bundle.write({ dir: folder, format: "esm", entryFileNames: "[name].mjs" });
await bundle.close();

const child = spawn(process.execPath, [join(folder, "power.mjs"), ...process.argv.slice(2)], {
  cwd: root,
  env: { ...process.env, PAWL_TEST_ROOT: root },
  stdio: "inherit",
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("close", (code) => {
  rmSync(folder, { recursive: true, force: true });
  process.exitCode = code ?? 1;
});
