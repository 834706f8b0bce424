import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"

/** A directory of its own with a git repository `proj` in it, one commit on `main`, for one test. */
export interface Repository {
  /** The directory around it: nothing is beside the repository yet. */
  readonly root: string
  readonly main: string
  /** Without the user's configuration. */
  readonly env: Readonly<Record<string, string>>
  /** What git prints; throws where it fails. */
  readonly git: (cwd: string, ...args: ReadonlyArray<string>) => string
  readonly write: (file: string, text: string) => void
  /** Everything that git and the disk know of worktrees and branches, and nothing that changes by itself. */
  readonly traces: () => unknown
  readonly end: () => void
}

/** A repository with its one commit, made once for each process of tests. */
let template: string | null = null

export const makeRepository = (): Repository => {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "leap-git-")))
  const main = path.join(root, "proj")
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: path.join(root, "home"),
    LEAP_HOME: path.join(root, "leap"),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "t",
    GIT_AUTHOR_EMAIL: "t@example.com",
    GIT_COMMITTER_NAME: "t",
    GIT_COMMITTER_EMAIL: "t@example.com"
  }
  const git = (cwd: string, ...args: ReadonlyArray<string>): string => {
    const ran = spawnSync("git", ["-c", "protocol.file.allow=always", ...args], { cwd, env, encoding: "utf8" })
    if (ran.status !== 0) throw new Error(`git ${args.join(" ")}: ${ran.stderr}`)
    return ran.stdout
  }
  const write = (file: string, text: string): void => {
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, text)
  }
  fs.mkdirSync(path.join(root, "home"))
  if (template === null) {
    const made = fs.mkdtempSync(path.join(os.tmpdir(), "leap-git-template-"))
    process.once("exit", () => fs.rmSync(made, { recursive: true, force: true }))
    git(made, "init", "-q", "-b", "main")
    write(path.join(made, "a.txt"), "a\n")
    git(made, "add", ".")
    git(made, "commit", "-qm", "first")
    template = made
  }
  fs.cpSync(template, main, { recursive: true, preserveTimestamps: true })
  return {
    root,
    main,
    env,
    git,
    write,
    traces: () => ({
      beside: fs.readdirSync(root).filter((name) => name !== "leap"),
      listed: git(main, "worktree", "list", "--porcelain"),
      refs: git(main, "for-each-ref"),
      config: fs.readFileSync(path.join(main, ".git", "config"), "utf8"),
      status: git(main, "status", "--porcelain", "--ignored"),
      admins: fs.existsSync(path.join(main, ".git", "worktrees"))
    }),
    end: () => fs.rmSync(root, { recursive: true, force: true })
  }
}

/** One that is gone with the scope. */
export const aRepository = Effect.acquireRelease(Effect.sync(makeRepository), ({ end }) => Effect.sync(end))
