// A CLI that goes to another directory by itself: leap shows it, with its branch, and goes on there.
import { assert, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { mkdirSync, realpathSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { hosted, makeProject, type RealCli, type Session } from "./hosted.ts"
import type { Status } from "./leap.ts"
import { type Reply, say } from "./model/FakeModel.ts"

interface Place extends Status {
  readonly cwd: string
  readonly branch: string | null
}
const isAt = (cwd: string, branch: string) => (status: Status) => {
  const now = status as Place
  return now.cwd === cwd && now.branch === branch && now.state === "idle" && now.ready
}
/** Another repository beside the project, with its own branch. */
const besides = ({ project }: Session) => {
  const other = join(dirname(realpathSync(project)), "other")
  mkdirSync(other)
  makeProject(other)
  execFileSync("git", ["checkout", "-q", "-b", "elsewhere"], { cwd: other })
  return other
}
const ends = async ({ leap, tag, until }: Session) => {
  await leap(["stop", tag])
  await until("it has ended", ({ state }) => state === "exited")
}
/** A message whose turn calls a tool, which the CLI may ask for. */
const asks = async ({ api, leap, tag, until }: Session, text: string, reply: Reply) => {
  api.script(reply, say("Done."))
  await leap(["send", tag, text])
  const isOver = ({ ready, state }: Status) => api.unspoken === 0 && state === "idle" && ready
  const { state } = await until(text, (now) => now.state === "needs_permission" || isOver(now))
  if (state === "needs_permission") await leap(["answer", tag, "1"])
  await until(`${text} is over`, isOver)
}
const calls = (name: string, input: unknown): Reply => ({ blocks: [{ type: "tool", name, input }] })
const resumed = ({ leap, tag }: Session) => leap(["resume", "--tag", tag, "--last", "--there", "--detach"])

/** How the user takes the CLI to another directory, what that asks, and what is answered. */
const ways: ReadonlyArray<readonly [RealCli, command: string, answer: string, asks: string]> = [
  [claude, "/cd", "Yes, move here", "Moving to a new directory"],
  [copilot, "/cwd", "2", "Confirm folder trust"]
]

it.each(
  ways.map(([cli, command, answer, question]) => [`${cli.id}: ${command}`, cli, command, answer, question] as const)
)("%s is followed, and gone on in; a cd of its shell is not", (_, cli, command, answer, question) =>
  hosted(cli, `${cli.id}-directory`, async (session) => {
    const { api, leap, project, screenShows, status, tag, until } = session
    const other = besides(session)
    const home = realpathSync(project)
    assert.isTrue(isAt(home, "main")(await status()))
    api.script(say("Hello."))
    await leap(["send", tag, "hello", "--wait", "--timeout", "60"])
    await leap(["send", tag, `${command} ${other}`])
    await screenShows(question)
    await until("it asks", ({ state }) => state === "needs_permission")
    await leap(["answer", tag, answer])
    await until("where it went", isAt(other, "elsewhere"))
    mkdirSync(join(other, "deep"))
    await asks(session, "go deeper", cli.shell("cd deep && touch new.txt"))
    assert.isTrue(isAt(other, "elsewhere")(await status()))
    await ends(session)
    await resumed(session)
    await until("it goes on where it was", isAt(other, "elsewhere"))
    await ends(session)
    rmSync(other, { recursive: true })
    const gone = await session.tryLeap(["resume", "--tag", tag, "--last", "--there", "--detach"])
    assert.notStrictEqual(gone.code, 0)
    assert.include(gone.err, `${other} is not there any more`)
  })
)

/** Where the CLI goes without asking, and tells so with its next prompt or at once. */
const goes: ReadonlyArray<readonly [RealCli, command: (other: string) => string, branch: RegExp]> = [
  [codex, (other) => `/cd ${other}`, /^elsewhere$/],
  [copilot, () => "/worktree", /^worktree-/]
]

it.each(goes.map(([cli, command, branch]) => [`${cli.id}: ${command("")}`, cli, command, branch] as const))(
  "%s without a question is followed, and gone on in",
  (_, cli, command, branch) =>
    hosted(cli, `${cli.id}-goes`, async (session) => {
      const { api, leap, project, status, tag, until } = session
      const other = besides(session)
      const home = realpathSync(project)
      cli.trust(dirname(project), other)
      api.otherwise = say("Hello.")
      await leap(["send", tag, "hello", "--wait", "--timeout", "60"])
      await leap(["send", tag, command(other)])
      await until("it rests", ({ ready, state }) => state === "idle" && ready)
      await leap(["send", tag, "hello there", "--wait", "--timeout", "60"])
      const went = (now: Status) => (now as Place).cwd !== home && branch.test((now as Place).branch ?? "")
      const { cwd } = (await until("where it went", went)) as Place
      await ends(session)
      await resumed(session)
      await until("it goes on there", isAt(cwd, ((await status()) as Place).branch ?? ""))
      await leap(["send", tag, "hello again", "--wait", "--timeout", "60"])
      assert.deepStrictEqual(api.main.at(-1)?.conversation, ["hello", "hello there", "hello again"])
    })
)

it("claude: a worktree of its own is shown with its branch, gone on in, and left again", () =>
  hosted(claude, "claude-worktree", async (session) => {
    const { project, status, until } = session
    const home = realpathSync(project)
    const tree = join(home, ".claude/worktrees/feature-x")
    await asks(session, "enter", calls("EnterWorktree", { name: "feature-x" }))
    await until("the worktree", isAt(tree, "worktree-feature-x"))
    // what is not kept anywhere else keeps the worktree at the end
    execFileSync("touch", [join(tree, "new.txt")])
    await ends(session)
    assert.strictEqual(((await status()) as Place).cwd, tree)
    await resumed(session)
    await until("it goes on in the worktree", isAt(tree, "worktree-feature-x"))
    await asks(session, "leave", calls("ExitWorktree", { action: "keep" }))
    await until("back", isAt(home, "main"))
  }))
