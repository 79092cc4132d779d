import { defineConfig } from "vitest/config";

/** What judges a mutant: tests that take seconds. Conformance runs few walks of the model, because it runs often. */
export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/unit/**/*.test.ts", "test/conformance/sqlite.test.ts"],
    // They start servers and processes, for each mutant anew.
    exclude: ["src/web/serve.test.ts", "src/platform/**"],
    testTimeout: 60_000,
    env: { PAWL_MODEL_RUNS: "10" },
  },
});
