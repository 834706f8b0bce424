/**
 * What kind of thing is wrong with a session. `refused`: this very text, by a policy or for its size. `context`: the
 * conversation is full. `auth`: login, credit, organisation. `overloaded`, `network`: the service, or the way to it.
 * `unknown`: a turn failed, and leap does not know its words.
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
