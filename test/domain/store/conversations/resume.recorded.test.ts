import { assert, describe, it } from "@effect/vitest"
import * as fs from "node:fs"
import * as path from "node:path"
import { slugOf } from "../../../../src/domain/providers/claude/Relocation.ts"
import { claudeResume } from "../../../../src/domain/providers/claude/Resume.ts"
import { codexResume } from "../../../../src/domain/providers/codex/Resume.ts"
import { geminiResume } from "../../../../src/domain/providers/gemini/Resume.ts"
import type { ResumeProtocol } from "../../../../src/domain/cli/provider/ResumeProtocol.ts"

const fixture = (name: string) =>
  fs.readFileSync(path.join(import.meta.dirname, "../../../fixtures/usage", name), "utf8")
const heal = ({ healing }: ResumeProtocol, text: string, transcriptPath: string) =>
  healing?.healCwd(text, { sessionId: "id", cwd: "/home/dev/gone", transcriptPath })

/** Files that today's CLIs wrote for sessions in /home/dev/project. */
describe("what CLIs' own files say of a session's directory and id", () => {
  it("Claude: the transcript's records name the directory that its folder is called after", () => {
    const transcript = fixture("claude/transcript.jsonl")
    const at = (slug: string) => heal(claudeResume, transcript, `/home/dev/.claude/projects/${slug}/id.jsonl`)
    assert.strictEqual(at(slugOf("/home/dev/project")), "/home/dev/project")
    assert.strictEqual(at(slugOf("/home/dev/elsewhere")), "/home/dev/gone")
  })

  it("Codex: the rollout's first line names both", () => {
    const rollout = fixture("codex/rollout.jsonl")
    const transcriptPath =
      "/home/dev/.codex/sessions/2026/11/21/rollout-2026-11-21T16-09-13-01a1fede-620b-7670-aac5-644f5ebe16ba.jsonl"
    assert.strictEqual(heal(codexResume, rollout, transcriptPath), "/home/dev/project")
    assert.strictEqual(
      codexResume.sessionIdOf({ payload: null, transcriptPath, head: rollout }),
      "01a1fede-620b-7670-aac5-644f5ebe16ba"
    )
  })

  it("Gemini: the header names the session, the registry the directory", () => {
    const transcriptPath = "/home/dev/.gemini/tmp/project/chats/session-2026-11-21T16-09-622a1cc0.jsonl"
    assert.strictEqual(heal(geminiResume, fixture("gemini/projects.json"), transcriptPath), "/home/dev/project")
    assert.strictEqual(
      geminiResume.sessionIdOf({ payload: null, transcriptPath, head: fixture("gemini/chat.jsonl") }),
      "622a1cc0-d0a5-42c3-ade7-9a3bd0ce8ec2"
    )
  })
})
