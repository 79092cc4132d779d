import { Failure } from "../../domain/index.ts";

/**
 * Stops on native Windows before anything is opened.
 *
 * Pawl proves that a worker is alive with locks that the kernel frees, and stops agents by process group. Windows has
 * neither in that form, so a run there could take a living worker for a dead one.
 */
export function refuseWindows(platform: string): void {
  if (platform !== "win32") return;
  throw new Failure("platform/unsupported", "Pawl does not run on native Windows. It runs in WSL 2.", {
    platform,
  });
}
