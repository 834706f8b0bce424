import { assert, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { others } from "../../scripts/cli-versions.mjs"
import { cline, qwen } from "./cli/others.ts"
import { hosted, type RealCli, type Session } from "./hosted.ts"
import { say } from "./model/FakeModel.ts"
import { inVersion, olderPrograms } from "./older.ts"

/**
 * Leap's main job with a CLI that it knows by shipped patterns alone: what is queued goes out in order, each message
 * after the turn before it, and nothing is typed into a dialog.
 */
const mainJob = async (cli: RealCli, yes: ReadonlyArray<string>, session: Session) => {
  const { api, leap, project, stays, tag, until } = session
  const texts = ["First, please.", "Second: make it.", "Third, of more\nthan one line."]
  api.script(say("One."), cli.shell("touch made && echo made"), say("Two."), say("Three."))
  for (const text of texts) await leap(["send", tag, "-"], text)
  await until("it asks before the command", ({ state }) => state === "needs_permission")
  await stays("nothing goes into the dialog", 3_000, ({ queue, ready }) => !ready && queue.at(-1)?.status === "queued")
  assert.isFalse(existsSync(join(project, "made")))
  assert.deepStrictEqual(
    api.main.map(({ conversation }) => conversation.at(-1)),
    texts.slice(0, 2)
  )
  await leap([yes[0] ?? "", tag, ...yes.slice(1)])
  await until("all are answered", ({ queue, ready }) => ready && queue.every(({ status }) => status === "done"))
  assert.isTrue(existsSync(join(project, "made")))
  assert.deepStrictEqual(api.main.at(-1)?.conversation, texts)
}

/** What was watched proposes patterns by which this session would have been right. */
const proposes = async ({ leap, project, tag }: Session) => {
  const file = join(project, "session.cast")
  await leap(["record", tag, "--past", file])
  const { screen, states } = JSON.parse(await leap(["clis", "probe", "--from", file, "--json"])) as {
    readonly screen: { readonly box?: ReadonlyArray<string>; readonly busy?: ReadonlyArray<string> }
    readonly states: ReadonlyArray<{ readonly state: string; readonly ready: boolean }>
  }
  assert.isTrue(
    screen.box?.some((source) => source.endsWith("{draft}")),
    JSON.stringify(screen)
  )
  assert.isTrue(
    screen.busy?.some((source) => source.startsWith(" {wheel} ")),
    JSON.stringify(screen)
  )
  assert.isTrue(states.some(({ ready }) => ready))
  assert.isTrue(states.some(({ state }) => state === "running"))
}

const programs = {
  qwen: { cli: () => qwen, yes: ["answer", "1"], isWatched: true },
  // Its dialog has no pointer, and its work is not to be seen in turns that take no time.
  cline: { cli: (folder: string) => cline(join(folder, "cline")), yes: ["keys", "y", "--force"], isWatched: false }
} as const

for (const name of ["qwen", "cline"] as const) {
  const [version = ""] = others[name]
  const folder = olderPrograms(name, version)
  if (folder === null) process.stderr.write(`${name} ${version} is not installed: its tests are skipped\n`)
  describe.skipIf(folder === null)(`${name} ${version}, a CLI without rules of its own`, () => {
    const cli = inVersion(programs[name].cli(folder ?? ""), folder ?? "")
    it("takes what is queued, one after the other, and nothing in its dialog", () =>
      hosted(cli, name, async (session) => {
        await mainJob(cli, programs[name].yes, session)
        if (programs[name].isWatched) await proposes(session)
        assert.strictEqual(session.api.unspoken, 0)
      }))
  })
}
