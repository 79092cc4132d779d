/** False when there is no process to get the signal. */
export function sendSignal(target: number, signal: NodeJS.Signals): boolean {
  // 0 and -1 mean "my own group" and "every process": never what is wanted here.
  if (!Number.isInteger(target) || Math.abs(target) <= 1) return false;
  try {
    process.kill(target, signal);
    return true;
  } catch {
    return false;
  }
}
