import { appendFileSync } from "node:fs"

/** A check that does not hold, in words: who reads it needs no trace. */
class Failed extends Error {}

export const must = (condition, what) => {
  if (!condition) throw new Failed(what)
}

/** Checks of one script, one after the other; each goes on where one before it failed. */
export const makeChecks = () => {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const say = (text) => void process.stdout.write(`${text}\n`)
  return {
    counts,
    say,
    /** `body` gives what is to be said beside, if anything. */
    check: async (name, body) => {
      const start = Date.now()
      try {
        const more = await body()
        counts.passed++
        say(`✓ ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)${more === undefined ? "" : `: ${more}`}`)
      } catch (error) {
        counts.failed++
        say(`✗ ${name}\n${error instanceof Failed ? error.message : error.stack}`)
      }
    },
    skip: (why) => {
      counts.skipped++
      say(`skipped: ${why}`)
    },
    /** Tells the sum, also to the run that this is a step of; the process ends with it. */
    end: (name, title) => {
      const { failed, passed, skipped } = counts
      const sum = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`
      say(`${title}: ${sum}`)
      if (process.env.LEAP_COUNTS !== undefined) appendFileSync(process.env.LEAP_COUNTS, `${name} ${sum}\n`)
      process.exitCode = failed === 0 ? 0 : 1
    }
  }
}
