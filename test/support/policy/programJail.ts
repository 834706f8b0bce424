import { execFileSync, spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"

/** What a command line has done in the jail. */
export interface JailRun {
  /** The strangers that it started, with their arguments. */
  readonly ran: ReadonlyArray<string>
  /** The secrets that it read. */
  readonly opened: ReadonlyArray<string>
  /** What it changed, below the home directory. */
  readonly changed: ReadonlyArray<string>
  readonly status: number | null
  /** It was ended. */
  readonly late: boolean
}

/** Files of the home directory that nobody may read. */
export const secrets = [".ssh/id_rsa", ".netrc"]

/** No network, processes of its own, and all files read-only but those below the place. */
const jail = `
place=$1
shift
mount --bind "$place" "$place" && mount -o remount,bind,ro / || exit 99
exec "$@"
`
const flags = ["-n", "-m", "--pid", "--fork", "--kill-child", "--mount-proc"]

/** How a jail is made here; null where none can be. */
const maker = (): ReadonlyArray<string> | null =>
  (process.getuid?.() === 0 ? [[], ["-r"]] : [["-r"]])
    .map((user) => [...user, ...flags])
    .find((all) => {
      try {
        execFileSync("unshare", [...all, "true"], { stdio: "ignore" })
        return true
      } catch {
        return false
      }
    }) ?? null

/** Programs that whoever starts them has let out. */
const strangers = ["pwn", "ssh"]

const project: Readonly<Record<string, string>> = {
  "README.md": "# all\n\na b c\n1 2 3\n",
  "a.txt": "b\na\nc\n",
  "b.txt": "1\n2\n2\n",
  "src/a.js": "console.log(1)\n",
  "src/b.c": "int main(void) { return 0; }\n",
  "data.json": '{"a":[1,2],"b":"x"}\n',
  "x.patch": "--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-b\n+x\n",
  Makefile: "all:\n\t@true\n",
  "package.json": '{"name":"p","version":"1.0.0","scripts":{"test":"true"}}\n'
}
/** Files of the project that start a stranger where they are obeyed, and a repository in it that does. */
const traps: Readonly<Record<string, string>> = {
  "x.sed": "1e pwn\n",
  "x.awk": 'BEGIN { system("pwn") }\n',
  "x.mk": "all:;pwn\n$(shell pwn)\n",
  "x.sql": ".shell pwn\n",
  "vendor/HEAD": "ref: refs/heads/main\n",
  "vendor/config":
    "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = pwn\n\tpager = pwn\n",
  "vendor/objects/x": "",
  "vendor/refs/x": ""
}
const home: Readonly<Record<string, string>> = {
  ".ssh/id_rsa": "SECRET\n",
  ".netrc": "SECRET\n",
  ".zshenv": "# mine\n",
  "out/x": "mine\n",
  "Documents/letter": "mine\n"
}

/** A jail below a directory, and the environment of what runs in it. `isTrapped`: with files that nobody may obey. */
export const jailIn = (place: string, isTrapped: boolean) => {
  const write = (top: string, files: Readonly<Record<string, string>>): void => {
    for (const [name, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(path.join(top, name)), { recursive: true })
      fs.writeFileSync(path.join(top, name), text)
    }
  }
  const template = path.join(place, "template")
  write(template, home)
  write(path.join(template, "p"), {
    ...project,
    ...(isTrapped ? traps : {}),
    list: secrets.map((name) => path.join(place, "home", name)).join("\n")
  })
  for (const name of ["bin", "tmp"]) fs.mkdirSync(path.join(place, name))
  for (const name of strangers)
    fs.writeFileSync(
      path.join(place, "bin", name),
      `#!/bin/sh\nprintf '%s\\n' "${name} $*" >>'${path.join(place, "mark")}'\n`,
      { mode: 0o755 }
    )
  const tmp = path.join(place, "tmp")
  const env = {
    PATH: `${path.join(place, "bin")}:/usr/local/bin:/usr/bin:/bin`,
    HOME: path.join(place, "home"),
    LANG: "C.UTF-8",
    TMPDIR: tmp,
    XDG_CACHE_HOME: tmp,
    XDG_DATA_HOME: tmp,
    XDG_STATE_HOME: tmp,
    CARGO_HOME: tmp,
    npm_config_cache: tmp,
    npm_config_update_notifier: "false",
    // it writes down when it has last asked for its newest version
    CHECKPOINT_DISABLE: "1",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@example",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@example",
    // what a program opens by itself shows that it was opened
    GIT_EDITOR: "true",
    GIT_PAGER: "cat",
    PAGER: "cat",
    MANPAGER: "cat",
    DOCKER_HOST: "tcp://127.0.0.1:9"
  }
  const git = (...args: ReadonlyArray<string>) =>
    execFileSync("git", args, { cwd: path.join(template, "p"), env, stdio: "ignore" })
  git("init", "-q", "-b", "main", "--template=")
  git("add", "README.md", "a.txt", "src", "data.json")
  git("commit", "-q", "-m", "one")
  git("commit", "-q", "--allow-empty", "-m", "two")
  git("branch", "feature")
  git("tag", "v1")
  git("remote", "add", "origin", "git@host.example:x")
  execFileSync("tar", ["-cf", "x.tar", "a.txt"], { cwd: path.join(template, "p") })
  execFileSync("gzip", ["-k", "b.txt"], { cwd: path.join(template, "p") })
  fs.writeFileSync(path.join(place, "env.json"), JSON.stringify(env))
  fs.writeFileSync(path.join(place, "secrets.json"), JSON.stringify(secrets))
  fs.cpSync(template, path.join(place, "home"), { recursive: true })

  const made = maker()
  const node = path.join(import.meta.dirname, "../../../node_modules/.bin/node")
  const driver = path.join(import.meta.dirname, "jailed.ts")
  /** Runs these lines in bash in the project, one after the other. */
  const run = async (lines: ReadonlyArray<string>): Promise<ReadonlyArray<JailRun>> => {
    fs.writeFileSync(path.join(place, "lines.json"), JSON.stringify(lines))
    const inside = [place, "nice", "-n", "19", fs.existsSync(node) ? node : process.execPath, driver, place]
    const child = spawn("unshare", [...(made ?? []), "sh", "-c", jail, "jail", ...inside], {
      stdio: ["ignore", "inherit", "inherit"]
    })
    const status = await new Promise((resolve) => child.once("close", resolve))
    if (status !== 0) throw new Error(`the jail ended with ${String(status)}`)
    return JSON.parse(fs.readFileSync(path.join(place, "runs.json"), "utf8")) as ReadonlyArray<JailRun>
  }
  return { run, env, cwd: path.join(place, "home", "p"), home: path.join(place, "home"), canRun: made !== null }
}
