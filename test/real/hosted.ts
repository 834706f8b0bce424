import { assert } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { networkInterfaces } from "node:os"
import { join } from "node:path"
import { type Ran, runLeap, type Status } from "./leap.ts"
import { type Exchange, FakeModel, type Reply, type Wire } from "./model/FakeModel.ts"

/** What a test has to know of a real CLI to run it against a model on loopback. */
export interface RealCli {
  readonly id: string
  readonly wire: Wire
  /**
   * Makes a HOME in which the CLI is past its first start and asks before each tool; gives what it must see beside the
   * box's environment.
   */
  readonly prepare: (home: string, project: string, endpoint: string) => Readonly<Record<string, string>>
  /** Lets the CLI work in one more directory without asking first. */
  readonly trust: (home: string, directory: string) => void
  /** Options for the CLI. */
  readonly args?: ReadonlyArray<string>
  /** The model wants a shell command run for which the CLI asks the user. */
  readonly shell: (command: string) => Reply
  /** The model wants to see a file, for which the CLI asks nobody. */
  readonly look: (file: string) => Reply
  /** The model asks the user to choose; null where the CLI has no such tool in its ordinary mode. */
  readonly ask: ((question: string, options: ReadonlyArray<string>) => Reply) | null
  /** The window that it is known to have here, and whether its model has a price. */
  readonly usage: { readonly window: number; readonly priced: boolean }
  /** The CLI takes a prompt whose turn was interrupted out of the conversation. */
  readonly forgetsInterrupted?: boolean
  /** A mention of a file whose name has blanks is nothing to it, and there is no other way to attach it. */
  readonly attachesNoBlanks?: boolean
  /** A command that runs leap's commands, and what they start. */
  readonly within?: ReadonlyArray<string>
  /** Keys that close a dialog that its start always shows. */
  readonly closes?: ReadonlyArray<string>
  /** Its home, and with that its project, is reached through a link. */
  readonly linked?: true
  /** It runs without leap's hooks, unless its start adds them. */
  readonly unwired?: true
  /** How it is started by these words, where that matters; otherwise without a terminal. */
  readonly starts?: (words: ReadonlyArray<string>, at: Pick<Session, "env" | "project">) => Promise<void>
  /** The text of a prompt as the model gets it. */
  readonly arrives?: (text: string) => string
}

/** Changes a file of settings that is JSON below comments. */
export const changeJson = (file: string, change: (now: Readonly<Record<string, unknown>>) => object) => {
  const now = JSON.parse(readFileSync(file, "utf8").replace(/^\/\/.*$/gm, "")) as Readonly<Record<string, unknown>>
  writeFileSync(file, JSON.stringify(change(now), null, 2))
}

/** A reply that goes on until `end` is called. */
export const endless = (text: string) => {
  let end = () => {}
  const until = new Promise<void>((resolve) => (end = resolve))
  return { reply: { blocks: [{ type: "text", text, until }] } satisfies Reply, end }
}

export const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export interface Session {
  readonly tag: string
  readonly project: string
  /** The environment of its leap commands, which its CLI inherits. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly api: FakeModel
  /** Runs a leap command, which must end with exit code 0. */
  readonly leap: (args: ReadonlyArray<string>, stdin?: string) => Promise<string>
  readonly tryLeap: (args: ReadonlyArray<string>, stdin?: string) => Promise<Ran>
  readonly status: () => Promise<Status>
  readonly until: (what: string, holds: (status: Status) => boolean) => Promise<Status>
  /** Nothing of this changes for a while: checked again and again. */
  readonly stays: (what: string, ms: number, holds: (status: Status) => boolean) => Promise<void>
  readonly screenShows: (text: string) => Promise<void>
}

const patience = 90_000

/** Waits, bounded, until a session's status passes. */
export const untilStatus = async (what: string, status: () => Promise<Status>, holds: (status: Status) => boolean) => {
  const deadline = Date.now() + patience
  for (;;) {
    const now = await status()
    if (holds(now)) return now
    if (Date.now() > deadline) throw new Error(`waited ${patience} ms in vain: ${what}; status ${JSON.stringify(now)}`)
    await sleep(100)
  }
}

/** A small project under version control. */
export const makeProject = (project: string) => {
  mkdirSync(project, { recursive: true })
  writeFileSync(join(project, "README.md"), "# A small project\n")
  const git = (...args: ReadonlyArray<string>) =>
    execFileSync("git", ["-c", "user.name=dev", "-c", "user.email=dev@example.invalid", ...args], {
      cwd: project,
      stdio: "ignore"
    })
  git("init", "-q", "-b", "main")
  git("add", "-A")
  git("commit", "-qm", "start")
}

/** A directory that no other test has, nor this one when it is run for a second time. */
const freshHome = (tag: string): string => {
  for (let round = 1; ; round++) {
    const home = join(process.env["HOME"] ?? "", round === 1 ? tag : `${tag}-${round}`)
    try {
      mkdirSync(home)
      return home
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || round === 20) throw error
    }
  }
}

/** The CLI in a home behind a link, as `/var` and `/tmp` are on macOS. */
export const behindLink = (cli: RealCli): RealCli => ({ ...cli, linked: true })

/** The CLI as it draws where CI runs it: most draw no colours then. */
export const colourless = (cli: RealCli): RealCli => ({
  ...cli,
  prepare: (home, project, endpoint) => ({ ...cli.prepare(home, project, endpoint), CI: "1", NO_COLOR: "1" })
})

/** The real CLI, hosted by leap, wired, past its start, with its prompt empty. */
export const hosted = async (cli: RealCli, tag: string, body: (session: Session) => Promise<void>) => {
  const outside = Object.values(networkInterfaces())
    .flat()
    .filter((it) => it?.internal === false)
  assert.deepStrictEqual(outside, [], "real CLIs run only where there is no network but loopback (npm run test:real)")
  const api = new FakeModel(cli.wire)
  const made = freshHome(tag)
  const home = cli.linked === true ? `${made}-linked` : made
  if (cli.linked === true) symlinkSync(made, home)
  const project = join(home, "project")
  makeProject(project)
  const env = { ...process.env, ...cli.prepare(home, project, await api.open()), HOME: home }
  // what they trust they know by its real name
  if (cli.linked === true) cli.trust(home, realpathSync(project))
  const tryLeap = (args: ReadonlyArray<string>, stdin?: string) => runLeap(env, args, stdin, cli.within)
  const leap = async (args: ReadonlyArray<string>, stdin?: string) => {
    const ran = await tryLeap(args, stdin)
    assert.strictEqual(ran.code, 0, `leap ${args.join(" ")}\n${ran.err}${ran.out}`)
    return ran.out
  }
  const status = async () => {
    const { sessions } = JSON.parse(await leap(["status", tag, "--json"])) as { sessions: ReadonlyArray<Status> }
    const [only, ...others] = sessions
    if (only === undefined || others.length > 0)
      throw new Error(`leap status ${tag} told of ${sessions.length} sessions`)
    return only
  }
  const until = (what: string, holds: (status: Status) => boolean) => untilStatus(what, status, holds)
  const stays = async (what: string, ms: number, holds: (status: Status) => boolean) => {
    const end = Date.now() + ms
    do {
      const now = await status()
      assert.isTrue(holds(now), `${what}; status ${JSON.stringify(now)}`)
      await sleep(200)
    } while (Date.now() < end)
  }
  const screenShows = async (text: string) => {
    const deadline = Date.now() + patience
    while (!(await leap(["screen", tag])).includes(text)) {
      if (Date.now() > deadline)
        throw new Error(`waited ${patience} ms in vain for ${JSON.stringify(text)} on the screen`)
      await sleep(100)
    }
  }
  try {
    if (cli.unwired !== true) await leap(["hooks", "install", "--cli", cli.id])
    const words = [tag, "--cli", cli.id, "--cwd", project]
    const args = cli.args === undefined ? [] : ["--", ...cli.args]
    if (cli.starts === undefined) await leap([...words, "--detach", ...args])
    else await cli.starts([...words, ...args], { env, project })
    if (cli.closes !== undefined) {
      await until("its start asks", ({ state }) => state === "needs_permission")
      await leap(["keys", tag, ...cli.closes])
    }
    await until("the CLI is up", ({ ready, state }) => state === "idle" && ready)
    await body({ tag, project, env, api, leap, tryLeap, status, until, stays, screenShows })
    assert.isNull(api.failure)
    assert.strictEqual(api.unspoken, 0, "every reply was asked for")
  } catch (error) {
    for (const args of [
      ["screen", tag],
      ["why", tag],
      ["status", tag, "--json"]
    ]) {
      const told = await tryLeap(args)
      process.stderr.write(`--- leap ${args.join(" ")}\n${told.out}${told.err}`)
    }
    process.stderr.write(`--- endpoint\n${JSON.stringify(api.exchanges, null, 1)}\n`)
    const file = join(process.env["LEAP_REAL_RECORDS"] ?? home, `${tag}.cast`)
    const recorded = await tryLeap(["record", tag, "--past", file])
    process.stderr.write(`--- recording ${file}${recorded.code === 0 ? "" : `: ${recorded.err}`}\n`)
    throw error
  } finally {
    await tryLeap(["stop", tag, "--force"])
    await api.close()
  }
}

/** Each request came after the reply to the one before had ended. */
export const inOrder = (exchanges: ReadonlyArray<Exchange>) => {
  for (const [index, exchange] of exchanges.entries()) {
    const before = exchanges[index - 1]
    if (before === undefined) continue
    assert.isNotNull(before.endedAt)
    assert.isAtLeast(
      exchange.arrivedAt,
      before.endedAt ?? Infinity,
      `request ${exchange.number} came before the reply to ${before.number} had ended`
    )
  }
}
