/** Undefined where somebody removed the folder we were started in: what needs none still runs. */
export function workingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}
