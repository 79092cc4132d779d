import { expect, it, vi } from "vitest";
import { newKeys } from "./keys.ts";

const MINUTE = 60_000;

function keysAt(start = 1000) {
  const clock = { ms: start };
  return { clock, keys: newKeys(() => clock.ms) };
}

it("gives a token for a ticket once, and reports it to the maker of the ticket", () => {
  const { keys } = keysAt();
  const onUsed = vi.fn<() => void>();
  const ticket = keys.newTicket(onUsed);
  expect(onUsed).not.toHaveBeenCalled();
  const token = keys.exchange(ticket);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(token).not.toBe(ticket);
  expect(onUsed).toHaveBeenCalledOnce();
  expect(keys.exchange(ticket)).toBeUndefined();
  expect(onUsed).toHaveBeenCalledOnce();
});

it("gives nothing for what was never a ticket, and keeps the tickets that there are", () => {
  const { keys } = keysAt();
  const ticket = keys.newTicket();
  expect(keys.exchange("")).toBeUndefined();
  expect(keys.exchange(`${ticket}x`)).toBeUndefined();
  expect(keys.exchange(ticket)).toBeDefined();
});

it("accepts a ticket for ten minutes and no longer", () => {
  const { clock, keys } = keysAt();
  const [early, late] = [keys.newTicket(), keys.newTicket()];
  clock.ms += 10 * MINUTE - 1;
  expect(keys.exchange(early)).toBeDefined();
  clock.ms += 1;
  expect(keys.exchange(late)).toBeUndefined();
});

it("knows every token that it gave, and no ticket or other text", () => {
  const { keys } = keysAt();
  const tickets = [keys.newTicket(), keys.newTicket(), keys.newTicket()];
  expect(keys.isToken(tickets[0]!)).toBe(false);
  const tokens = tickets.map((ticket) => keys.exchange(ticket)!);
  expect(new Set(tokens).size).toBe(3);
  for (const token of tokens) expect(keys.isToken(token)).toBe(true);
  expect(keys.isToken("")).toBe(false);
  expect(keys.isToken(tickets[0]!)).toBe(false);
});

it("keeps the last sixteen tickets", () => {
  const { keys } = keysAt();
  const tickets = Array.from({ length: 17 }, () => keys.newTicket());
  expect(keys.exchange(tickets[0]!)).toBeUndefined();
  for (const ticket of tickets.slice(1)) expect(keys.exchange(ticket)).toBeDefined();
});

it("keeps the last 64 tokens", () => {
  const { keys } = keysAt();
  const tokens = Array.from({ length: 65 }, () => keys.exchange(keys.newTicket())!);
  expect(keys.isToken(tokens[0]!)).toBe(false);
  for (const token of tokens.slice(1)) expect(keys.isToken(token)).toBe(true);
});
