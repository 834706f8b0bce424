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
  /** What each of these prints; throws at the first that fails. */
  readonly gits: (
    ...runs: ReadonlyArray<readonly [cwd: string, ...args: ReadonlyArray<string>]>
  ) => ReadonlyArray<string>
  readonly write: (file: string, text: string) => void
  /** Everything that git and the disk know of worktrees and branches, and nothing that changes by itself. */
  readonly traces: () => unknown
  readonly end: () => void
}

/** A repository with its one commit, made once for each process of tests. */
let template: string | null = null

const temporary = (name: string): string => fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), name)))
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`
const copied = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true }

const repositoryIn = (root: string): Repository => {
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
  // by one shell: this process is large, and takes longer to start a program than git takes
  const gits: Repository["gits"] = (...runs) => {
    const lines = runs.map(
      ([cwd, ...args]) =>
        `cd ${quoted(cwd)} && git -c protocol.file.allow=always ${args.map(quoted).join(" ")} || exit; printf '\\0'`
    )
    const ran = spawnSync("/bin/sh", ["-c", lines.join("\n")], { cwd: root, env, encoding: "utf8" })
    if (ran.status !== 0) throw new Error(`${lines.join("\n")}: ${ran.stderr}`)
    return ran.stdout.split("\0").slice(0, -1)
  }
  const write = (file: string, text: string): void => {
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, text)
  }
  return {
    root,
    main,
    env,
    git,
    gits,
    write,
    traces: () => ({
      beside: fs.readdirSync(root).filter((name) => name !== "leap"),
      // work trees, branches, files
      told: gits(
        [main, "worktree", "list", "--porcelain"],
        [main, "for-each-ref"],
        [main, "status", "--porcelain", "--ignored"]
      ),
      config: fs.readFileSync(path.join(main, ".git", "config"), "utf8"),
      admins: fs.existsSync(path.join(main, ".git", "worktrees"))
    }),
    end: () => fs.rmSync(root, { recursive: true, force: true })
  }
}

/** A place whose files are wanted again and again; they go with this process. */
const keep = (repository: Repository): Repository => {
  process.once("exit", repository.end)
  return repository
}

export const makeRepository = (): Repository => {
  if (template === null) {
    const { git, gits, main, write } = keep(repositoryIn(temporary("leap-git-template-")))
    write(path.join(main, "a.txt"), "a\n")
    git(main, "init", "-q", "-b", "main")
    // each commit would start two more programs, to look whether there is something to tidy
    gits([main, "config", "maintenance.auto", "false"], [main, "add", "."], [main, "commit", "-qm", "first"])
    template = main
  }
  const repository = repositoryIn(temporary("leap-git-"))
  fs.mkdirSync(path.join(repository.root, "home"))
  fs.cpSync(template, repository.main, copied)
  return repository
}

/** The text files that name the place in which they are: git's links between work trees, and leap's records. */
const naming = (root: string): ReadonlyArray<string> =>
  fs
    .globSync(["proj.worktrees/*/.git", "proj/.git/worktrees/*/gitdir", "leap/worktrees/*.json"], { cwd: root })
    .map((name) => path.join(root, name))

/**
 * Repositories that are each as this has made one, once for each process of tests. Work trees and leap's records are
 * copied with them.
 */
export const repositoriesLike = (make: (repository: Repository) => Effect.Effect<void, unknown>) => {
  let first: Repository | null = null
  return Effect.gen(function* () {
    if (first === null) {
      const made = keep(makeRepository())
      yield* make(made)
      first = made
    }
    const { root } = first
    const repository = repositoryIn(temporary("leap-git-"))
    fs.cpSync(root, repository.root, copied)
    for (const file of naming(repository.root))
      fs.writeFileSync(file, fs.readFileSync(file, "utf8").replaceAll(root, repository.root))
    return repository
  })
}

/** One that is gone with the scope. */
export const aRepository = Effect.acquireRelease(Effect.sync(makeRepository), ({ end }) => Effect.sync(end))
