import { assert, describe, it } from "@effect/vitest"
import { foldSignal } from "../../../src/domain/engine/tracker/FactsSignal.ts"
import * as claude from "../../../src/domain/providers/claude/Hooks.ts"
import { readOwnStatus } from "../../../src/domain/providers/claude/OwnStatus.ts"
import * as codex from "../../../src/domain/providers/codex/Hooks.ts"
import * as copilot from "../../../src/domain/providers/copilot/Hooks.ts"
import * as cursor from "../../../src/domain/providers/cursor-agent/Hooks.ts"
import * as gemini from "../../../src/domain/providers/gemini/Hooks.ts"
import * as opencode from "../../../src/domain/providers/opencode/Hooks.ts"
import type { Signal } from "../../../src/domain/words/session/Signal.ts"
import { start } from "../../../src/domain/engine/tracker/Tracker.ts"
import { defaultModes } from "../../../src/domain/words/session/Session.ts"

const at = (folder: string) => `/h/.claude/projects/${folder}/s.jsonl`
const hook = (event: string, cwd: unknown, folder: string, more = {}) =>
  claude.readHook(event, { session_id: "s", cwd, transcript_path: at(folder), ...more })
const file = (cwd: unknown, status?: string) => readOwnStatus({ pid: 7, sessionId: "s", cwd, status })
const started = hook("SessionStart", "/w/p", "-w-p")
const tree = "/w/p/.claude/worktrees/x"
const inTree = "-w-p--claude-worktrees-x"

/** What CLIs say of where they are, as the real ones said it, and where the session is then; null: not told. */
const rows: ReadonlyArray<readonly [string, ReadonlyArray<ReadonlyArray<Signal>>, string | null]> = [
  ["Claude, at its start", [started], "/w/p"],
  [
    "its shell, which keeps a cd",
    [started, hook("PostToolUse", "/w/p/sub", "-w-p"), hook("Stop", "/w/p/sub", "-w-p")],
    "/w/p"
  ],
  ["the same, before anything else was told", [hook("UserPromptSubmit", "/w/p/sub", "-w-p")], null],
  ["/cd, which no hook tells", [started, file("/w/p", "idle"), file("/o", "idle")], "/o"],
  ["/cd without the status file", [started, hook("UserPromptSubmit", "/o", "-o")], "/o"],
  [
    "/cd, then a cd of its shell",
    [started, file("/o", "busy"), hook("Stop", "/o/deep", "-o"), file("/o", "idle")],
    "/o"
  ],
  ["a worktree of its own", [started, hook("UserPromptSubmit", "/w/p", "-w-p"), hook("Stop", tree, inTree)], tree],
  ["a worktree, gone into again at a resume", [started, file("/w/p"), file(tree)], tree],
  ["a worktree that it leaves at its end", [started, file(tree, "idle"), hook("SessionEnd", "/w/p", "-w-p")], "/w/p"],
  ["its end in the worktree", [started, file(tree, "idle"), hook("SessionEnd", tree, inTree)], tree],
  ["its status file's end", [started, file("/o", "idle"), readOwnStatus(null)], "/o"],
  [
    "gone on with elsewhere: filed under the first directory",
    [hook("SessionStart", "/n", "-n"), hook("Stop", "/n", "-w-p")],
    "/n"
  ],
  ["a subagent's end", [started, hook("Stop", "/x", "-x", { agent_id: "a" })], "/w/p"],
  ["what is no absolute path", [started, file("o"), file(""), file(7), file("/a\0"), hook("Stop", "o", "o")], "/w/p"],
  [
    "Codex, on to a worktree",
    ["/w", "/w/t"].map((cwd) => codex.readHook("UserPromptSubmit", { session_id: "s", cwd })),
    "/w/t"
  ],
  [
    "Codex, another session of another directory",
    [codex.readHook("SessionStart", { session_id: "b", cwd: "/b" })],
    "/b"
  ],
  ["Codex, a subagent", [codex.readHook("UserPromptSubmit", { session_id: "s", cwd: "/b", agent_id: "a" })], null],
  ["Copilot, /cwd", ["/w", "/o"].map((cwd) => copilot.readHook("StatusLine", { session_id: "s", cwd })), "/o"],
  ["Copilot, without a status line", [copilot.readHook("userPromptSubmitted", { sessionId: "s", cwd: "/o" })], "/o"],
  ["Gemini, in a worktree", [gemini.readHook("SessionStart", { session_id: "s", cwd: "/t" })], "/t"],
  ["OpenCode", [opencode.readHook("session.created", { sessionID: "s", info: { id: "s", directory: "/w" } })], "/w"],
  [
    "OpenCode, a subagent's session",
    [
      opencode.readHook("session.created", { sessionID: "s", info: { id: "s", directory: "/w" } }),
      opencode.readHook("session.created", { sessionID: "b", info: { id: "b", parentID: "s", directory: "/b" } })
    ],
    "/w"
  ],
  [
    "Cursor: whose directory its hooks name is not known",
    [cursor.readHook("sessionStart", { session_id: "s", cwd: "/w" })],
    null
  ]
]

describe("the directory that a CLI is in", () => {
  it.each(rows)("%s", (_, reports, expected) => {
    const facts = reports
      .flat()
      .reduce((facts, signal, i) => foldSignal(facts, signal, "hook", i + 1, "idle"), start(0, defaultModes).facts)
    assert.strictEqual(facts.directory, expected)
  })
})
