import type { Total } from "../test/support/recordings/score.ts"

/** What one version did under leap, as test/real/drift/version.ts tells it. */
export interface DriftResult {
  readonly delivered?: number
  readonly dialog?: boolean
  readonly intoDialog?: boolean
  readonly interrupted?: boolean | null
  readonly skipped?: string
  readonly why?: string | null
  /** Whether a rule of the user's own holds; null where that could not be seen. */
  readonly rules?: {
    readonly interactive: boolean | null
    readonly headless: boolean | null
    readonly why: string | null
  }
}

/** A recording of it, scored with all that the CLI tells, and by screen, title and input alone. */
export interface Judged {
  readonly told: Total
  readonly untold: Total
}

type Run = DriftResult & { readonly judged: Judged | null }

/** The runs of a version: with hooks, and without; null for one that was not wanted. */
export interface Cells {
  readonly told: Run
  readonly untold: Run | null
}

export const heading =
  "| CLI | version | four queued messages, a dialog, an interrupt: with hooks | without | recorded: right, unsafe, stuck " +
  "| by screen alone | own deny rule |\n| --- | --- | --- | --- | --- | --- | --- |\n"

const live = (run: Run | null): string => {
  if (run === null || run.skipped !== undefined) return run?.skipped ?? "–"
  const { delivered = 0, dialog = false, interrupted, intoDialog = false, why } = run
  return [
    `${delivered} of 4${why == null ? "" : " ✗"}`,
    ...(dialog ? [] : ["dialog not seen"]),
    ...(intoDialog ? ["TYPED INTO THE DIALOG"] : []),
    ...(interrupted === false ? ["interrupt not seen"] : [])
  ].join(", ")
}

const figures = (total: Total | undefined): string =>
  total === undefined ? "–" : `${total["right %"]} %, ${total["unsafe s"]} s, ${total["stuck s"]} s`

const kept = (obeyed: boolean | null): string => (obeyed === null ? "not seen" : obeyed ? "obeyed" : "BROKEN")

const rules = ({ rules }: DriftResult): string => {
  if (rules === undefined) return "–"
  const both = [kept(rules.interactive), kept(rules.headless)]
  return both[0] === both[1] ? `${both[0]}, -p too` : `${both[0]}, -p ${both[1]}`
}

/** One row of the matrix. */
export const row = (cli: string, version: string, { told, untold }: Cells): string =>
  `| ${[
    cli,
    version,
    live(told),
    live(untold),
    figures(told.judged?.told),
    figures((untold?.judged ?? told.judged)?.untold),
    rules(told)
  ].join(" | ")} |\n`

/** What must not be, in words: a run that failed, a second in which a message could have gone astray, a rule not kept. */
export const problems = ({ intoDialog, judged, rules, why }: Run): ReadonlyArray<string> => [
  ...(why == null ? [] : [why]),
  ...(intoDialog === true ? ["a message was typed into the dialog"] : []),
  ...(["told", "untold"] as const).flatMap((how) => {
    const unsafe = judged?.[how]["unsafe s"] ?? 0
    return unsafe > 0
      ? [`ready for ${unsafe} s while it was not (${how === "told" ? "all told" : "by screen alone"})`]
      : []
  }),
  ...(rules?.interactive === false || rules?.headless === false
    ? ["a deny rule of the user's own was not obeyed"]
    : []),
  ...(rules?.why == null ? [] : [`own rule: ${rules.why}`])
]
