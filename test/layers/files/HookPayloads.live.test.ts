import { assert, describe } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { lineFor } from "../../../src/domain/engine/approvals/Approvals.ts"
import { requestIn } from "../../../src/domain/engine/approvals/requestIn.ts"
import { decide } from "../../../src/domain/policy/decide.ts"
import { claudePermissions } from "../../../src/domain/providers/claude/Permissions.ts"
import { noPolicy } from "../../../src/domain/store/settings/Settings.ts"
import * as DirectoryWatchNode from "../../../src/layers/files/DirectoryWatchNode.ts"
import * as HookInboxSpool from "../../../src/layers/files/HookInboxSpool.ts"
import * as ProcessTableNode from "../../../src/layers/system/ProcessTableNode.ts"
import { type HookDelivery, HookInbox } from "../../../src/services/HookInbox.ts"
import { callHook } from "../../support/wiring/hookScript.ts"
import { liveWith } from "../../support/run/effects.ts"

const layers = HookInboxSpool.layer.pipe(Layer.provide([DirectoryWatchNode.layer, ProcessTableNode.layer]))
const event = "PreToolUse"
const policy = { ...noPolicy, deny: [{ command: "rm *" }], allow: [{}] }
const silent = "leap does not answer"

/** A spool whose hooks are answered by the rules, as a host answers them. */
const session = Effect.gen(function* () {
  const dir = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-payloads-"))),
    (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
  )
  const spool = path.join(dir, "spool")
  const inbox = yield* HookInbox
  yield* inbox.clear(spool)
  const heard: Array<HookDelivery> = []
  const hooks = yield* inbox.watch({ spool, cliPid: process.pid })
  yield* hooks.pipe(
    Stream.runForEach((hook) =>
      Effect.suspend(() => {
        heard.push(hook)
        const asked = requestIn(claudePermissions, hook)
        if (asked === null) return Effect.void
        const decision = decide({ policy, mode: "always", home: "/home/me", tag: "t", cli: "claude" }, asked.request)
        return Effect.forkScoped(hook.reply(lineFor(claudePermissions, { event, ...asked }, decision)))
      })
    ),
    Effect.forkScoped
  )
  yield* inbox.announceAwaited(spool, [event], { [event]: silent })
  return {
    heard,
    /** What the hook prints on this payload. */
    call: (payload: string | Buffer) => Effect.promise(() => callHook({ spool, event, payload }))
  }
})

const command = (line: string, more = "") =>
  `{"tool_name":"Bash","tool_input":{"command":${JSON.stringify(line)},"description":"x"}${more}}`
const verdict = /"permissionDecision":"(\w+)"/

describe("a payload through leap-hook.sh to a decision", () => {
  liveWith(layers)("of 64 MB is answered, in bounded memory, and the next one is, too", function* () {
    const { call, heard } = yield* session
    const before = process.memoryUsage().rss
    const large = Buffer.from(command(`rm -rf build # ${"x".repeat(64 << 20)}`))
    for (const payload of [large, Buffer.alloc(64 << 20, '{"a":'), Buffer.alloc(64 << 20, '"')]) {
      const { code, stdout } = yield* call(payload)
      assert.strictEqual(code, 0)
      // on a busy machine the hook may have given up by then, and says what the rules want in that case
      assert.isTrue(verdict.exec(stdout)?.[1] === "ask" || stdout === `${silent}\n`, stdout)
    }
    assert.isTrue(heard.every(({ flaw, raw }) => flaw !== null && raw.length <= 65_536))
    // the payload itself is this process's, once
    assert.isBelow(process.memoryUsage().rss - before, 500 << 20)
    assert.strictEqual(verdict.exec((yield* call(command("rm x"))).stdout)?.[1], "deny")
    assert.strictEqual((yield* call(command("ls"))).stdout, "")
  })

  liveWith(layers)("that cannot be read as the CLI may read it is asked or denied", function* () {
    const { call } = yield* session
    const cut = Buffer.from(command("ls é"))
    for (const payload of [
      "",
      "{}",
      `\ufeff${command("ls")}`,
      `${command("ls")}${command("rm x")}`,
      `{"tool_input":{"command":"rm x"},${command("ls").slice(1)}`,
      '{"tool_name":"Bash","tool_input":{"command":"ls","command":"rm x","comm\\u0061nd":"ls"}}',
      `{"tool_name":"Bash","tool_input":${"[".repeat(50_000)}${"]".repeat(50_000)}}`,
      command("ls $(".repeat(20_000)),
      // half of a letter
      Buffer.concat([cut.subarray(0, cut.indexOf(0xa9)), cut.subarray(cut.indexOf(0xa9) + 1)])
    ]) {
      const { stdout } = yield* call(payload)
      assert.include(["ask", "deny"], verdict.exec(stdout)?.[1], `${payload.toString().slice(0, 100)}: ${stdout}`)
    }
    assert.strictEqual((yield* call(command("ls é"))).stdout, "")
  })
})
