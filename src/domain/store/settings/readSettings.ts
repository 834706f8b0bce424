import { problemAt, problemText } from "../../words/formats/EditProblem.ts"
import { decodeText, type LenientProblem, parse } from "../../words/formats/LenientJson.ts"
import { oneLine } from "../../words/text/printable.ts"
import { strayRules } from "./readPolicySettings.ts"
import { defaultSettings, settings, type Settings } from "./Settings.ts"
import { describe, type Notes, objectAt, type ObjectNode } from "./settingsNodes.ts"

const warningLimit = 50

const topLevel = new Set(["$schema", ...Object.keys(settings.members)])

/** Stands for the content of a file without a readable object. */
const emptyObject: ObjectNode = { kind: "object", offset: 0, whole: true, members: [] }

/** `$schema` names the JSON schema of the file, and is no setting. */
const withoutSchema = (top: ObjectNode): ObjectNode => ({
  ...top,
  members: top.members.filter(({ key }) => key !== "$schema")
})

/**
 * The settings in a file's content, and a warning for each part that is damaged, wrong or unknown. Only these parts are
 * left out. `builtin`: ids of leap's own CLIs.
 */
export const readSettings = (
  content: Uint8Array | null,
  builtin: ReadonlyArray<string>
): {
  readonly settings: Settings
  readonly warnings: ReadonlyArray<string>
  /** The warnings of parts, without their places and replacement values. */
  readonly faults: ReadonlyArray<string>
} => {
  if (content === null) return { settings: defaultSettings, warnings: [], faults: [] }
  const { exact, text: source } = decodeText(content)
  const { problems, root } = parse(source, exact)
  const found: Array<LenientProblem & { readonly counts?: string | undefined }> = [...problems]
  const notes: Notes = { warn: ({ offset }, why, counts) => found.push({ offset, why, counts }) }
  const top =
    root === null
      ? null
      : objectAt(root, "", {
          warn: (at) => notes.warn(at, `the settings must be an object, they are ${describe(root)}`)
        })
  const [first] = problems
  const syntax =
    first !== undefined
      ? problemText(problemAt(source, first.offset, first.why))
      : root !== null && top === null
        ? "they are no object"
        : null
  const stray = top === null ? null : strayRules(top, topLevel)
  const read = settings.read(withoutSchema(top ?? emptyObject), "", {
    notes,
    builtin,
    doubt: syntax ?? (exact ? stray : "they are not UTF-8 text"),
    before: {}
  })
  const lines = found
    .slice(0, warningLimit)
    .sort((a, b) => a.offset - b.offset)
    .map(({ counts, offset, why }) => {
      const text = counts === undefined ? why : `${why}; ${counts} counts`
      return problemText(problemAt(source, offset, oneLine(text, 300)))
    })
  return {
    settings: read,
    faults: found.map(({ why }) => oneLine(why, 300)),
    warnings: [
      ...(exact ? [] : ["it is not UTF-8 text; what cannot be read of it is left out"]),
      ...lines,
      ...(found.length > warningLimit ? [`and ${found.length - warningLimit} more`] : [])
    ]
  }
}
