import * as fs from "node:fs"
import { tryOr } from "../../domain/words/reading/tryOr.ts"

/** The ids of all processes; none without /proc. */
export const procPids = (): ReadonlyArray<string> =>
  tryOr(() => fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name)), [])
