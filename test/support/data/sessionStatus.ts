import { defaultModes, type SessionStatus } from "../../../src/domain/words/session/Session.ts"

/** A session's status, idle unless said otherwise. */
export const sessionStatus = (changes: Partial<SessionStatus>): SessionStatus => ({
  tag: "demo",
  cli: "demo",
  baseCli: "demo",
  displayName: "leap demo",
  state: "idle",
  ready: false,
  dialog: false,
  reason: "test",
  since: "2026-01-01T00:00:00.000Z",
  pid: 1,
  hostPid: 1,
  cwd: "/",
  startedAt: "2026-01-01T00:00:00.000Z",
  attached: 0,
  message: null,
  problem: null,
  background: [],
  queue: [],
  modes: defaultModes,
  sessionId: null,
  transcriptPath: null,
  context: null,
  cost: null,
  lastMessage: null,
  lastResponse: null,
  exit: null,
  ...changes
})
