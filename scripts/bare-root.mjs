// The thorough run's job `bare`: a machine that has a shell, tar and nothing else (Debian's smallest root: no Node, no git,
// no curl, no network), as an ordinary user. From nothing to the first true state, what an upgrade does to sessions that
// run, and what is refused. Where no such root can be made it is skipped, and says why.
//
//     node scripts/bare-root.mjs [RELEASE]     a folder of 'npm run release', which is made else
//
// LEAP_BARE_ROOT: a root that is there, in the place of debootstrap's; it is left as it was but for /release and /home.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import xterm from "@xterm/headless"
import pty from "node-pty"
import { makeChecks, must } from "./run/checks.mjs"

const root = path.dirname(import.meta.dirname)
const at = (...parts) => path.join(root, ...parts)
const { check, counts, end, skip } = makeChecks()
const place = fs.mkdtempSync(path.join(os.tmpdir(), "leap-bare-"))
const bare = process.env.LEAP_BARE_ROOT ?? path.join(place, "root")
const home = "/home/user"
const user = 1000

/** Why there is no bare root on this machine; null once there is one. */
const makeRoot = () => {
  if (process.platform !== "linux" || process.getuid() !== 0) return "a bare root is made on Linux, by root"
  if (spawnSync("unshare", ["--mount", "--pid", "--net", "--fork", "true"]).status !== 0)
    return "this machine has no namespaces of its own for it (unshare --mount --pid --net)"
  if (process.env.LEAP_BARE_ROOT === undefined) {
    const quiet = { stdio: "ignore", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } }
    if (spawnSync("debootstrap", ["--version"]).error !== undefined) {
      spawnSync("apt-get", ["-qq", "update"], quiet)
      if (spawnSync("apt-get", ["-qq", "install", "-y", "debootstrap"], quiet).status !== 0)
        return "debootstrap is not here, and cannot be installed"
    }
    const made = spawnSync("debootstrap", ["--variant=minbase", "stable", bare], { encoding: "utf8" })
    if (made.status !== 0) return `debootstrap made no root: ${made.stdout.trim().split("\n").at(-1)}`
  }
  for (const name of ["node", "git", "curl"])
    if (spawnSync("chroot", [bare, "sh", "-c", `command -v ${name}`]).status === 0) return `the root has a ${name}`
  return null
}

// ---- what is done in it -------------------------------------------------------------------------------------------

/** In namespaces of its own that end with it: its processes, its mounts, and no network at all. */
const inside = (...words) => [
  "unshare",
  ["--mount", "--pid", "--net", "--fork", "--kill-child", "sh", "-c", setUp, "sh", bare, ...words]
]
const setUp = `root=$1; shift
mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" && mount -t tmpfs tmpfs "$root/tmp" && chmod 1777 "$root/tmp" &&
exec chroot --userspec=${user}:${user} "$root" /usr/bin/env -i HOME=${home} USER=user TERM=xterm-256color LANG=C.UTF-8 \\
  PATH=/usr/local/bin:/usr/bin:/bin LEAP_DEMO_PACE=0.2 "$@"`

/** A terminal with a shell in the bare root: what is typed there, and what its screen shows. */
const openShell = () => {
  const size = { cols: 80, rows: 24 }
  const [command, args] = inside("/bin/sh", "-c", `cd ${home} && PS1='$ ' exec sh -i`)
  const shell = pty.spawn(command, args, { ...size, name: "xterm-256color" })
  const screen = new xterm.Terminal({ ...size, allowProposedApi: true, scrollback: 500 })
  shell.onData((data) => screen.write(data))
  // a CLI asks its terminal what it is
  screen.onData((data) => shell.write(data))
  const rows = () => {
    const { active } = screen.buffer
    return Array.from({ length: active.length }, (_, n) => active.getLine(n)?.translateToString(true) ?? "")
  }
  const shows = async (pattern, limit = 20_000) => {
    const end = Date.now() + limit
    for (;;) {
      const text = rows().join("\n")
      if (pattern.test(text)) return text
      must(Date.now() <= end, `${pattern} was not shown within ${limit} ms:\n${text}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  let asked = 0
  /** Runs a line to its end; what it printed. */
  const run = async (line, limit = 60_000) => {
    screen.clear()
    shell.write(`clear; ${line}; echo "ended-$((${++asked}))=$?"\r`)
    const text = await shows(new RegExp(`^ended-${asked}=\\d+$`, "m"), limit)
    return { code: Number(new RegExp(`^ended-${asked}=(\\d+)$`, "m").exec(text)[1]), text }
  }
  return { run, shows, type: (text) => shell.write(text), end: () => shell.kill("SIGKILL") }
}

/** A `claude` that shows the first screen of a recorded one, and waits. */
const standIn = () => {
  const lines = fs.readFileSync(at("test/recordings/claude/bash-yes-80x24.cast"), "utf8").trim().split("\n").slice(1)
  const events = lines.map((line) => JSON.parse(line))
  const typed = events.findIndex(([, kind]) => kind === "i")
  const shown = events.slice(0, typed).flatMap(([, kind, data]) => (kind === "o" ? [data] : []))
  fs.mkdirSync(path.join(bare, "usr/local/share"), { recursive: true })
  fs.writeFileSync(path.join(bare, "usr/local/share/claude-screen"), shown.join(""))
  const script = `#!/bin/sh
[ "$1" != --version ] || { echo "2.1.329 (Claude Code)"; exit; }
stty raw -echo
cat /usr/local/share/claude-screen
exec cat >/dev/null
`
  fs.writeFileSync(path.join(bare, "usr/local/bin/claude"), script, { mode: 0o755 })
}

/** The same build with another text in it: what an upgrade brings. */
const anotherBuild = (release, name) => {
  const other = path.join(bare, "release", "next")
  const unpacked = path.join(place, "unpacked")
  for (const dir of [other, unpacked]) fs.mkdirSync(dir, { recursive: true })
  const tar = (...args) => must(spawnSync("tar", args).status === 0, `tar ${args.join(" ")}`)
  tar("-xzf", path.join(release, name), "-C", unpacked)
  fs.appendFileSync(path.join(unpacked, name.replace(/\.tar\.gz$/, ""), "README.md"), "\nthe next build\n")
  tar("-czf", path.join(other, name), "-C", unpacked, name.replace(/\.tar\.gz$/, ""))
  const sum = createHash("sha256")
    .update(fs.readFileSync(path.join(other, name)))
    .digest("hex")
  fs.writeFileSync(path.join(other, "SHA256SUMS"), `${sum}  ${name}\n`)
}

const main = async () => {
  const why = makeRoot()
  if (why !== null) return skip(why)
  let release = process.argv[2]
  const platform = `${process.platform}-${process.arch}`
  if (release === undefined) {
    release = path.join(place, "release")
    await check("a release is made", () => {
      const args = [at("scripts/release.mjs"), "--to", release, "--only", platform]
      const made = spawnSync(process.execPath, args, { encoding: "utf8" })
      must(made.status === 0, `${made.stdout}${made.stderr}`)
    })
    if (counts.failed > 0) return
  }
  const tarball = fs.readdirSync(release).find((name) => name.endsWith(`${platform}.tar.gz`))
  standIn()
  fs.rmSync(path.join(bare, home), { recursive: true, force: true })
  fs.mkdirSync(path.join(bare, home, "project"), { recursive: true })
  spawnSync("chown", ["-R", `${user}:${user}`, path.join(bare, home)])
  fs.rmSync(path.join(bare, "release"), { recursive: true, force: true })
  fs.cpSync(release, path.join(bare, "release"), { recursive: true })
  anotherBuild(release, tarball)

  const shell = openShell()
  try {
    await shell.shows(/\$ $/m)
    await check("from nothing to the first true state: three commands and one question, within a minute", async () => {
      const begun = Date.now()
      const installed = await shell.run("sh /release/install.sh")
      must(installed.code === 0 && /^leap \S+ is installed in/m.test(installed.text), installed.text)
      must(/\.local\/bin is not on your PATH/.test(installed.text), installed.text)
      shell.type("clear; cd project; ~/.local/bin/leap work\r")
      await shell.shows(/How is Claude Code to start\?/)
      shell.type("\r")
      await shell.shows(/manual mode on/)
      shell.type("\x1c")
      await shell.shows(/\$ $/m)
      shell.type("clear; ~/.local/bin/leap\r")
      await shell.shows(/work .*(idle|ready)/)
      const took = Date.now() - begun
      shell.type("q")
      await shell.shows(/\$ $/m)
      must(took < 60_000, `${took} ms`)
      return `${(took / 1000).toFixed(1)} s`
    })
    await check("is installed again without harm", async () => {
      const { code, text } = await shell.run("PATH=$HOME/.local/bin:$PATH; sh /release/install.sh")
      must(code === 0 && /is installed already/.test(text) && /^next: leap$/m.test(text), text)
    })
    await check("hosts a session, types a message, reads its answer", async () => {
      const lines = [
        "leap hooks install --cli demo",
        "leap one --cli demo --detach",
        'leap send one "say hello" --wait'
      ]
      const { code, text } = await shell.run(lines.join(" && "))
      must(code === 0 && text.includes("say hello"), text)
    })
    await check("is upgraded under it: the session goes on, is told, and moves over", async () => {
      const { code, text } = await shell.run("leap upgrade /release/next")
      must(code === 0 && /is replaced by/.test(text), text)
      must(/^one\s+leap stop one && leap resume --tag one/m.test(text), text)
      const sent = await shell.run('leap send one "still here" --wait && leap doctor')
      must(sent.text.includes("still here"), sent.text)
      const builds = fs.readdirSync(path.join(bare, home, ".local/share/leap/builds"))
      must(builds.length === 2, `builds: ${builds.join(" ")}`)
      await shell.run("leap stop one --force; leap stop work --force; leap one --cli demo --detach")
      const after = await shell.run("leap upgrade")
      must(/every session that runs is hosted by this build/.test(after.text), after.text)
    })
    await check("goes back by the same command", async () => {
      const { code, text } = await shell.run(`leap upgrade /release/${tarball}`)
      must(code === 0 && /^one\s/m.test(text), text)
    })
    const refused = [
      ["a folder that is not the user's", "sh /release/install.sh --to /opt/leap", /^leap: cannot write to \/opt/m],
      ["what is not leap's", "leap upgrade /etc/passwd", /^leap: passwd is no build of leap/m],
      [
        "a changed build",
        `cp -r /release/next /tmp/bad && printf x >>/tmp/bad/${tarball} && leap upgrade /tmp/bad`,
        /^leap: \S+ is not what SHA256SUMS says/m
      ]
    ]
    for (const [what, line, pattern] of refused)
      await check(`refuses ${what}, in a line, and leaves all as it was`, async () => {
        const { code, text } = await shell.run(line)
        must(code === 1 && pattern.test(text), text)
        const still = await shell.run('leap send one "and now" --wait')
        must(still.code === 0, still.text)
      })
    await check("is removed", async () => {
      const { code, text } = await shell.run("leap stop --all --force; leap uninstall --all </dev/null")
      must(code === 0, text)
    })
  } finally {
    shell.end()
  }
}

try {
  await main()
} finally {
  fs.rmSync(place, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}
end("bare", "a bare root")
process.exit()
