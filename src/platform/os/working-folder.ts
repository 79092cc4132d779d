/** Undefined where the folder that Pawl was started in was removed: what needs none still runs. */
export function workingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}
