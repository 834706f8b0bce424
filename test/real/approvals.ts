import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { AuditEntry } from "../../src/domain/engine/approvals/AuditEntry.ts"
import type { Policy } from "../../src/domain/store/settings/Settings.ts"
import { hosted, type RealCli, type Session } from "./hosted.ts"
import { say } from "./model/FakeModel.ts"
import { rowsOf } from "../support/data/fields.ts"

/** A CLI, with these rules in leap's settings. */
export const ruled = (cli: RealCli, policy: Partial<Policy>): RealCli => ({
  ...cli,
  prepare: (home, project, endpoint) => {
    mkdirSync(join(home, ".config/leap"), { recursive: true })
    writeFileSync(join(home, ".config/leap/settings.json"), JSON.stringify({ policy }))
    return cli.prepare(home, project, endpoint)
  }
})

/** What `leap audit` tells of the session. */
export const audit = async ({ leap, tag }: Session) =>
  (JSON.parse(await leap(["audit", tag, "--json"])) as { readonly entries: ReadonlyArray<AuditEntry> }).entries

/** The states that leap has told of since the session began. */
const told = async ({ env, leap, tag }: Session): Promise<ReadonlyArray<string>> => {
  const file = join(env["HOME"] ?? "", "states.cast")
  await leap(["record", tag, "--past", file])
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => {
      const marker = line.startsWith("[") ? (JSON.parse(line) as readonly [number, string, string]) : null
      return marker?.[1] === "m" && marker[2].startsWith("leap:")
        ? [(JSON.parse(marker[2].slice(5)) as { readonly state: string }).state]
        : []
    })
}

/** Waits until the model has answered so many requests. */
export const answered = (session: Session, count: number) =>
  session.api.until(
    `${count} requests are answered`,
    (main) => main.length === count && main.every(({ endedAt }) => endedAt !== null),
    120_000
  )
/** Waits until the session can take a message. */
export const atRest = ({ until }: Session) => until("at rest", ({ ready, state }) => state === "idle" && ready)

/**
 * What leap answers for the user with one real CLI. `granted`: how that one can be told to go on. `silent`: what its hook
 * can say where nobody decides.
 */
export const approvals = (
  cli: RealCli,
  {
    granted = "hook",
    silent = "asks"
  }: { readonly granted?: "hook" | "key"; readonly silent?: "asks" | "refuses" } = {}
) => {
  describe(`${cli.id}'s permissions`, () => {
    it("always: a tool runs with no dialog left for the user, a question waits; a dialog that stands is answered when the mode becomes always", () =>
      hosted(cli, `${cli.id}-always`, async (session) => {
        const { api, leap, stays, tag } = session
        await leap(["mode", tag, "--auto-send", "always"])
        api.script(cli.shell("mkdir -p out && touch out/one && ls out"), say("The folder is there."))
        await leap(["send", tag, "Make the folder."])
        await answered(session, 2)
        assert.include(api.main[1]?.toolResults.join("\n") ?? "", "one")
        await atRest(session)
        if (granted === "hook") assert.notInclude(await told(session), "needs_permission")
        const [entry, ...more] = await audit(session)
        assert.deepStrictEqual(
          [entry?.verdict, entry?.by, entry?.told, entry?.request?.kind, more],
          ["allow", "mode", granted, "command", []]
        )

        let count = 2
        if (cli.ask !== null) {
          api.script(cli.ask("Which library?", ["alpha", "beta"]), say("Then beta."))
          await leap(["send", tag, "Choose a library."])
          assert.strictEqual(
            (await leap(["wait", tag, "--until", "needs_input", "--timeout", "90"])).trim(),
            "needs_input"
          )
          await stays("the question waits", 4000, ({ ready, state }) => state === "needs_input" && !ready)
          await leap(["answer", tag, "beta"])
          await answered(session, (count += 2))
          assert.match(api.main.at(-1)?.toolResults.join() ?? "", /beta/)
          await atRest(session)
        }

        await leap(["mode", tag, "--auto-send", "pause"])
        api.script(cli.shell("touch out/two && ls out"), say("Two files."))
        await leap(["send", tag, "Make another file."])
        assert.strictEqual(
          (await leap(["wait", tag, "--until", "needs_permission", "--timeout", "90"])).trim(),
          "needs_permission"
        )
        await stays("the dialog waits", 3000, ({ state }) => state === "needs_permission")
        await leap(["mode", tag, "--auto-send", "always"])
        await answered(session, (count += 2))
        assert.include(api.main.at(-1)?.toolResults.join("\n") ?? "", "two")
        await atRest(session)
        const last = (await audit(session)).at(-1)
        assert.deepStrictEqual([last?.event, last?.verdict, last?.by, last?.told], ["screen", "allow", "mode", "key"])
      }))

    it("a deny rule: the tool is refused, the model hears why, the audit says why; an allow rule: it runs, and nobody is asked", () =>
      hosted(
        ruled(cli, { deny: [{ command: "rm *", reason: "nothing is deleted here" }], allow: [{ command: "touch *" }] }),
        `${cli.id}-rules`,
        async (session) => {
          const { api, leap, project, tag } = session
          api.script(cli.shell("rm README.md"), say("I may not."), cli.shell("touch made"), say("It is made."))
          await leap(["send", tag, "Delete the README."])
          await answered(session, 2)
          assert.include(api.main[1]?.toolResults.join("\n") ?? "", "nothing is deleted here")
          assert.include(readFileSync(join(project, "README.md"), "utf8"), "small project")
          await atRest(session)
          const [entry] = await audit(session)
          assert.deepStrictEqual([entry?.verdict, entry?.by, entry?.told], ["deny", "rule", "hook"])
          assert.include(entry?.why ?? "", "nothing is deleted here")

          await leap(["send", tag, "Make a file."])
          await answered(session, 4)
          assert.strictEqual(readFileSync(join(project, "made"), "utf8"), "")
          await atRest(session)
          const last = (await audit(session)).at(-1)
          assert.deepStrictEqual([last?.verdict, last?.by, last?.told], ["allow", "rule", granted])
          if (granted === "hook") assert.notInclude(await told(session), "needs_permission")
        }
      ))

    it("a deny rule holds where the CLI asks nobody; where the host that decided is gone, the CLI asks or refuses", () =>
      hosted(
        ruled(cli, {
          deny: [
            { path: "**/secret.txt", reason: "that is secret" },
            { command: "cat *", reason: "that is secret" }
          ]
        }),
        `${cli.id}-guard`,
        async (session) => {
          const { api, env, leap, project, tag } = session
          writeFileSync(join(project, "secret.txt"), "the word is xyzzy\n")
          api.script(cli.look(join(project, "secret.txt")), say("I may not."))
          await leap(["send", tag, "What is in secret.txt?"])
          await answered(session, 2)
          const heard = api.main[1]?.toolResults.join("\n") ?? ""
          assert.include(heard, "that is secret")
          assert.notInclude(heard, "xyzzy")
          await atRest(session)
          assert.deepStrictEqual(rowsOf(await audit(session), "verdict", "by", "told"), [["deny", "rule", "hook"]])

          // As a host leaves it behind that is killed: it lists the events on which nobody decides any more.
          const spool = join(env["HOME"] ?? "", ".local/state/leap/sessions", tag, "spool")
          const listed = readFileSync(join(spool, "decision"), "utf8")
          const { pid: gone } = spawnSync("true")
          writeFileSync(join(spool, "decision"), listed.replace(/^(leap-decision 2) \d+ /, `$1 ${gone} `))
          assert.include(readFileSync(join(spool, "decision"), "utf8"), ` ${gone} `)
          api.script(cli.shell("touch made && echo made"), say("So it is."))
          await leap(["send", tag, "Make a file."])
          if (silent === "asks") {
            assert.strictEqual(
              (await leap(["wait", tag, "--until", "needs_permission", "--timeout", "90"])).trim(),
              "needs_permission"
            )
            await leap(["answer", tag, "1"])
          }
          await answered(session, 4)
          assert.deepStrictEqual(
            readdirSync(spool).filter((name) => /^(?:taken|gave-up),/.test(name)),
            [],
            "the hooks waited for nobody"
          )
          const result = api.main[3]?.toolResults.join() ?? ""
          assert.strictEqual(existsSync(join(project, "made")), silent === "asks")
          assert.include(result, silent === "asks" ? "made" : "leap does not answer")
          await atRest(session)
        }
      ))
  })
}
