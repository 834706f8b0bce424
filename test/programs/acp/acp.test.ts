import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { claudeUsage } from "../../../src/domain/providers/claude/Usage.ts"
import { Tag } from "../../../src/domain/words/session/Tag.ts"
import { provider as demo } from "../../../src/layers/providers/demo/Provider.ts"
import { hosted } from "../../support/host/hosted.ts"
import { hostDemo, passing, settle, until } from "../../support/host/stage.ts"
import { FileTailFake } from "../../support/host/FileTailFake.ts"
import { openEditor } from "./editor.ts"
import { each } from "../../support/data/fields.ts"

const place = { cwd: "/work", mcpServers: [] }
const file = "/home/me/transcript.jsonl"

/** The demo CLI as one that keeps a transcript, in the form of another's. */
const writing = { ...demo, usage: claudeUsage, transcript: () => file }
const at = "2026-01-01T00:00:00.000Z"
const asked = (content: string, timestamp = at) => JSON.stringify({ type: "user", timestamp, message: { content } })
const said = (text: string, timestamp = at) =>
  JSON.stringify({ type: "assistant", timestamp, message: { content: [{ type: "text", text }] } })

describe("leap acp", () => {
  hosted("announces what a terminal CLI can do, and nothing else", function* () {
    const { initialized } = yield* openEditor()
    assert.deepStrictEqual(initialized.protocolVersion, 1)
    assert.deepStrictEqual(initialized.agentCapabilities, {
      loadSession: true,
      promptCapabilities: { image: false, audio: false, embeddedContext: false },
      mcpCapabilities: { http: false, sse: false },
      sessionCapabilities: { list: {}, resume: {} }
    })
  })

  hosted(
    "attaches to a living session, prompts it and tells its answer once; its end leaves the session",
    function* () {
      const { cli, client } = yield* hostDemo({ tag: "a" })
      const { attach, call, close, isOver, prompt, texts, updates } = yield* openEditor()
      const { sessions } = yield* call((agent) => agent.request("session/list", {}))
      assert.deepInclude(sessions[0], { sessionId: "a" })
      const { modes } = yield* attach("a")
      assert.strictEqual(modes?.currentModeId, "pause")
      const link = { type: "resource_link" as const, name: "x", uri: "file:///work/a%20b.ts" }
      const { stopReason } = yield* call(() => prompt("a", [{ type: "text", text: "run the tests in " }, link]))
      assert.strictEqual(stopReason, "end_turn")
      assert.deepStrictEqual(cli.texts("submitted"), ["run the tests in /work/a b.ts"])
      assert.deepStrictEqual(texts("agent_message_chunk"), [
        "You asked “run the tests in /work/a b.ts”. That is my answer."
      ])
      // an editor shows its own prompts itself
      assert.deepStrictEqual(texts("user_message_chunk"), [])
      assert.isTrue(updates.every(({ sessionId }) => sessionId === "a"))
      yield* close
      yield* until(isOver, "the end with the editor's")
      assert.strictEqual((yield* client.Status()).state, "idle")
    }
  )

  hosted("starts a session in the editor's directory under a free name", function* () {
    yield* hostDemo({ tag: "app" })
    const started: Array<string> = []
    const context = yield* Effect.context<Effect.Services<ReturnType<typeof hostDemo>>>()
    const { begin, call, prompt } = yield* openEditor({
      launch: (spec) =>
        Effect.suspend(() => {
          started.push(`${spec.tag} ${spec.cli} ${spec.cwd} ${spec.args.join(" ")}`)
          return Effect.asVoid(Effect.orDie(Effect.provideContext(hostDemo(spec), context)))
        }),
      options: { args: ["--fast"] }
    })
    const { sessionId } = yield* begin("/home/me/app")
    assert.strictEqual(sessionId, "app-2")
    assert.deepStrictEqual(started, ["app-2 demo /home/me/app --fast"])
    assert.deepInclude(yield* call(() => prompt(sessionId, "hello")), { stopReason: "end_turn" })
  })

  hosted("shows what others say in the session meanwhile", function* () {
    const { send, status } = yield* hostDemo({ tag: "a" })
    const { attach, texts } = yield* openEditor()
    yield* attach("a")
    yield* settle
    yield* send("from the terminal")
    yield* status.until(({ state }) => state === "running", "its turn")
    yield* until(() => texts("user_message_chunk").length > 0, "the prompt is shown")
    assert.deepStrictEqual(texts("user_message_chunk"), ["from the terminal"])
  })

  hosted("tells what was said before where the CLI writes it down, and what it writes from then on", function* () {
    const { status } = yield* hostDemo({ tag: "a" })
    const { append } = yield* FileTailFake
    yield* append(file, asked("one?"), said("One."), asked("two?"), said("Two."), said("And a half."))
    const { attach, call, prompt, texts, updates } = yield* openEditor({ provider: writing })
    yield* call((agent) => agent.request("session/load", { sessionId: "a", ...place }))
    assert.deepStrictEqual(
      updates.flatMap(({ update }) =>
        "content" in update && update.content !== null && "text" in update.content ? [update.content.text] : []
      ),
      ["one?", "One.", "two?", "Two.", "\n\nAnd a half."]
    )
    const before = updates.length
    yield* settle
    const turn = prompt("a", "three?")
    yield* status.until(({ state }) => state === "running", "its turn")
    yield* append(file, asked("three?", "2026-01-01T00:00:30.000Z"))
    yield* append(file, said("Thinking.", "2026-01-01T00:00:31.000Z"))
    const { stopReason } = yield* call(() => turn)
    assert.strictEqual(stopReason, "end_turn")
    const answer = "You asked “three?”. That is my answer."
    // written down late
    yield* append(file, said(answer, "2026-01-01T00:00:32.000Z"))
    yield* settle
    assert.deepStrictEqual(texts("agent_message_chunk").slice(3), ["Thinking.", `\n\n${answer}`])
    assert.strictEqual(texts("user_message_chunk").length, 2)
    assert.isAbove(updates.length, before)
    // and not again where it attaches without a replay
    yield* TestClock.adjust("1 minute")
    yield* attach("a")
    yield* settle
    assert.strictEqual(texts("agent_message_chunk").length, 5)
  })

  hosted(
    "says that what was said before is not known, in the conversation where the editor has no other place",
    function* () {
      yield* hostDemo({ tag: "a" })
      const withNotices = yield* openEditor()
      yield* withNotices.call((agent) => agent.request("session/load", { sessionId: "a", ...place }))
      assert.match(withNotices.texts("notice").join("\n"), /said before is not told/)
      assert.deepStrictEqual(withNotices.texts("agent_message_chunk"), [])
      const without = yield* openEditor({ notices: false })
      const servers = [{ name: "x", command: "x", args: [], env: [] }]
      yield* without.call((agent) =>
        agent.request("session/load", { sessionId: "a", cwd: "/elsewhere", mcpServers: servers })
      )
      yield* settle
      const told = without.texts("agent_message_chunk").join("\n")
      assert.match(told, /^\[leap\] what was said before is not told/)
      assert.match(told, /\[leap\] session 'a' works in .*, not in \/elsewhere/)
      assert.match(told, /\[leap\] the MCP server of your editor/)
    }
  )

  hosted("takes back a message that waits, interrupts the turn of one that does not, and goes on", function* () {
    const { cli, client, status } = yield* hostDemo({ tag: "a" })
    const { attach, call, cancel, prompt } = yield* openEditor()
    yield* attach("a")
    const first = prompt("a", "long, please")
    yield* status.until(({ state }) => state === "running", "the first turn")
    const second = prompt("a", "never typed")
    yield* status.until(({ queue }) => queue.length === 2, "the second waits")
    yield* cancel("a")
    assert.deepInclude(yield* call(() => first), { stopReason: "cancelled" })
    assert.deepInclude(yield* call(() => second), { stopReason: "cancelled" })
    assert.deepStrictEqual(cli.texts("submitted"), ["long, please"])
    assert.strictEqual((yield* client.Status()).state, "interrupted")
    assert.deepInclude(yield* call(() => prompt("a", "still there?")), { stopReason: "end_turn" })

    const alone = prompt("a", "long again")
    yield* status.until(({ state }) => state === "running", "a turn with nothing behind it")
    yield* cancel("a")
    assert.deepInclude(yield* call(() => alone), { stopReason: "cancelled" })
    yield* status.until(({ state }) => state === "interrupted", "it is interrupted")
  })

  hosted("cancels a prompt that is on its way to the session, and no turn that is not the editor's", function* () {
    const { cli, client, status } = yield* hostDemo({ tag: "a" })
    const { attach, call, cancel, prompt } = yield* openEditor()
    yield* attach("a")
    yield* client.Send({ text: "take your time (tool 2)", images: [], front: false, force: false })
    yield* status.until(({ state }) => state === "running", "a turn of the terminal's")
    const own = prompt("a", "never sent")
    yield* cancel("a")
    assert.deepInclude(yield* call(() => own), { stopReason: "cancelled" })
    yield* status.until(({ state }) => state === "idle", "the turn is over by itself")
    assert.deepStrictEqual(cli.texts("submitted"), ["take your time (tool 2)"])
  })

  hosted("cancels a prompt whose session it has yet to open", function* () {
    const { cli, status } = yield* hostDemo({ tag: "a" })
    const { call, cancel, prompt } = yield* openEditor()
    const own = prompt("a", "never sent")
    yield* cancel("a")
    assert.deepInclude(yield* call(() => own), { stopReason: "cancelled" })
    assert.deepInclude(yield* call(() => prompt("a", "sent")), { stopReason: "end_turn" })
    yield* status.until(({ state }) => state === "idle", "the turn is over")
    assert.deepStrictEqual(cli.texts("submitted"), ["sent"])
  })

  hosted("lets a thread of the editor's finish while another one opens the same session", function* () {
    const { cli, status } = yield* hostDemo({ tag: "a" })
    const { begin, call, cancel, prompt, texts } = yield* openEditor({ options: { tag: Tag.make("a") } })
    yield* begin("/work")
    const first = prompt("a", "take your time (tool 2)")
    yield* status.until(({ state }) => state === "running", "the first thread's turn")
    assert.strictEqual((yield* begin("/work")).sessionId, "a")
    assert.deepInclude(yield* call(() => first), { stopReason: "end_turn" })
    assert.strictEqual(texts("agent_message_chunk").filter((text) => text.includes("take your time")).length, 1)

    const second = prompt("a", "long, please")
    yield* status.until(({ state }) => state === "running", "the next turn")
    yield* begin("/work")
    yield* cancel("a")
    assert.deepInclude(yield* call(() => second), { stopReason: "cancelled" })
    assert.deepStrictEqual(cli.texts("submitted"), ["take your time (tool 2)", "long, please"])
  })

  hosted("leaves a turn alone that is not the editor's", function* () {
    const { cli, send, status } = yield* hostDemo({ tag: "a" })
    const { attach, call, cancel, prompt } = yield* openEditor()
    yield* attach("a")
    yield* send("long, from the terminal")
    yield* status.until(({ state }) => state === "running", "the other's turn")
    const waiting = prompt("a", "never typed")
    yield* status.until(({ queue }) => queue.length === 2, "the editor's waits")
    yield* cancel("a")
    assert.deepInclude(yield* call(() => waiting), { stopReason: "cancelled" })
    yield* cancel("a")
    yield* settle
    assert.strictEqual(status.last()?.state, "running")
    yield* status.until(({ state }) => state === "idle", "its own end")
    assert.deepStrictEqual(cli.texts("submitted"), ["long, from the terminal"])
  })

  hosted("sets the mode, and tells when somebody else does", function* () {
    const { client } = yield* hostDemo({ tag: "a" })
    const { attach, call, refused, updates } = yield* openEditor()
    yield* attach("a")
    yield* call((agent) => agent.request("session/set_mode", { sessionId: "a", modeId: "always" }))
    assert.strictEqual((yield* client.Status()).modes.autoSend, "always")
    yield* client.SetModes({ modes: { autoSend: "pause" } })
    const modes = () =>
      updates.flatMap(({ update }) => (update.sessionUpdate === "current_mode_update" ? [update.currentModeId] : []))
    yield* until(() => modes().length === 2, "both changes are told")
    assert.deepStrictEqual(modes(), ["always", "pause"])
    assert.match(
      yield* refused((agent) => agent.request("session/set_mode", { sessionId: "a", modeId: "yolo" })),
      /no mode/
    )
  })

  hosted("knows no session but its own, none that has ended, and takes no picture", function* () {
    const { client, isOver } = yield* hostDemo({ tag: "a" })
    yield* hostDemo({ tag: "b" })
    const { attach, begin, call, prompt, refused, texts } = yield* openEditor({ options: { tag: Tag.make("a") } })
    const { sessions } = yield* call((agent) => agent.request("session/list", {}))
    assert.deepStrictEqual(each(sessions, "sessionId"), ["a"])
    assert.match(yield* refused(() => prompt("b", "hello")), /for session 'a' alone/)
    assert.match(yield* refused(() => prompt("../b", "hello")), /no session's name/)
    assert.match(
      yield* refused(() => prompt("a", [{ type: "image", data: "", mimeType: "image/png" }])),
      /takes texts and links/
    )
    assert.match(yield* refused(() => prompt("a", " \n")), /empty/)
    const opened = yield* begin("/work")
    assert.strictEqual(opened.sessionId, "a")
    yield* attach("a")
    yield* passing(client.Stop({ force: true }))
    yield* until(isOver, "its end")
    yield* until(() => texts("notice").some((line) => line.includes("has ended")), "the editor is told")
    assert.match(yield* refused(() => prompt("a", "hello")), /has ended/)
    assert.match(
      yield* refused((agent) => agent.request("session/load", { sessionId: "a", ...place })),
      /has ended; 'leap resume --tag a'/
    )
  })
})

describe("dialogs in an editor", () => {
  hosted("have their real options, are answered, and the tools that hooks tell of are shown", function* () {
    const { cli } = yield* hostDemo({ tag: "a" })
    const { asked, attach, call, prompt, updates } = yield* openEditor()
    yield* attach("a")
    const prompted = prompt("a", "please write a file")
    yield* until(
      () => asked.length === 1,
      () => `the dialog; there is ${JSON.stringify(updates)}`
    )
    const { request } = asked[0]!
    assert.strictEqual(request.toolCall.title, "Write notes.md?")
    assert.deepStrictEqual(
      request.options.map(({ kind, name }) => `${kind} ${name}`),
      ["allow_once Yes", "allow_always Yes, and don't ask again for Write", "reject_once No"]
    )
    asked[0]!.answer({ outcome: "selected", optionId: request.options[0]!.optionId })
    assert.deepInclude(yield* call(() => prompted), { stopReason: "end_turn" })
    const tools = updates.flatMap(({ update }) =>
      update.sessionUpdate === "tool_call" || update.sessionUpdate === "tool_call_update" ? [update] : []
    )
    assert.sameMembers(
      tools.map(({ status, toolCallId }) => `${toolCallId} ${status}`),
      ["hook-1 in_progress", "dialog-1 pending", "dialog-1 completed", "hook-1 completed"]
    )
    assert.deepInclude(tools[0], { title: "Write", status: "in_progress", _meta: { leap: { knownBy: "hook" } } })
    assert.deepStrictEqual(cli.texts("submitted"), ["please write a file"])
  })

  hosted("are withdrawn when they are answered in the terminal, and a late answer is not given", function* () {
    const { client, status } = yield* hostDemo({ tag: "a" })
    const { asked, attach, call, prompt } = yield* openEditor()
    yield* attach("a")
    const prompted = prompt("a", "please write a file")
    yield* until(() => asked.length === 1, "the dialog")
    yield* passing(client.Answer({ answer: "No" }))
    yield* until(() => asked[0]!.withdrawn(), "it is withdrawn")
    assert.deepInclude(yield* call(() => prompted), { stopReason: "end_turn" })
    yield* status.until(({ ready }) => ready, "at rest")
  })

  hosted("that are no permissions have no option that an editor would allow by itself", function* () {
    const { cli, status } = yield* hostDemo({ tag: "a" })
    const { asked, attach, call, prompt, texts, updates } = yield* openEditor()
    yield* attach("a")
    const prompted = prompt("a", "ask me")
    yield* until(
      () => asked.length === 1,
      () => `the question; there is ${JSON.stringify([updates, status.last()])}`
    )
    const { options } = asked[0]!.request
    assert.deepStrictEqual(options.map(({ kind, name }) => `${kind} ${name}`).slice(0, 2), [
      "reject_once The short way",
      "reject_once The scenic way"
    ])
    asked[0]!.answer({ outcome: "selected", optionId: "2" })
    assert.deepInclude(yield* call(() => prompted), { stopReason: "end_turn" })
    assert.isAbove(texts("agent_message_chunk").length, 0)
    assert.deepStrictEqual(cli.texts("submitted"), ["ask me"])
  })

  hosted("that are no permissions are forms where an editor has them; permissions stay permissions", function* () {
    yield* hostDemo({ tag: "a" })
    const { asked, attach, call, forms, prompt, texts, updates } = yield* openEditor({ chooses: "2" })
    yield* attach("a")
    assert.deepInclude(yield* call(() => prompt("a", "ask me")), { stopReason: "end_turn" })
    assert.strictEqual(forms.length, 1)
    assert.deepInclude(forms[0], { mode: "form", sessionId: "a", message: "Which way shall it go?" })
    const fields = JSON.stringify(forms[0])
    assert.include(fields, '{"const":"2","title":"The scenic way"}')
    const ends = updates.flatMap(({ update }) =>
      update.sessionUpdate === "tool_call_update" && update.toolCallId === "dialog-1" ? [JSON.stringify(update)] : []
    )
    assert.match(ends.join(""), /Answered: The scenic way/)
    assert.isAbove(texts("agent_message_chunk").length, 0)
    assert.deepStrictEqual(asked, [])

    const writes = prompt("a", "please write a file")
    yield* until(() => asked.length === 1, "the permission")
    asked[0]!.answer({ outcome: "selected", optionId: "3" })
    assert.deepInclude(yield* call(() => writes), { stopReason: "end_turn" })
    assert.strictEqual(forms.length, 1)
  })
})
