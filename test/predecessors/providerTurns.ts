import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { claudeUsage } from "../../src/domain/providers/claude/Usage.ts"
import { codexHistory } from "../../src/domain/providers/codex/History.ts"
import { codexUsage } from "../../src/domain/providers/codex/Usage.ts"
import { copilotHistory } from "../../src/domain/providers/copilot/History.ts"
import { geminiHistory } from "../../src/domain/providers/gemini/History.ts"
import { geminiUsage } from "../../src/domain/providers/gemini/Usage.ts"
import { builtin } from "../support/providers.ts"
import * as Claude from "../../src/layers/providers/claude/Provider.ts"
import * as Codex from "../../src/layers/providers/codex/Provider.ts"
import * as Copilot from "../../src/layers/providers/copilot/Provider.ts"
import * as CursorAgent from "../../src/layers/providers/cursor-agent/Provider.ts"
import * as Gemini from "../../src/layers/providers/gemini/Provider.ts"
import type { UsageReader } from "../../src/domain/cli/usage/UsageReader.ts"
import { holds } from "./support/ScenarioTrace.ts"
import { type ListedRows, numbered, type ScenarioRow } from "./support/scenarioTable.ts"
import { account } from "../support/data/account.ts"

/** What was said in a session, and how its turns end by what the CLI writes and draws. */
export const ids = [...numbered("N", 7), ...numbered("O", 9, 6)]

type Check = ScenarioRow["check"]

/** Several checks for one row. */
const all =
  (...checks: ReadonlyArray<Check>): Check =>
  () =>
    Effect.forEach(checks, (check) => Effect.suspend(() => check() ?? Effect.void), { discard: true })
/** Traces in the notation of the state scenarios, each a session of its own. */
const traces = (provider: string, ...each: ReadonlyArray<string>): Check =>
  holds("", "", provider, each.map((trace, i) => `[#${i + 1}]; ${trace}`).join("; ")).check
const atStart = (provider: string, trace: string): Check => holds("", "", provider, trace, { cold: true }).check

const promptIn = (reader: UsageReader, records: ReadonlyArray<unknown>) => account(reader, { records }).lastPrompt
const codexPrompt = (message: unknown) => ({ type: "event_msg", payload: { type: "user_message", message } })
const geminiPrompt = (content: unknown) => ({ type: "user", content })
const user = (
  content: unknown,
  more: Readonly<Record<string, unknown>> = { timestamp: "2026-11-21T10:00:00.000Z" }
) => ({ type: "user", message: { role: "user", content }, ...more })
const marker = "[Request interrupted by user]"
const five = [Claude.provider, Codex.provider, CursorAgent.provider, Gemini.provider, Copilot.provider] as const

const followed =
  "the session's own transcript is followed, which its hooks name: no directory is searched and no result cached"
const status =
  "that a tool runs is told by the CLI's hooks and its status file, at once: of the transcript only a stop is taken, which nothing else may tell"
const moves = "the running indicator moves, as the CLI's does: one that stands still is believed for ten seconds only"
const turn = "send ⇒RUN; out[clr: txt / SPIN]"
const ends = "out[clr: txt]; sig=IDLE; poll→IDLE"

export const rows: ReadonlyArray<ScenarioRow> = [
  {
    id: "N-01",
    says: "Copilot's prompts, oldest first; none of what is no such file",
    check: () => {
      assert.deepStrictEqual(copilotHistory.prompts('{"commandHistory":["new","old"]}', "/p"), ["old", "new"])
      for (const text of ["", "{", "[]", '{"commandHistory":"new"}'])
        assert.deepStrictEqual(copilotHistory.prompts(text, "/p"), [])
    }
  },
  {
    id: "N-02",
    says: "Codex's last prompt is the user's; none of nothing",
    differs: followed,
    check: () => {
      assert.strictEqual(
        promptIn(codexUsage, [
          codexPrompt("one"),
          5,
          null,
          [],
          {},
          { type: "event_msg" },
          codexPrompt("two"),
          codexPrompt("<environment_context>\n<cwd>/p</cwd>")
        ]),
        "two"
      )
      for (const records of [[], [codexPrompt(5)], [codexPrompt(" ")]]) assert.isNull(promptIn(codexUsage, records))
      assert.strictEqual(
        codexHistory.file({ HOME: "/home/me", CODEX_HOME: "/other" }, "/p", null),
        "/other/history.jsonl"
      )
    }
  },
  {
    id: "N-03",
    says: "Gemini's last prompt, its parts put together; none of nothing",
    check: () => {
      assert.strictEqual(
        promptIn(geminiUsage, [geminiPrompt([{ text: "first" }]), geminiPrompt([{ text: "one " }, { text: "two" }])]),
        "one two"
      )
      assert.isNull(promptIn(geminiUsage, []))
      assert.isNull(geminiHistory.file({ HOME: "/home/me" }, "/p", null))
    }
  },
  {
    id: "N-04",
    says: "the last answer: a hook's text, else the transcript's; none of nothing",
    check: () => {
      const hooked = (last_assistant_message: unknown) =>
        Claude.provider.detection
          .readHook("Stop", { last_assistant_message })
          .flatMap((signal) => (signal._tag === "TurnEnded" ? [signal.response] : []))
      assert.deepStrictEqual(["Done.", undefined, 5].map(hooked), [["Done."], [null], [null]])
      const answer = { type: "assistant", message: { content: [{ type: "text", text: "It is 42." }] } }
      assert.strictEqual(account(claudeUsage, { records: [answer, user("thanks")] }).lastResponse, "It is 42.")
      assert.isNull(account(claudeUsage, { records: [] }).lastResponse)
    }
  },
  {
    id: "N-05",
    says: "Claude's transcript: a stop by the user counts, once and for its own turn; what only looks like one does not; a tool or an answer ends nothing",
    differs: status,
    check: all(
      () => {
        const read = (record: unknown) => Claude.provider.detection.readTranscript(record).map(({ _tag }) => _tag)
        for (const content of [
          marker,
          [{ type: "text", text: marker }],
          [{ type: "image" }, { type: "text", text: marker }],
          [
            { type: "text", text: marker },
            { type: "text", text: marker }
          ]
        ]) {
          assert.deepStrictEqual(read(user(content)), ["Interrupted"])
        }
        for (const record of [
          user([{ type: "text", text: `What does ${marker} mean?` }]),
          user(marker, {}),
          user(marker, { timestamp: "noon" }),
          user([]),
          {
            type: "assistant",
            timestamp: "2026-11-21T10:00:00.000Z",
            message: { stop_reason: "tool_use", content: [] }
          },
          "garbage",
          null,
          5,
          []
        ])
          assert.deepStrictEqual(read(record), [])
        for (const { detection, id } of five)
          if (id !== "claude") assert.deepStrictEqual(detection.readTranscript(user(marker)), [], id)
      },
      traces(
        "claude",
        `${turn}; transcript A tool_use; poll→RUN; transcript U tool_result; poll→RUN; ${ends}`,
        `${turn}; transcript A end_turn; poll→RUN; ${ends}`,
        ...["U marker", "U marker as a string", "U image and marker"].map(
          (entry) =>
            `${turn}; transcript A tool_use; transcript untyped; transcript ${entry}; out[clr: txt]; poll→INTR; sig=IDLE; poll→INTR`
        ),
        `${turn}; transcript A tool_use; transcript U tool_result; transcript U marker; transcript U marker; out[clr: txt]; poll→INTR`,
        `transcript U marker; transcript U text; ${turn}; transcript A tool_use; poll→RUN; ${ends}`,
        `@5; ${turn}; transcript U marker @2; poll→RUN; ${ends}`
      )
    )
  },
  {
    id: "N-06",
    says: "a tool that runs is no end, whatever a hook says; a tool of before, and no transcript at all, hold nothing up",
    differs: `${status}; its indicator moves meanwhile: against a prompt that stands still, the file is believed for a minute`,
    check: traces(
      "claude",
      'send ⇒RUN; session {"status":"busy"}; transcript A tool_use; out[clr: txt / SPIN]; paint +70s; poll→RUN',
      't0=1; send ⇒RUN; session {"status":"busy"}; transcript A tool_use; out[c+ clr: >]; @40; poll→RUN; @80; poll→IDLE',
      `${turn}; session {"status":"busy"}; transcript A tool_use; sig=IDLE; poll→RUN`,
      `${turn}; transcript A end_turn; ${ends}`,
      "transcript A tool_use; @5; send ⇒RUN; out[clr: txt]; sig=IDLE; poll→IDLE",
      "send ⇒RUN; out[clr: txt]; sig=IDLE; poll→IDLE"
    )
  },
  {
    id: "N-07",
    says: "Codex's turn ends with its own session's hook, not with an older one's or another session's; the hook has the answer",
    differs: "the end is told by hooks with the session's id, at once: no rollout file has to be guessed",
    check: all(
      () => {
        assert.deepInclude(
          Codex.provider.detection.readHook("Stop", { session_id: "own", last_assistant_message: "Done." }),
          { _tag: "TurnEnded", response: "Done.", background: null }
        )
      },
      traces(
        "codex",
        'send ⇒RUN; hook UserPromptSubmit {"session_id":"own","prompt":"go"}; out[clr: txt / SPIN]; poll→RUN; hook notify {"type":"agent-turn-complete","thread-id":"other"}; poll→RUN; out[clr: txt]; hook Stop {"session_id":"own","last_assistant_message":"ok"}; poll→IDLE',
        'hook Stop {"last_assistant_message":"ok"}; @5; send ⇒RUN; out[clr: txt / SPIN]; poll→RUN',
        'send ⇒RUN; out[clr: txt]; hook Stop {"last_assistant_message":"ok"}; poll→IDLE'
      )
    )
  },
  {
    id: "O-06",
    says: "Codex: silence ends a turn, a hidden cursor begins none, its banner is an interrupt, another CLI's words are nothing",
    differs: "its dialogs and its running row are read by their structure today, beside the silence",
    check: traces(
      "codex",
      "send ⇒RUN; @1; out[txt]; @10; poll→IDLE",
      'in "x"; out[c- txt]; poll→IDLE',
      'in "x"; send ⇒RUN; out[CONVINT] ⇒INTR',
      'in "x"; out[clr: COMPACT]; =IDLE'
    )
  },
  {
    id: "O-07",
    says: "Copilot: its footers say what it does, whatever else is drawn; it stays stopped until the next prompt",
    differs: `${moves}; an interrupt lasts until the next prompt, since the user stopped the queue with it`,
    check: traces(
      "copilot",
      "send ⇒RUN; out[c+ clr: BUSY]; paint +100s; poll→RUN; out[c+ clr: ❯row+IDLEFOOT]; @120; poll→IDLE",
      "t0=1000; send ⇒RUN; (out[c+ clr: ❯row+IDLEFOOT]; poll→RUN) ×3; +0.7s; (out[c+ clr: ❯row+IDLEFOOT]; poll→IDLE) ×3",
      'send ⇒RUN; out[c- clr: Nav+FOOT+·]; poll→PERM; in "x"; @5; poll→PERM',
      "send ⇒RUN; out[c+ clr: txt / ❯1. / opt / Nav+FOOT+· / BUSY]; @0.5; poll→PERM",
      "send ⇒RUN; out[c+ clr: EscCan+EnterConf+·]; @2.5; poll→INPUT",
      'send ⇒RUN; out[c+ clr: ❯row+EscCan+EnterSub+·~long]; @2.5; poll→INPUT; in "42"; in ⏎; out[c+ clr: ❯row+EscCan+EnterSub+·~long]; @5; poll→INPUT',
      "send ⇒RUN; @3; out[c+ clr: ❯row+IDLEFOOT]; poll→IDLE; @4; out[c- clr: ❯row+IDLEFOOT]; poll→IDLE; @5; out[c+ clr: BUSY] ⇒RUN",
      "send ⇒RUN; out[c+ clr: ❯row+IDLEFOOT / BUSY]; @5; poll→IDLE",
      'send ⇒RUN; in ^C; out[c+ clr: CANCELLED / ❯row+IDLEFOOT] ⇒INTR; poll→INTR; ready?→F; in "go on⏎" ⇒RUN; out[c+ clr: BUSY]; poll→RUN'
    )
  },
  {
    id: "O-08",
    says: "trust is asked for at the start, and answered; a banner asks nothing",
    check: all(
      atStart("claude", "out[clr: TRUST] ⇒PERM; send ⇒RUN; in ⏎; @1; out[clr: txt]; sig=IDLE; poll→IDLE"),
      atStart("claude", "out[clr: txt×2 / HR / ❯row / HR]; poll→IDLE")
    )
  },
  {
    id: "O-09",
    says: "a hook's word that means nothing changes nothing; every CLI's hooks tell the end of a turn, and what they ask",
    differs:
      "there is no file that holds one state: each event counts once, at its time, and those of an earlier host are thrown away at the start; Cursor's hooks do not tell that it asks, its screen does",
    check: all(
      traces(
        "claude",
        ...["not json {{{", "[]", "{}", "null", "bogus"].map((raw) => `send ⇒RUN; sig:=${raw}; poll→RUN`),
        "send ⇒RUN; out[clr: FOOT]; sig='has_question'; poll→INPUT"
      ),
      () => {
        const tags = (record: (typeof five)[number], event: string, payload: unknown) =>
          record.detection.readHook(event, payload).map(({ _tag }) => _tag)
        for (const [record, event] of [
          [Claude.provider, "Stop"],
          [Codex.provider, "Stop"],
          [CursorAgent.provider, "stop"],
          [Gemini.provider, "AfterAgent"],
          [Copilot.provider, "agentStop"]
        ] as const) {
          assert.include(tags(record, event, {}), "TurnEnded", record.id)
        }
        for (const [record, event, permission, question] of [
          [Claude.provider, "PermissionRequest", { tool_name: "Bash" }, { tool_name: "AskUserQuestion" }],
          [
            Gemini.provider,
            "Notification",
            { notification_type: "ToolPermission" },
            { notification_type: "ToolPermission", details: { type: "ask_user" } }
          ],
          [
            Copilot.provider,
            "notification",
            { notification_type: "permission_prompt" },
            { notification_type: "elicitation_dialog" }
          ]
        ] as const) {
          const kinds = [permission, question].map((payload) =>
            record.detection
              .readHook(event, payload)
              .flatMap((signal) => (signal._tag === "Asked" ? [signal.kind] : []))
          )
          assert.deepStrictEqual(kinds, [["permission"], ["question"]], record.id)
        }
        assert.deepStrictEqual(tags(Codex.provider, "PermissionRequest", { tool_name: "Bash" }), ["Asked"])
        assert.deepStrictEqual(tags(Codex.provider, "PreToolUse", { tool_name: "request_user_input" }), [
          "ToolStarted",
          "Asked"
        ])
        for (const { detection, id } of builtin) {
          for (const payload of [null, [], 5, "x", { state: [] }]) {
            assert.deepStrictEqual(
              detection.readHook("Nobody knows this", payload).filter(({ _tag }) => _tag !== "Ignored"),
              [],
              id
            )
          }
        }
      }
    )
  }
]

export const listed: ReadonlyArray<ListedRows> = []
