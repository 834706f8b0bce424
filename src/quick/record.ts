import * as path from "node:path"
import type { QuickCommand } from "../domain/words/arguments/QuickCommand.ts"
import { sinceTime } from "../domain/words/arguments/since.ts"
import { foundPage, logLength, logPage, lookBack, type Page, reportPage } from "../domain/engine/history/recordPages.ts"
import type { ReportBy } from "../domain/engine/history/Report.ts"
import { searchQuery } from "../domain/engine/history/searchQuery.ts"
import { foundIn, logIn, reportIn, nothing, selectRecord } from "../layers/files/recordReader.ts"
import type { Select } from "../layers/files/select.ts"
import { allStatuses, type Ended, isTag, type Places, print } from "./common.ts"
import { usesColour } from "./print.ts"

/** Reads the record; null if it cannot be read, which the whole program explains. */
const select = <A>(places: Places, otherwise: A, run: (select: Select) => A): A | null => {
  try {
    const found = selectRecord(path.join(places.state, "record.db"), otherwise, run)
    return "later" in found ? null : found.value
  } catch {
    return null
  }
}

const log = async (
  { flags, operands }: QuickCommand,
  from: number,
  now: number,
  places: Places
): Promise<Page | null> => {
  const [tag = null] = operands
  const limit = flags["last"] === undefined ? logLength.usual : Number(flags["last"])
  if ((tag !== null && !isTag(tag)) || limit < 1 || limit > logLength.most) return null
  const query = { tag, from, limit }
  if (flags["search"] !== undefined) {
    const words = searchQuery(flags["search"])
    const found = words === null ? null : select(places, nothing.search, (select) => foundIn(select, query, words))
    return found === null ? null : foundPage(found)
  }
  const source = select(places, nothing.log, (select) => logIn(select, query))
  const all = await allStatuses(places, now)
  return source === null || all === null ? null : logPage(source, query, all.sessions, usesColour())
}

const report = async ({ flags }: QuickCommand, from: number, now: number, places: Places): Promise<Page | null> => {
  const by = (flags["by"] ?? "tag") as ReportBy
  // calendar days need a time zone, which loads as much as the whole program
  if (by === "day") return null
  const spans = [{ from, to: now }]
  const source = select(places, nothing.report, (select) => reportIn(select, spans))
  const all = await allStatuses(places, now)
  return source === null || all === null
    ? null
    : reportPage(source, { by, spans, names: [], now, statuses: all.sessions, colour: usesColour() })
}

export const showRecord = async (command: QuickCommand, now: number, places: Places): Promise<Ended> => {
  const { flags, name } = command
  const back = name === "report" ? lookBack.report : flags["search"] === undefined ? lookBack.log : lookBack.search
  const from = flags["since"] === undefined ? now - back : sinceTime(flags["since"], now)
  if (from === null) return null
  const page = await (name === "report" ? report(command, from, now, places) : log(command, from, now, places))
  return page === null ? null : print(flags["json"] !== undefined, page.document, page.text)
}
