// npm run score [-- --verbose] [--hooks | --no-hooks] [FILE or FOLDER …]: compares the state machine with labelled
// recordings, by all that the CLIs tell, by their screens alone, or in both ways. Exit 1 when a figure is under its bar
// (test/support/recordings/score.ts).
import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import * as ProvidersBuiltin from "../src/layers/providers/ProvidersBuiltin.ts"
import * as ScreenXterm from "../src/layers/terminal/ScreenXterm.ts"
import { list, sets, textOf } from "../test/support/recordings/recordings.ts"
import { bars, type Score, score, split, total, under } from "../test/support/recordings/score.ts"

const live = Layer.mergeAll(ProvidersBuiltin.layer, ScreenXterm.layer)

/** What is compared: all that a CLI tells, or what any CLI shows. */
const ways = { hooks: "--hooks", noHooks: "--no-hooks" }

const casts = (name: string): ReadonlyArray<string> =>
  fs.statSync(name).isDirectory()
    ? fs
        .readdirSync(name)
        .toSorted()
        .flatMap((entry) => casts(path.join(name, entry)))
    : name.endsWith(".cast")
      ? [name]
      : []

const detail = (file: string, result: Score) => {
  const wrong = Object.entries(result.wrong)
    .filter(([, seconds]) => seconds > 0.2)
    .map(([what, seconds]) => `${what} ${seconds.toFixed(1)}`)
  const share = result.total === 0 ? 100 : (100 * result.right) / result.total
  return [
    `${file} ${share.toFixed(1)}%`,
    ...(["unsafe", "falseReady", "stuck", "misses"] as const).flatMap((name) =>
      result[name] > 0 ? [`${name} ${result[name].toFixed(2)}`] : []
    ),
    ...wrong
  ].join("  ")
}

const run = Effect.gen(function* () {
  const args = process.argv.slice(2)
  const verbose = args.includes("--verbose")
  const named = args.filter((arg) => !arg.startsWith("--"))
  const recordings: ReadonlyArray<readonly [name: string, text: () => string]> =
    named.length > 0
      ? named.flatMap(casts).map((file) => [file, () => fs.readFileSync(file, "utf8")])
      : sets.flatMap(list).map((name) => [name, () => textOf(name)])
  if (recordings.length === 0) throw new Error(`no recording is in ${named.join(" ")}`)
  const failures: Array<string> = []
  const wanted = (["hooks", "noHooks"] as const).filter((mode) => args.includes(ways[mode]))
  for (const mode of wanted.length > 0 ? wanted : (["hooks", "noHooks"] as const)) {
    const groups = new Map<string, Array<Score>>()
    for (const [file, read] of recordings) {
      const text = read()
      const result = yield* score(text, mode === "noHooks")
      if (verbose) console.log(`${mode} ${detail(file, result)}`)
      for (const name of [`${split(text).cli}, all`, path.basename(path.dirname(file))]) {
        const group = groups.get(name) ?? []
        if (!group.includes(result)) groups.set(name, [...group, result])
      }
    }
    const table = Object.fromEntries([...groups].map(([name, scores]) => [name, total(scores)]))
    console.log(mode === "hooks" ? "With hooks, status file and program status:" : "By screen, title and input alone:")
    console.table(table)
    for (const [name, figures] of Object.entries(table)) {
      for (const why of under(figures, bars[mode])) failures.push(`${name}, ${mode}: ${why}`)
    }
  }
  for (const failure of failures) console.error(`under the bar: ${failure}`)
  process.exitCode = failures.length > 0 ? 1 : 0
})

await Effect.runPromise(Effect.provide(run, live))
