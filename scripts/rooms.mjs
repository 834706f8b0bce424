// Draws src: each room, its size, and the rooms that it imports. Fails if rooms import each other in a circle.
//
//     npm run rooms               each wing with its rooms
//     npm run rooms -- --wings    wings alone
import { globSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"

const source = join(import.meta.dirname, "../src")
const onlyWings = process.argv.includes("--wings")

/**
 * The room of a file: `engine/queue`, `layers/files`. A file of `programs` that is in none stands for itself. `policy` is one
 * room, as `AGENTS.md` has it: its folder is tables, whose rows are about the same words as the files beside it.
 */
const roomOf = (file) => {
  const [wing, room] = file.replace(/^domain\//, "").split("/")
  if (room === undefined) return "(root)"
  return onlyWings || wing === "policy" || (wing !== "programs" && /\.tsx?$/.test(room)) ? wing : `${wing}/${room}`
}

const rooms = new Map()
for (const file of globSync("**/*.{ts,tsx}", { cwd: source }).toSorted()) {
  const text = readFileSync(join(source, file), "utf8")
  const name = roomOf(file)
  const room = rooms.get(name) ?? { files: 0, lines: 0, imports: new Map() }
  rooms.set(name, room)
  room.files += 1
  room.lines += text.split("\n").length - 1
  // what is imported when it is asked for (`import()`) is what a command line or a page leads to
  for (const [, path] of text.matchAll(/(?:\bfrom |^import )"(\.{1,2}\/[^"]+)"/gm)) {
    const other = roomOf(relative(source, join(source, dirname(file), path)))
    if (other !== name && !other.startsWith("..")) room.imports.set(other, (room.imports.get(other) ?? 0) + 1)
  }
}

/** The rooms on a way from this one back to itself. */
const circleOf = (start) => {
  const seen = new Map([[start, null]])
  for (const open = [start]; open.length > 0;) {
    const name = open.shift()
    for (const next of rooms.get(name)?.imports.keys() ?? []) {
      if (next === start) {
        const way = []
        for (let at = name; at !== null; at = seen.get(at)) way.unshift(at)
        return [...way, start]
      }
      if (!seen.has(next)) open.push(next)
      if (!seen.has(next)) seen.set(next, name)
    }
  }
  return null
}

const wide = Math.max(...[...rooms.keys()].map((name) => name.length))
for (const [name, { files, imports, lines }] of rooms) {
  const others = [...imports].toSorted((one, other) => other[1] - one[1]).map(([other, times]) => `${other} ${times}`)
  console.log(
    `${name.padEnd(wide)} ${String(files).padStart(4)} files ${String(lines).padStart(6)} lines → ${others.join(", ")}`
  )
}
const circles = [...rooms.keys()].filter((name) => name !== "(root)").map(circleOf)
const found = circles.filter((one) => one !== null && !one.includes("(root)"))
for (const circle of found) console.log(`circle: ${circle.join(" → ")}`)
console.log(`${rooms.size} rooms, ${found.length} on a circle`)
process.exitCode = found.length === 0 ? 0 : 1
