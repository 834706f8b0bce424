import { assert, describe, it } from "@effect/vitest"
import type { ResumeProtocol } from "../../../../src/domain/cli/provider/ResumeProtocol.ts"
import { claudeResume } from "../../../../src/domain/providers/claude/Resume.ts"
import { codexResume } from "../../../../src/domain/providers/codex/Resume.ts"
import { copilotResume } from "../../../../src/domain/providers/copilot/Resume.ts"
import { cursorAgentResume } from "../../../../src/domain/providers/cursor-agent/Resume.ts"
import { geminiResume } from "../../../../src/domain/providers/gemini/Resume.ts"
import { opencodeResume } from "../../../../src/domain/providers/opencode/Resume.ts"
import { builtin } from "../../../support/providers.ts"

const line = (fields: unknown) => `${JSON.stringify(fields)}\n`
const meta = (payload: unknown) => line({ timestamp: "t", type: "session_meta", payload })
const claudePath = "/home/me/.claude/projects/-srv-app/id.jsonl"
const rollout = "/home/me/.codex/sessions/2026/11/21/rollout-2026-11-21T08-00-00-id.jsonl"
const chat = "/home/me/.gemini/tmp/app/chats/session-2026-11-21T08-00-0f1e2d3c.jsonl"

describe("a session's id", () => {
  const oldChat = JSON.stringify({ sessionId: "abc", messages: ["x".repeat(5000)] }, null, 2)
  it.each<readonly [ResumeProtocol, unknown, string | null, string, string | null]>([
    [claudeResume, { session_id: "abc" }, null, "", "abc"],
    [claudeResume, {}, claudePath, "", "id"],
    [claudeResume, {}, "/tmp/id.jsonl", "", null],
    [claudeResume, null, "/x/.claude/projects/id.jsonl", "", null],
    [claudeResume, "x", null, "", null],
    [codexResume, { session_id: "abc" }, null, "", "abc"],
    [codexResume, { session_id: 5 }, null, "", null],
    [codexResume, {}, rollout, meta({ id: "of-file" }), "of-file"],
    [codexResume, {}, "/tmp/x.jsonl", meta({ id: "of-file" }), null],
    [codexResume, {}, rollout, line({ type: "x", payload: { id: "no" } }), null],
    [cursorAgentResume, { conversation_id: "abc", chatId: "no" }, null, "", "abc"],
    [cursorAgentResume, { chatId: "abc" }, null, "", "abc"],
    ...[["x"], { a: 1 }, 5, "", null].flatMap((bad) => [
      [cursorAgentResume, { conversation_id: bad, chat_id: "abc" }, null, "", "abc"] as const,
      [cursorAgentResume, { conversation_id: bad }, null, "", null] as const
    ]),
    [cursorAgentResume, {}, "/home/me/.cursor/chats/0a1b/abc/store.db", "", "abc"],
    [cursorAgentResume, {}, "/home/me/.cursor/chats/0a1b/abc.jsonl", "", "abc"],
    [cursorAgentResume, {}, "/tmp/chats/0a1b/abc", "", null],
    [geminiResume, { sessionId: "abc" }, null, "", "abc"],
    [geminiResume, { session_id: "abc" }, null, "", "abc"],
    [geminiResume, {}, chat, line({ sessionId: "abc" }), "abc"],
    [geminiResume, {}, chat, oldChat, "abc"],
    [geminiResume, {}, chat, `${" ".repeat(4096)}${oldChat}`, null],
    [geminiResume, {}, "/tmp/chat.jsonl", line({ sessionId: "abc" }), null],
    [copilotResume, { sessionId: "abc" }, null, "", "abc"],
    [copilotResume, {}, "/home/me/.copilot/session-state/abc/events.jsonl", "", "abc"],
    [opencodeResume, { sessionID: "ses_1" }, null, "", "ses_1"],
    [opencodeResume, { info: { id: "ses_1" } }, null, "", "ses_1"]
  ])("is the hook's, else the transcript's: %#", (resume, payload, transcriptPath, head, id) =>
    assert.strictEqual(resume.sessionIdOf({ payload, transcriptPath, head }), id)
  )
})

describe("going on with a session", () => {
  it.each([
    [claudeResume, ["--resume=abc"]],
    [codexResume, ["-C", "/work dir", "resume", "abc"]],
    [cursorAgentResume, ["--resume", "abc"]],
    [geminiResume, ["--resume", "abc"]],
    [copilotResume, ["--resume=abc"]],
    [opencodeResume, ["-s", "abc"]]
  ])("is asked for by arguments: %#", (resume, args) => assert.deepStrictEqual(resume.args("abc", "/work dir"), args))

  it("is possible where the CLI says: anywhere, in the session's own directory, or only there", () => {
    const said = builtin.map(
      ({ id, resume }) =>
        `${id}: ${resume === null ? "no" : resume.boundToDirectory ? "bound" : resume.staysInDirectory ? "stays" : "follows"}`
    )
    assert.deepStrictEqual(said.toSorted(), [
      "claude: follows",
      "codex: follows",
      "copilot: stays",
      "cursor-agent: bound",
      "demo: no",
      "gemini: bound",
      "generic: no",
      "opencode: stays"
    ])
  })
})

describe("a session's directory that is gone", () => {
  const healed = ({ healing }: ResumeProtocol, text: string, transcriptPath: string | null, cwd = "/gone") =>
    healing?.healCwd(text, { sessionId: "id", cwd, transcriptPath })
  const reads = (transcriptPath: string | null, cwd = "/gone") =>
    claudeResume.healing?.reads({}, { sessionId: "id", cwd, transcriptPath })

  it("Claude: is the folder's, as the transcript's first record with one says it, and where the folder is its own nothing is read", () => {
    const app = line({ cwd: "/srv/app" })
    assert.deepStrictEqual([reads(claudePath), reads(claudePath, "/srv/app")], [claudePath, null])
    const odd = line({ type: "mode" }) + line({ cwd: "" }) + line({ cwd: 5 }) + 'no "cwd" here\n'
    assert.strictEqual(healed(claudeResume, odd + app, claudePath), "/srv/app")
    assert.strictEqual(healed(claudeResume, line({ cwd: "/other" }), claudePath, "/srv/app"), "/srv/app")
    for (const text of ["", line({ cwd: "/srv/else" }) + app])
      assert.strictEqual(healed(claudeResume, text, claudePath), "/gone")
    for (const other of [null, "/tmp/t.jsonl", "/home/me/.codex/x.jsonl"])
      assert.deepStrictEqual([reads(other), healed(claudeResume, app, other)], [null, "/gone"])
  })

  it("Codex: is the first record's, where that is the session's own", () => {
    assert.strictEqual(healed(codexResume, meta({ cwd: "/first" }), rollout), "/first")
    for (const head of [
      "",
      "no json\n",
      line({ type: "turn_context", payload: { cwd: "/x" } }),
      meta({ cwd: 5 }),
      meta({}),
      line({ type: "x" }) + meta({ cwd: "/first" })
    ])
      assert.strictEqual(healed(codexResume, head, rollout), "/gone")
    assert.strictEqual(healed(codexResume, meta({ cwd: "/first" }), "/tmp/t.jsonl"), "/gone")
  })

  it.each<readonly [unknown, string, string, string | null]>([
    [{ "/srv/app": "app" }, "/srv/app", "/srv/app", chat],
    [{ "/srv/app": "app", "/srv/app/sub": "sub" }, "/srv/app/sub", "/srv/app", chat],
    [{ "/a": "app", "/b": "app" }, "/srv", "/srv", chat],
    [{ "/a": "app", "/b": "app" }, "/b", "/b", chat],
    ...[{ "/a": "other" }, {}, null, [], { "/a": 5 }].map((odd) => [odd, "/srv", "/srv", chat] as const),
    [{ "/a": "app" }, "/srv", "/srv", null],
    [{ "/a": "app" }, "/srv", "/srv", "/tmp/app/chats/x.jsonl"]
  ])("Gemini: is the one that has the session's project, where it is one alone: %#", (projects, cwd, found, path) => {
    assert.strictEqual(healed(geminiResume, JSON.stringify({ projects }), path, cwd), found)
    assert.strictEqual(healed(geminiResume, "{", path, cwd), cwd)
  })
})
