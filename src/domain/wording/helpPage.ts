/** The first heading of a page of the documents, as a line of plain text. */
export const pageTitle = (page: string): string => (/^# (.*)$/m.exec(page)?.[1] ?? "").replaceAll("`", "").trim()

/** Where a link of a page leads, as somebody at a terminal follows it; null where the words alone are enough. */
const destination = (to: string): string | null => {
  if (/^https?:/.test(to)) return to
  const page = /^([\w-]+)\.md(?:#.*)?$/.exec(to)?.[1]
  return page === undefined ? null : `leap help docs ${page}`
}

/** A page of the documents for a terminal: as it was written, with links that can be followed there. */
export const pageText = (page: string): string =>
  page
    .replaceAll(/^!\[[^\]]*\]\([^)]*\)\n*/gm, "")
    .replaceAll(/\[([^\]\n]+)\]\(([^)\s]+)\)/g, (_, words: string, to: string) => {
      const where = destination(to)
      return where === null || where === words ? words : `${words} (${where})`
    })
    .trimEnd()
