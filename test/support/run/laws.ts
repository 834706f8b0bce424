import * as Arbitrary from "effect/Arbitrary"
import { afterEach, beforeAll, beforeEach, type RunnerTask } from "vitest"
import { counterexamples } from "./counterexamples.ts"
import { pinnedSeed, seed } from "./seed.ts"

// Every property of a run draws from one seed, so that what fails once fails again.
const drawFrom = (its: string) => Arbitrary.configureGlobal({ check: { seed: its }, sample: { seed: its } })
drawFrom(seed)

/** The seeds of a test's counterexamples that were mended. */
const mended = (task: RunnerTask): ReadonlyArray<string> =>
  counterexamples.flatMap(({ file, open, seed: its, test }) =>
    open === undefined && file === task.file.name && test === task.fullTestName ? [String(its)] : []
  )

const testsIn = (tasks: ReadonlyArray<RunnerTask>): ReadonlyArray<RunnerTask> =>
  tasks.flatMap((task) => (task.type === "suite" ? testsIn(task.tasks) : [task]))

// A law runs again on each of its counterexamples that was mended; who set another seed asks for that one alone.
if (seed === pinnedSeed) {
  // oxlint-disable-next-line no-empty-pattern -- vitest takes the first parameter apart by how it is written
  beforeAll(({}, { file, tasks }) => {
    const tests = testsIn(tasks)
    for (const test of tests) test.repeats = mended(test).length
    const names = new Set(tests.map((test) => test.fullTestName))
    const strays = counterexamples.filter((known) => known.file === file.name && !names.has(known.test))
    if (strays.length > 0) throw new Error(`a counterexample names no test of this file: ${strays[0]?.test}`)
  })
  beforeEach(({ onTestFailed, task }) => {
    const its = mended(task)[(task.result?.repeatCount ?? 0) - 1]
    if (its === undefined) return
    drawFrom(its)
    onTestFailed(() => console.error(`mended, and back: LEAP_SEED=${its} ${task.file.name}: ${task.fullTestName}`))
  })
  afterEach(() => {
    drawFrom(seed)
  })
}
