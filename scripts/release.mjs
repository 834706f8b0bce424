// Makes what a release is, in dist/release: the package, a build with Node inside for Linux on x64 and arm64, the script
// that installs one, checksums, and a document of all that is in them. Publishes nothing, and changes nothing else.
//
//   npm run release
//   npm run release -- --tag       makes git's tag for it, too, where the tree is clean and CHANGELOG.md says the version
//   node scripts/release.mjs --to DIR [--only linux-x64]
//
// A build is a small launcher beside a Node. A single executable of Node's own was measured (24.21, two cores): `status`
// 28.9 ms against 29.0 of Node itself and 30 of the launcher; but it takes no flags of V8's on its command line, which
// hosts have, and so starts no session.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import fs from "node:fs"
import path from "node:path"
import { closureOf, sbomOf } from "./pack/sbom.mjs"

const root = path.dirname(import.meta.dirname)
const at = (...parts) => path.join(root, ...parts)
const valueOf = (flag) => {
  const index = process.argv.indexOf(flag)
  return index < 0 ? undefined : process.argv[index + 1]
}
const target = path.resolve(valueOf("--to") ?? at("dist", "release"))
const platforms = ["linux-x64", "linux-arm64"].filter((one) => one === (valueOf("--only") ?? one))
const own = JSON.parse(fs.readFileSync(at("package.json"), "utf8"))
const lock = JSON.parse(fs.readFileSync(at("package-lock.json"), "utf8"))
const say = (text) => process.stdout.write(`${text}\n`)

/** Runs a program to its end; its output. */
const run = (command, args, options = {}) => {
  const { error, status, stderr, stdout } = spawnSync(command, args, { encoding: "utf8", ...options })
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${error?.message ?? stderr}`)
  return stdout.trim()
}

// ---- what goes into a build ---------------------------------------------------------------------------------------

const nameAt = (place) => lock.packages[place].name ?? place.slice(place.lastIndexOf("node_modules/") + 13)

/** The folder of a package of the lock file: the one that is installed, or fetched and held to the lock file's hash. */
const folderOf = (place, scratch) => {
  if (fs.existsSync(at(place, "package.json"))) return at(place)
  const { integrity, version } = lock.packages[place]
  const spec = `${nameAt(place)}@${version}`
  const [made] = JSON.parse(run("npm", ["pack", "--json", "--prefer-offline", "--pack-destination", scratch, spec]))
  const file = path.join(scratch, made.filename)
  const is = `sha512-${createHash("sha512").update(fs.readFileSync(file)).digest("base64")}`
  if (is !== integrity) throw new Error(`${spec} is not what package-lock.json says: ${is}`)
  const folder = fs.mkdtempSync(path.join(scratch, "package-"))
  run("tar", ["-xzf", file, "-C", folder, "--strip-components=1"])
  return folder
}

/** What is run beside leap's own files; of the addon the binary for this platform alone. */
const installedOn = (platform) => {
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(target, "package", "package.json"), "utf8"))
  const [os, cpu] = platform.split("-")
  return closureOf(lock, Object.keys(dependencies), (_, its) =>
    [its.os ?? os, its.cpu ?? cpu].every((one, n) => [one].flat().includes([os, cpu][n]))
  ).filter((place) => !/node_modules\/(@types\/|undici-types$)/.test(place))
}

/** The start of a build that was unpacked by hand: install.sh writes a shorter one. */
const launcher = `#!/bin/sh
# leap, with the Node beside it; links to this file are followed
self=$0
while [ -L "$self" ]; do
  link=$(readlink "$self")
  case $link in
    /*) self=$link ;;
    *) self=\${self%/*}/$link ;;
  esac
done
case $self in
  */*) root=\${self%/*}/.. ;;
  *) root=.. ;;
esac
exec "$root/node" "$root/program/leap.js" "$@"
`

const buildFor = (platform, scratch, seconds) => {
  const name = `leap-${own.version}-${platform}`
  const stage = path.join(scratch, name)
  fs.mkdirSync(stage)
  // the library and its sources are for those who have a Node
  for (const part of ["LICENSE", "README.md", "SECURITY.md", "THIRD-PARTY-NOTICES", "docs", "hooks", "program"])
    fs.cpSync(path.join(target, "package", part), path.join(stage, part), { recursive: true })
  const places = installedOn(platform)
  for (const place of places)
    fs.cpSync(folderOf(place, scratch), path.join(stage, place), {
      recursive: true,
      filter: (file) => !/\.(d\.[cm]?ts|map)$/.test(file)
    })
  const node = folderOf(`node_modules/node-${platform}`, scratch)
  fs.copyFileSync(path.join(node, "bin", "node"), path.join(stage, "node"))
  fs.copyFileSync(path.join(node, "LICENSE"), path.join(stage, "LICENSE.node"))
  fs.copyFileSync(at("scripts", "release", "install.sh"), path.join(stage, "install.sh"))
  fs.mkdirSync(path.join(stage, "bin"))
  fs.writeFileSync(path.join(stage, "bin", "leap"), launcher)
  for (const file of ["node", path.join("bin", "leap")]) fs.chmodSync(path.join(stage, file), 0o755)
  const tarball = `${name}.tar.gz`
  // the same commit gives the same bytes, whoever packs it
  const same = ["--sort=name", `--mtime=@${seconds}`, "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX"]
  run("tar", [...same, "--use-compress-program=gzip -9n", "-cf", path.join(target, tarball), "-C", scratch, name])
  fs.rmSync(stage, { recursive: true })
  return { tarball, places: [...places, `node_modules/node-${platform}`] }
}

// ---- the tag ------------------------------------------------------------------------------------------------------

/** What speaks against git's tag for this version; null where nothing does. */
const tagProblem = () => {
  if (run("git", ["status", "--porcelain"], { cwd: root }) !== "") return "the tree has changes that are not committed"
  if (run("git", ["tag", "--list", `v${own.version}`], { cwd: root }) !== "") return `v${own.version} is there already`
  const first = /^## (.*)$/m.exec(fs.readFileSync(at("CHANGELOG.md"), "utf8"))?.[1] ?? ""
  return first.startsWith(own.version) && !/not yet released/.test(first)
    ? null
    : `CHANGELOG.md begins with '${first}': it is to say '${own.version}' and when`
}

const main = () => {
  const wantsTag = process.argv.includes("--tag")
  const problem = wantsTag ? tagProblem() : null
  if (problem !== null) throw new Error(`no tag is made: ${problem}`)
  fs.rmSync(target, { recursive: true, force: true })
  fs.mkdirSync(target, { recursive: true })
  const scratch = fs.mkdtempSync(path.join(target, ".scratch-"))
  const packed = run(process.execPath, [at("scripts", "pack.mjs"), "--to", target])
  const seconds = run("git", ["log", "-1", "--format=%ct"], { cwd: root })
  const files = [path.basename(packed.split("  ")[0]), "install.sh", `leap-${own.version}.cdx.json`]
  const places = new Set()
  for (const platform of platforms) {
    try {
      const made = buildFor(platform, scratch, seconds)
      files.push(made.tarball)
      for (const place of made.places) places.add(place)
    } catch (error) {
      // the machine's own must be there; another's files may be out of reach
      if (platform === `${process.platform}-${process.arch}`) throw error
      say(`left out: ${platform}: ${error.message.split("\n")[0].slice(0, 200)}`)
    }
  }
  const beside = [...places].map((place) => ({ ...lock.packages[place], name: nameAt(place) }))
  const bundled = JSON.parse(fs.readFileSync(path.join(target, "bundled.json"), "utf8")).map((one) => ({
    ...one,
    integrity: lock.packages[`node_modules/${one.name}`]?.integrity
  }))
  const sbom = sbomOf(own, [...bundled, ...beside])
  fs.writeFileSync(path.join(target, `leap-${own.version}.cdx.json`), `${JSON.stringify(sbom, null, 2)}\n`)
  fs.copyFileSync(at("scripts", "release", "install.sh"), path.join(target, "install.sh"))
  for (const left of ["package", "bundled.json", "exports.txt", scratch])
    fs.rmSync(path.resolve(target, left), { recursive: true, force: true })
  const sums = files.map((file) => {
    const data = fs.readFileSync(path.join(target, file))
    return [createHash("sha256").update(data).digest("hex"), file, data.length]
  })
  fs.writeFileSync(path.join(target, "SHA256SUMS"), sums.map(([sum, file]) => `${sum}  ${file}\n`).join(""))
  for (const [sum, file, bytes] of sums) say(`${sum.slice(0, 12)}  ${(bytes / 1e6).toFixed(1).padStart(6)} MB  ${file}`)
  say(`in ${target}, ${sbom.components.length} packages named in ${files[2]}; 'sh ${target}/install.sh' installs it`)
  if (wantsTag) {
    run("git", ["tag", "-a", `v${own.version}`, "-m", `leap ${own.version}`], { cwd: root })
    say(`v${own.version} is tagged; 'git push origin v${own.version}' and the upload of these files are yours`)
  } else say("nothing was tagged or published; '-- --tag' makes git's tag")
}

try {
  main()
} catch (error) {
  process.stderr.write(`release: ${error.message}\n`)
  process.exitCode = 1
}
