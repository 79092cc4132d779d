import type { Browser, BrowserServer } from "playwright-core";

export function launch(): Promise<Browser>;
export function launchServer(): Promise<BrowserServer>;
