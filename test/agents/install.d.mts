export function agentsFolder(): string;
export function versionIn(folder: string, name: string): string;
