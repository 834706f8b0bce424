/** What the row under the input box tells. */
export interface Footer {
  /** What the CLI says it does ("Working"); null when it does nothing. */
  readonly activity: string | null
  /** It says that nothing works. */
  readonly resting: boolean
  /** An interrupt is being carried out. */
  readonly stopping: boolean
  /** The keys belong to something beside the input box (help, search, the sidebar, vim's commands). */
  readonly picker: boolean
  /** What is typed is a command for the shell. */
  readonly shell: boolean
  /** Background work that outlived its turn; null when the footer does not tell. */
  readonly background: number | null
}

const rest: Footer = { activity: null, resting: false, stopping: false, picker: false, shell: false, background: 0 }

/** The frames of the spinner: a circle that swells. */
const spinner = /^[●◉◎○∙∘] (\S.*)$/u
/** The CLI's mode comes first, and the editor's. */
const mode = /^(?:interactive|plan|autopilot|shell)(?: \(limited\))?$|^(?:Manual Approval|Assisted Permissions|Allow All)$|^-- (?:INSERT|NORMAL) --$/i
const hint = /^(?:← (?:open|use) sidebar|\/ commands|@ files|\/help show help|\d+ background \/(?:tasks|sessions)|Update: )/
const passing = /^(?:ctrl\+c|esc) again to |^copied to /
const elsewhere = /^(?:search · |any key close help)|^(?:←|→) .* sidebar help\b|^\/ commands · (?:q|b|o|g|m|ctrl\+e) /

/** Reads the footer; null when it is none that is known. */
export const footerOf = (row: string): Footer | null => {
  // Far to the right stands the model.
  const left = row.trim().split(/ {3,}/)[0] ?? ""
  if (passing.test(left)) return { ...rest, background: null }
  if (elsewhere.test(left)) return { ...rest, picker: true, background: null }
  const segments = left.split(" · ")
  const at = segments.findIndex((segment) => spinner.test(segment))
  const shell = segments.some((segment) => /^shell$/i.test(segment))
  if (at >= 0 && segments.slice(0, at).every((segment) => mode.test(segment))) return { ...working(segments[at] ?? ""), shell }
  if (!segments.some((segment) => mode.test(segment) || hint.test(segment))) return null
  const tasks = segments.map((segment) => /^(\d+) background \/tasks/.exec(segment)?.[1]).find((count) => count !== undefined)
  return { ...rest, resting: true, picker: segments.includes("-- NORMAL --"), shell, background: Number(tasks ?? 0) }
}

const working = (segment: string): Footer => {
  const label = (spinner.exec(segment)?.[1] ?? "").replace(/(?: {2,}| +(?:esc |ctrl\+|\(Esc )).*$/, "")
  if (label.startsWith("Loading")) return { ...rest, background: null }
  if (label.startsWith("Cancelling")) return { ...rest, stopping: true, background: null }
  if (label.startsWith("Waiting for background ")) return { ...rest, resting: true, background: 1 }
  return { ...rest, activity: label, background: 0 }
}
