import { type Fields, fieldsOf, itemsOf, stringOf } from "../../words/reading/Fields.ts"
import type { ProposedEdit, ProposedFile } from "../../words/session/Proposal.ts"
import type { ToolRequest } from "../../policy/ToolRequest.ts"
import { cutMark } from "../../words/text/cutMark.ts"
import { lineDiff, linesOf } from "../../words/text/lineDiff.ts"
import { isWithin } from "../../words/text/paths.ts"
import { namesIn } from "../../words/text/namesIn.ts"
import { maskSecrets } from "../../words/text/Secrets.ts"
import { diffFiles, patchFiles, type RawFile } from "./PatchReading.ts"
import { texts } from "./RequestReading.ts"

/** The names that CLIs give an edit's arguments, separated by blanks; the first that is present counts. */
const names = {
  /** A text of the file, and what takes its place; without the first the second is put in behind a line. */
  before: "old_string old_str oldString",
  after: "new_string new_str newString insert_text new_source",
  whole: "content file_text contents",
  patch: "command input patch patchText"
}

const firstString = (fields: Fields, names: string): string | null => {
  for (const name of namesIn(names)) {
    const found = stringOf(fields[name])
    if (found !== null) return found
  }
  return null
}

/** One replacement of a text by another, or an insertion; null if it is neither. */
const replacement = (fields: Fields): ReadonlyArray<string> | null => {
  const [before, after] = [firstString(fields, names.before), firstString(fields, names.after)]
  if (after === null) return null
  const { insert_line: line, replaceAll, replace_all: every = replaceAll } = fields
  return [
    ...(every === true ? ["@ at each place where it occurs"] : []),
    ...(before === null && typeof line === "number" ? [`@ behind line ${line}`] : []),
    ...lineDiff(before ?? "", after)
  ]
}

const rawFiles = (given: unknown, input: Fields, path: string): ReadonlyArray<RawFile> => {
  const patched = patchFiles([given, ...namesIn(names.patch).map((name) => input[name])].flatMap(texts).join("\n"))
  if (patched.length > 0) return patched
  const diff = diffFiles(stringOf(input["diff"]) ?? "", path)
  if (diff.length > 0) return diff
  const listed = itemsOf(input["edits"]).map(fieldsOf)
  const found = (listed.length > 0 ? listed : [input]).flatMap((one) => {
    const lines = replacement(one)
    return lines === null ? [] : [["@", ...lines]]
  })
  const whole = firstString(input, names.whole)
  const lines =
    found.length > 0
      ? found.flat().slice(1)
      : whole === null
        ? null
        : ["@ all of its new content", ...linesOf(whole).map((line) => `+${line}`)]
  return lines === null ? [] : [{ path, from: null, kind: "changed", lines }]
}

/** What is kept of an edit: no more than somebody reads before an answer. */
const filesMost = 50
const linesMost = 400
const charactersMost = 32_768
const lineMost = 2_000
const pathMost = 4_096

const keyStart = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----/
const keyEnd = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----/
const keyBody = /^[-+ ]?\s*[\w+/=]{16,}\s*$/

/** Masks each line on its own: what looks like the start of a secret must not hide the lines after it. */
const masked = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  let inKey = false
  const shown = lines.map((line) => {
    if (keyStart.test(line)) inKey = true
    if (keyEnd.test(line)) inKey = false
    return inKey && keyBody.test(line) ? `${line.slice(0, 1)}***` : line.slice(0, 1) + maskSecrets(line.slice(1))
  })
  return shown.some((line, n) => line !== lines[n]) ? ["@ *** hides what looks like a secret", ...shown] : shown
}

const cutLine = (line: string): string =>
  line.length > lineMost ? line.slice(0, lineMost) + cutMark(line.length - 1, "characters") : line

const count = (lines: ReadonlyArray<string>, sign: string): number => lines.filter((line) => line[0] === sign).length

/** The edit without what is too much to be read, and with secrets masked. Null if there is no file. */
const bounded = (files: ReadonlyArray<RawFile>): ProposedEdit | null => {
  if (files.length === 0) return null
  let [lines, characters, unshown] = [linesMost, charactersMost, 0]
  const shown = files.slice(0, filesMost).map((file): ProposedFile => {
    const kept: Array<string> = []
    for (const line of file.lines.slice(0, lines).map(cutLine)) {
      if ((characters -= line.length) < 0) break
      kept.push(line)
    }
    lines -= kept.length
    unshown += file.lines.length - kept.length
    return {
      ...file,
      path: file.path.slice(0, pathMost),
      from: file.from?.slice(0, pathMost) ?? null,
      added: count(file.lines, "+"),
      removed: count(file.lines, "-"),
      lines: masked(kept)
    }
  })
  const left = files.slice(filesMost)
  return { files: shown, unshown: left.reduce((all, file) => all + file.lines.length, unshown), unlisted: left.length }
}

/** A path inside the directory, without it. */
const within = (cwd: string, path: string): string =>
  cwd !== "" && path !== cwd && isWithin(path, cwd) ? path.slice(cwd.length + 1) : path

/** An edit by its tool's arguments, `input` if they have names; null if they do not say what it changes. */
export const proposedEdit = (
  { given, input }: { readonly given: unknown; readonly input: Fields },
  { cwd, paths }: Pick<ToolRequest, "cwd" | "paths">
): ProposedEdit | null => {
  const files = rawFiles(given, input, paths[0] ?? "")
  return bounded(
    files.map((file) => ({
      ...file,
      path: within(cwd, file.path),
      from: file.from === null ? null : within(cwd, file.from)
    }))
  )
}
