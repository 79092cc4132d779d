import type { Route } from "../route.ts";

export const ticketRoute: Route = {
  method: "POST",
  path: "/api/ticket",
  command: "ui ticket",
  about: "A ticket for another window",
  takes: [],
  answer: async ({ newTicket }) => ({ ticket: newTicket() }),
};
