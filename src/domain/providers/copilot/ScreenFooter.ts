/** The content of the row below the input box. */
export interface Footer {
  /** The CLI's own words for its work ("Working"); null when it does nothing. */
  readonly activity: string | null
  /** The row states that nothing works. */
  readonly resting: boolean
  readonly stopping: boolean
  /** The keys go to something other than the input box (help, search, the sidebar, vim's commands). */
  readonly picker: boolean
  /** Typed text is a command for the shell. */
  readonly shell: boolean
  /** Background work that outlived its turn; null when the footer does not show it. */
  readonly background: number | null
}

const idle: Footer = { activity: null, resting: false, stopping: false, picker: false, shell: false, background: 0 }

const spinner = /^[●◉◎○∙∘] (\S.*)$/u
/** The modes of the CLI and of the editor, which come first. */
const mode = new RegExp(
  String.raw`^(?:interactive|plan|autopilot|shell)(?: \(limited\))?$` +
    String.raw`|^(?:Manual Approval|Assisted Permissions|Allow All)$|^-- (?:INSERT|NORMAL) --$`,
  "i"
)
const hint =
  /^(?:← (?:open|use) sidebar|\/ commands|@ files|\/help show help|\d+ background \/(?:tasks|sessions)|Update: )/
const temporaryHint = /^(?:ctrl\+c|esc) again to |^copied to /
const focusElsewhere =
  /^(?:search · |any key close help)|^(?:←|→) .* sidebar help\b|^\/ commands · (?:q|b|o|g|m|ctrl\+e) /

const enqueueHint = /^ctrl\+\S+ enqueue\b/

/** Reads the footer; null for an unknown row. */
export const footerOf = (row: string): Footer | null => {
  // The model is displayed at the far right.
  const left = row.trim().split(/ {3,}/)[0] ?? ""
  if (temporaryHint.test(left)) return { ...idle, background: null }
  if (focusElsewhere.test(left)) return { ...idle, picker: true, background: null }
  const segments = left.split(" · ")
  const spinnerIndex = segments.findIndex((segment) => spinner.test(segment))
  const shell = segments.some((segment) => /^shell$/i.test(segment))
  if (spinnerIndex >= 0 && segments.slice(0, spinnerIndex).every((segment) => mode.test(segment)))
    return { ...readActivity(segments[spinnerIndex] ?? ""), shell }
  if (!segments.some((segment) => mode.test(segment) || hint.test(segment))) return null
  const tasks = segments
    .map((segment) => /^(\d+) background \/tasks/.exec(segment)?.[1])
    .find((count) => count !== undefined)
  // A prompt can be queued only while another one works.
  const resting = !segments.some((segment) => enqueueHint.test(segment))
  return { ...idle, resting, picker: segments.includes("-- NORMAL --"), shell, background: Number(tasks ?? 0) }
}

const readActivity = (segment: string): Footer => {
  const label = (spinner.exec(segment)?.[1] ?? "").replace(/(?: {2,}| +(?:esc |ctrl\+|\(Esc )).*$/, "")
  if (label.startsWith("Loading")) return { ...idle, background: null }
  if (label.startsWith("Cancelling")) return { ...idle, stopping: true, background: null }
  if (label.startsWith("Waiting for background ")) return { ...idle, resting: true, background: 1 }
  return { ...idle, activity: label, background: 0 }
}
