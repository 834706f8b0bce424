/**
 * The kind of a session's problem. `refused`: this very text, by a policy or for its size. `context`: the conversation
 * is full. `auth`: login, credit, organisation. `overloaded`, `network`: the service, or the connection to it.
 * `unknown`: a turn failed with words that leap does not know.
 */
export const problemKinds = [
  "rate_limited",
  "auth",
  "overloaded",
  "model",
  "context",
  "refused",
  "network",
  "crashed",
  "stuck",
  "unknown"
] as const
