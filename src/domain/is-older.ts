/** Whether a version comes before another one, both as dotted numbers; a part that is missing counts as 0. */
export function isOlder(version: string, than: string): boolean {
  const [have, need] = [version, than].map((text) => text.split(".").map(Number)) as [number[], number[]];
  for (let place = 0; place < Math.max(have.length, need.length); place += 1) {
    const difference = (have[place] ?? 0) - (need[place] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
