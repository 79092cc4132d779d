import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ReleasedAgent } from "./installed-agents.ts";

/**
 * How each agent finds the stand-in instead of its model: files of its own home folder and variables, as a person with a
 * model of their own sets them up. What Pawl passes stays exactly as it is shipped.
 */
interface Connection {
  readonly model: string;
  readonly env: (url: string) => Readonly<Record<string, string>>;
  readonly files?: (url: string) => Readonly<Record<string, string>>;
}

const CONNECTIONS: Readonly<Record<ReleasedAgent, Connection>> = {
  claude: {
    model: "claude-sonnet-4-5",
    env: (url) => ({
      ANTHROPIC_API_KEY: "made-up",
      ANTHROPIC_BASE_URL: url,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CODE_MAX_RETRIES: "1",
    }),
  },
  codex: {
    model: "gpt-5",
    env: () => ({ STAND_IN_KEY: "made-up" }),
    files: (url) => ({
      ".codex/config.toml": [
        'model_provider = "m"',
        "[model_providers.m]",
        'name = "m"',
        `base_url = "${url}/v1"`,
        'env_key = "STAND_IN_KEY"',
        'wire_api = "responses"',
        "request_max_retries = 1",
        "stream_max_retries = 1",
        "",
      ].join("\n"),
    }),
  },
  gemini: {
    model: "gemini-2.5-flash",
    env: (url) => ({ GEMINI_API_KEY: "made-up", GOOGLE_GEMINI_BASE_URL: url }),
    files: () => ({
      ".gemini/settings.json": JSON.stringify({
        security: { auth: { selectedType: "gemini-api-key" } },
        privacy: { usageStatisticsEnabled: false },
      }),
    }),
  },
  opencode: {
    model: "m/stand-in",
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" }),
    files: (url) => ({
      ".config/opencode/opencode.json": JSON.stringify({
        provider: {
          m: {
            npm: "@ai-sdk/openai-compatible",
            options: { baseURL: `${url}/v1`, apiKey: "made-up" },
            models: { "stand-in": { name: "stand-in", limit: { context: 100_000, output: 4000 } } },
          },
        },
      }),
    }),
  },
  copilot: {
    model: "stand-in",
    env: (url) => ({
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: "made-up",
      COPILOT_MODEL: "stand-in",
      COPILOT_OFFLINE: "true",
    }),
  },
  qwen: {
    model: "stand-in",
    env: (url) => ({ OPENAI_API_KEY: "made-up", OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "stand-in" }),
    files: () => ({
      ".qwen/settings.json": JSON.stringify({
        security: { auth: { selectedType: "openai" } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false },
      }),
    }),
  },
};

export const modelOf = (name: ReleasedAgent): string => CONNECTIONS[name].model;

/** Nothing of the user's own set-up, a made-up key, and loopback only. Returns the variables. */
export function connect(name: ReleasedAgent, url: string, home: string): Readonly<Record<string, string>> {
  const { env, files } = CONNECTIONS[name];
  mkdirSync(home, { recursive: true });
  for (const [path, text] of Object.entries(files?.(url) ?? {})) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const folders = { CONFIG: ".config", DATA: ".local/share", STATE: ".local/state", CACHE: ".cache" };
  return {
    HOME: home,
    ...Object.fromEntries(
      Object.entries(folders).map(([kind, path]) => [`XDG_${kind}_HOME`, join(home, path)]),
    ),
    ...env(url),
  };
}
