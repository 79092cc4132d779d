import type { ChildProcess } from "node:child_process";

export interface Showcase {
  readonly home: string;
  readonly repo: string;
  readonly env: Readonly<Record<string, string>>;
  readonly pawl: (...args: readonly string[]) => { readonly stdout: string };
  readonly serve: (
    ...options: readonly string[]
  ) => Promise<{ readonly child: ChildProcess; readonly port: number; readonly link: string }>;
  readonly close: () => Promise<void>;
}

export function makeShowcase(): Promise<Showcase>;
