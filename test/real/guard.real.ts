import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { answered, audit, ruled } from "./approvals.ts"
import { codex } from "./cli/codex.ts"
import { hosted, type RealCli, type Session } from "./hosted.ts"
import { type Reply, say } from "./model/FakeModel.ts"
import { inVersion, olderPrograms } from "./older.ts"
import { automatic, unasked } from "./silent.ts"

const key = "THE-KEY-OF-THE-TEST"
const deny = { deny: [{ path: "~/secret/**", reason: "it is a secret" }] }

const hide = ({ env }: Session): string => {
  const secret = join(env["HOME"] ?? "", "secret")
  mkdirSync(secret)
  writeFileSync(join(secret, "key.txt"), key)
  return secret
}
const heard = ({ api }: Session): string => api.main.flatMap(({ toolResults }) => toolResults).join("\n")

/** The model wants a file read, in a directory that only the call names. */
const reads = (cmd: string, workdir: string): Reply => {
  const input = { cmd, workdir }
  const script = `const r = await tools.exec_command(${JSON.stringify(input)});\ntext(r.output ?? JSON.stringify(r));`
  const instead = { type: "tool", name: "exec_command", input } as const
  return { blocks: [{ type: "tool", name: "exec", freeform: true, input: script, instead }] }
}

describe.each(automatic.map((cli) => [cli.id, cli] as const))("%s, whose directory is removed under it", (id, cli) => {
  it("gives the model nothing that is denied, or is said not to be wired", () =>
    hosted(ruled(cli, deny), `${id}-guard`, async (session) => {
      const { api, leap, project, status, tag, until } = session
      hide(session)
      api.script(cli.shell("cat ~/secret/key.txt"), say("I may not."))
      await leap(["send", tag, "Show me the key."])
      await answered(session, 2)
      assert.notInclude(heard(session), key)
      await until("at rest", ({ ready }) => ready)
      // the hook of the prompt comes, and none behind it
      let go = () => {}
      const gone = new Promise<void>((resolve) => (go = resolve))
      // where the call names no other directory, there is none left to run it in
      const tool = id === "codex" ? reads("cat ~/secret/key.txt", "/") : cli.shell("cat ~/secret/key.txt")
      const blocks = "blocks" in tool ? tool.blocks : assert.fail("the tool is no reply")
      api.script({ blocks: [{ type: "text", text: "One moment.", until: gone }, ...blocks] }, say("Done."))
      await leap(["send", tag, "Show me the key all the same."])
      await api.until("the model is asked", (main) => main.length === 3, 60_000)
      rmSync(project, { recursive: true })
      go()
      await answered(session, 4)
      process.stderr.write(`${id}: the model ${heard(session).includes(key) ? "has" : "has not"} the key\n`)
      if (!heard(session).includes(key)) return
      await until("it is said", (now) => (now as { readonly unwired?: unknown }).unwired != null)
      const told = (await status()) as { readonly unwired?: { readonly rules: number; readonly text: string } }
      assert.deepStrictEqual(
        [told.unwired?.rules, /about which no hook had asked/.test(told.unwired?.text ?? "")],
        [1, true]
      )
      assert.deepStrictEqual((await audit(session)).map(({ event }) => event).slice(-1), ["unguarded"])
      assert.match(await leap(["why", tag]), /not wired here/)
    }))
})

const old = olderPrograms("codex", "0.130.0")

describe.each<readonly [string, RealCli | null]>([
  ["codex", codex],
  ["codex 0.130", old === null ? null : inVersion(codex, old)]
])("a denied place that only the call of %s names", (name, cli) => {
  it.skipIf(cli === null)("is not read", () =>
    hosted(
      ruled({ ...unasked(cli ?? codex), args: ["--dangerously-bypass-approvals-and-sandbox"] }, deny),
      name.replace(/\W/g, "-"),
      async (session) => {
        const { api, leap, tag } = session
        const secret = hide(session)
        api.script(reads("cat key.txt", secret), say("I may not."))
        await leap(["send", tag, "Show me the key."])
        await answered(session, 2)
        assert.notInclude(heard(session), key)
        assert.match(heard(session), /it is a secret/)
      }
    )
  )
})
