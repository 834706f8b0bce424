// npm run score [-- --verbose] [FILE or FOLDER …]: holds the state machine against labelled recordings.
// Exit 1 when a figure is under its bar (test/support/score.ts).
import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import * as ProvidersBuiltin from "../src/layers/ProvidersBuiltin.ts"
import * as ScreenXterm from "../src/layers/ScreenXterm.ts"
import { bars, type Score, score, split, total, under } from "../test/support/score.ts"

const live = Layer.mergeAll(ProvidersBuiltin.layer, ScreenXterm.layer)

const casts = (name: string): ReadonlyArray<string> =>
  fs.statSync(name).isDirectory()
    ? fs.readdirSync(name).toSorted().flatMap((entry) => casts(path.join(name, entry)))
    : name.endsWith(".cast") ? [name] : []

const detail = (file: string, one: Score) => {
  const wrong = Object.entries(one.wrong).filter(([, seconds]) => seconds > 0.2).map(([what, seconds]) => `${what} ${seconds.toFixed(1)}`)
  const share = one.total === 0 ? 100 : 100 * one.right / one.total
  return [
    `${file} ${share.toFixed(1)}%`,
    ...(["unsafe", "falseReady", "stuck", "misses"] as const).flatMap((name) => one[name] > 0 ? [`${name} ${one[name].toFixed(2)}`] : []),
    ...wrong
  ].join("  ")
}

const run = Effect.gen(function*() {
  const args = process.argv.slice(2)
  const verbose = args.includes("--verbose")
  const named = args.filter((arg) => !arg.startsWith("--"))
  const files = (named.length > 0 ? named : [path.join(import.meta.dirname, "../test/recordings")]).flatMap(casts)
  const failures: Array<string> = []
  for (const mode of ["hooks", "noHooks"] as const) {
    const groups = new Map<string, Array<Score>>()
    for (const file of files) {
      const text = fs.readFileSync(file, "utf8")
      const one = yield* score(text, mode === "noHooks")
      if (verbose) console.log(`${mode} ${detail(file, one)}`)
      for (const name of [`${split(text).cli}, all`, path.basename(path.dirname(file))]) {
        const group = groups.get(name) ?? []
        if (!group.includes(one)) groups.set(name, [...group, one])
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
