import { assert, describe, it } from "@effect/vitest"
import { spawn, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"

const script = join(import.meta.dirname, "../../scripts/release/install.sh")
const platform = `linux-${process.arch === "arm64" ? "arm64" : "x64"}`
const other = `linux-${process.arch === "arm64" ? "x64" : "arm64"}`
let place = ""
beforeAll(() => {
  place = fs.mkdtempSync(join(tmpdir(), "leap-install-"))
  fs.chmodSync(place, 0o755)
})
afterAll(() => fs.rmSync(place, { recursive: true, force: true }))

const sumOf = (file: string) => createHash("sha256").update(fs.readFileSync(file)).digest("hex")

/** This Node, and what does in its place what the script asks of one: it renames, and its programs are a shell's. */
const ownNode = `exec '${process.execPath}' "$@"`
const shellNode = 'case $1 in -e) exec mv -fT "$3" "$4" ;; *) exec sh "$@" ;; esac'

/** A folder that a release made: a build in miniature with its checksum. */
const release = (version: string, { node = shellNode, without = "", as = platform } = {}) => {
  const dir = fs.mkdtempSync(join(place, "release-"))
  fs.chmodSync(dir, 0o755)
  const stage = join(dir, `leap-${version}-${as}`)
  fs.mkdirSync(join(stage, "program"), { recursive: true })
  fs.writeFileSync(join(stage, "node"), `#!/bin/sh\n${node}\n`, { mode: 0o755 })
  fs.writeFileSync(
    join(stage, "program/leap.js"),
    node === ownNode
      ? `console.log(process.argv[2] === "upgrade" ? "sessions of ${version}" : "leap ${version}")`
      : `[ "$1" = upgrade ] && echo "sessions of ${version}" || echo "leap ${version}"`
  )
  fs.copyFileSync(script, join(stage, "install.sh"))
  if (without !== "") fs.rmSync(join(stage, without))
  const tarball = `leap-${version}-${as}.tar.gz`
  spawnSync("tar", ["-czf", join(dir, tarball), "-C", dir, `leap-${version}-${as}`])
  fs.rmSync(stage, { recursive: true })
  fs.writeFileSync(join(dir, "SHA256SUMS"), `${sumOf(join(dir, tarball))}  ${tarball}\n`)
  fs.copyFileSync(script, join(dir, "install.sh"))
  return { dir, tarball: join(dir, tarball) }
}

/** A user's home with nothing in it. */
const makeHome = () => {
  const home = fs.mkdtempSync(join(place, "home-"))
  const word = join(home, ".local/bin/leap")
  const env = { HOME: home, PATH: `${join(home, ".local/bin")}:/usr/bin:/bin` }
  const data = join(home, ".local/share/leap")
  const install = (args: ReadonlyArray<string>, more: object = {}, file = script) =>
    spawnSync("sh", [file, ...args], { encoding: "utf8", env: { ...env, ...more }, cwd: home })
  return { data, env, home, install, word, says: () => spawnSync(word, ["--version"], { encoding: "utf8" }).stdout }
}

/** All that lies in a folder: names, kinds, contents. */
const all = (dir: string): ReadonlyArray<string> =>
  fs
    .readdirSync(dir, { recursive: true, withFileTypes: true })
    .map((it) => {
      const file = join(it.parentPath, it.name)
      const what = it.isFile() ? sumOf(file) : it.isSymbolicLink() ? fs.readlinkSync(file) : "folder"
      return `${file} ${what}`
    })
    .toSorted((a, b) => (a < b ? -1 : 1))

describe("the script that installs a build", () => {
  it("puts one word in place from its own folder, a build, a file's address; says what PATH lacks; and again", () => {
    const made = release("9.9.1", { node: ownNode })
    for (const [args, file] of [
      [[], join(made.dir, "install.sh")],
      [[made.dir], script],
      [[made.tarball], script],
      [[`file://${made.dir}`], script]
    ] as const) {
      const user = makeHome()
      const { status, stderr, stdout } = user.install(args, {}, file)
      assert.deepStrictEqual([status, stderr], [0, ""])
      assert.strictEqual(stdout, `leap 9.9.1 is installed in ${user.data}\nnext: leap\n`)
      assert.strictEqual(user.says(), "leap 9.9.1\n")
    }
    const user = makeHome()
    const bare = user.install([made.dir], { PATH: "/usr/bin:/bin" })
    assert.include(bare.stdout, `${join(user.home, ".local/bin")} is not on your PATH`)
    assert.include(bare.stdout, `next: ${user.word}\n`)
    const before = all(user.home)
    assert.match(user.install([made.dir]).stdout, /^leap 9\.9\.1 is installed already/)
    assert.deepStrictEqual(all(user.home), before)
  })

  it("mends what was damaged, and works in folders with blanks and quotes, named by a relative path", () => {
    const made = release("9.9.1")
    const user = makeHome()
    const args = [made.dir, "--to", "it's mine/leap", "--bin", "my bin"]
    assert.strictEqual(user.install(args).status, 0)
    const word = join(user.home, "my bin/leap")
    const says = () => spawnSync(word, ["--version"], { encoding: "utf8" }).stdout
    assert.strictEqual(says(), "leap 9.9.1\n")
    fs.rmSync(join(user.home, "it's mine/leap/current/program/leap.js"))
    assert.strictEqual(says(), "")
    assert.strictEqual(user.install(args).status, 0)
    assert.strictEqual(says(), "leap 9.9.1\n")
  })

  it("takes another build without a moment that has none, keeps the one before, and removes what nothing runs", async () => {
    const user = makeHome()
    const builds = [1, 2, 3].map((n) => release(`9.9.${n}`))
    assert.strictEqual(user.install([builds[0]?.dir ?? ""]).status, 0)
    // each start while builds are replaced is a start of one of them
    const loop = 'while [ ! -e "$1/stop" ]; do leap --version || echo failed; done'
    const starts = spawn("sh", ["-c", loop, "sh", user.home], { env: user.env, stdio: ["ignore", "pipe", "ignore"] })
    let seen = ""
    starts.stdout.setEncoding("utf8").on("data", (text: string) => (seen += text))
    const ended = new Promise((resolve) => starts.once("close", resolve))
    for (const n of [1, 2, 0, 1]) {
      const { stdout } = user.install([builds[n]?.tarball ?? "", "--bin", "-"])
      assert.match(stdout, /^leap \S+ is replaced by \S+\n/)
      // the new build tells which sessions run another one
      assert.include(stdout, `sessions of 9.9.${n + 1}\n`)
      assert.strictEqual(user.says(), `leap 9.9.${n + 1}\n`)
      assert.strictEqual(fs.readdirSync(join(user.data, "builds")).length, 2)
    }
    fs.writeFileSync(join(user.home, "stop"), "")
    await ended
    const lines = seen.trim().split("\n")
    assert.isAbove(lines.length, 4)
    for (const line of lines) assert.match(line, /^leap 9\.9\.[123]$/)
  })

  it("keeps a build that something runs from", () => {
    const user = makeHome()
    const builds = [1, 2, 3].map((n) => release(`9.9.${n}`))
    const install = (n: number) => assert.strictEqual(user.install([builds[n]?.dir ?? "", "--bin", "-"]).status, 0)
    install(0)
    const first = fs.realpathSync(join(user.data, "current"))
    // what /proc names is the program itself: this one is Node by another name
    fs.rmSync(join(first, "node"))
    fs.copyFileSync(process.execPath, join(first, "node"))
    fs.chmodSync(join(first, "node"), 0o755)
    const running = spawn(join(first, "node"), ["-e", "setInterval(() => {}, 1e6)"], { stdio: "ignore" })
    install(1)
    install(2)
    assert.isTrue(fs.existsSync(first))
    assert.strictEqual(fs.readdirSync(join(user.data, "builds")).length, 3)
    running.kill("SIGKILL")
    return new Promise<void>((resolve) =>
      running.once("close", () => {
        install(1)
        assert.isFalse(fs.existsSync(first))
        resolve()
      })
    )
  })

  it("fetches from an address with what holds it to https", () => {
    const made = release("9.9.1")
    const tools = join(place, "tools")
    fs.mkdirSync(tools)
    // stands for curl: the last two words are the file and the address
    const curl = `#!/bin/sh
case "$*" in "-fsSL --proto =https --proto-redir =https -o "*" https://files.example.com/leap/"*) ;; *) exit 9 ;; esac
cp "${made.dir}/\${8##*/}" "$7"
`
    fs.writeFileSync(join(tools, "curl"), curl, { mode: 0o755 })
    for (const address of [
      "https://files.example.com/leap",
      `https://files.example.com/leap/leap-9.9.1-${platform}.tar.gz`
    ]) {
      const user = makeHome()
      const { status, stderr } = user.install([address], { PATH: `${tools}:${user.env.PATH}` })
      assert.deepStrictEqual([status, stderr], [0, ""])
      assert.strictEqual(user.says(), "leap 9.9.1\n")
    }
  })

  it("refuses in one line, and leaves all as it was", () => {
    const made = release("9.9.1")
    const changed = release("9.9.2")
    fs.appendFileSync(changed.tarball, "x")
    const foreign = release("9.9.2", { as: other })
    const unsummed = release("9.9.2")
    fs.rmSync(join(unsummed.dir, "SHA256SUMS"))
    const twice = release("9.9.2")
    fs.appendFileSync(join(twice.dir, "SHA256SUMS"), `${"0".repeat(64)}  leap-9.9.3-${platform}.tar.gz\n`)
    const cut = release("9.9.2")
    fs.truncateSync(cut.tarball, 100)
    fs.writeFileSync(join(cut.dir, "SHA256SUMS"), `${sumOf(cut.tarball)}  leap-9.9.2-${platform}.tar.gz\n`)
    const gone = release("9.9.2")
    fs.rmSync(gone.tarball)
    const theirs = join(place, "leap-9.9.2.tgz")
    fs.writeFileSync(theirs, "")
    const rows: ReadonlyArray<readonly [ReadonlyArray<string>, RegExp]> = [
      [[changed.dir], /is not what SHA256SUMS says \(it is [0-9a-f]{64}, not [0-9a-f]{64}\): nothing was changed/],
      [[foreign.tarball], new RegExp(`is for another platform: this machine wants leap-VERSION-${platform}`)],
      [[foreign.dir], new RegExp(`names no build for ${platform}`)],
      [[unsummed.dir], /has nothing that leap's release made: no SHA256SUMS/],
      [[twice.dir], /names several builds/],
      [[cut.dir], /cannot be unpacked/],
      [[gone.dir], /could not be read/],
      [[release("9.9.2", { without: "program/leap.js" }).dir], /its program or its Node is not in it/],
      [[release("9.9.2", { node: "echo no such loader >&2; exit 1" }).dir], /does not run here \(no such loader\)/],
      [[theirs], /has no Node inside: npm install -g installs it/],
      [["/etc/passwd"], /passwd is no build of leap/],
      [["/nowhere/at/all"], /\/nowhere\/at\/all is not there/],
      [["http://files.example.com/leap"], /only https:\/\/ and file:\/\/ are trusted/],
      [[made.dir, made.dir], /are two$/m],
      [["--cask"], /there is no option --cask/],
      [[made.dir, "--to", "/proc/leap"], /cannot (write to|make) \/proc\/leap/],
      [[made.dir, "--bin", join(theirs, "bin")], /cannot write to .*; --bin names another folder/]
    ]
    for (const isThere of [false, true]) {
      const user = makeHome()
      if (isThere) assert.strictEqual(user.install([made.dir]).status, 0)
      const before = all(user.home)
      for (const [args, says] of rows) {
        const { status, stderr, stdout } = user.install(args)
        assert.deepStrictEqual([status, stdout], [1, ""], `${args.join(" ")}: ${stderr}`)
        assert.match(stderr, /^leap: [^\n]*\n$/)
        assert.match(stderr, says)
        assert.deepStrictEqual(all(user.home), before, args.join(" "))
      }
      if (isThere) assert.strictEqual(user.says(), "leap 9.9.1\n")
    }
  })

  it("leaves a word alone that it did not write, and a folder that is not the user's", () => {
    const made = release("9.9.1")
    const user = makeHome()
    fs.mkdirSync(join(user.home, ".local/bin"), { recursive: true })
    for (const make of [
      () => fs.writeFileSync(user.word, "#!/bin/sh\necho another\n", { mode: 0o755 }),
      () => fs.symlinkSync("/usr/lib/node_modules/leap/bin/leap.cjs", user.word),
      () => fs.mkdirSync(user.word)
    ]) {
      make()
      const before = all(user.home)
      const { status, stderr } = user.install([made.dir])
      assert.strictEqual(status, 1)
      assert.match(stderr, /leap is there and was not written by install\.sh: remove it, or name another folder/)
      assert.deepStrictEqual(all(user.home), before)
      fs.rmSync(user.word, { recursive: true })
    }
    // root may write everywhere
    const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    fs.chmodSync(user.home, 0o555)
    const before = all(user.home)
    // the checkout may be for its owner's eyes alone
    const text = { encoding: "utf8", input: fs.readFileSync(script, "utf8") } as const
    const ran = spawnSync("sh", ["-s", made.dir], { ...text, env: user.env, cwd: "/", ...nobody })
    assert.strictEqual(ran.status, 1)
    assert.match(ran.stderr, /^leap: cannot write to [^\n]*; --to names another folder\n$/)
    assert.deepStrictEqual(all(user.home), before)
    fs.chmodSync(user.home, 0o755)
  })
})
