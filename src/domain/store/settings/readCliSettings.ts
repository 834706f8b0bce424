import type { LenientNode } from "../../words/formats/LenientJson.ts"
import { customIdProblem, variableProblem } from "./CustomCli.ts"
import { keysOf, screenOf } from "./readScreenSettings.ts"
import { UnwiredStart } from "../../words/session/Session.ts"
import { CliSettings, EndpointSettings } from "./CliSettings.ts"
import type { Reading } from "./settingKinds.ts"
import {
  choice,
  describe,
  leafAt,
  leafOf,
  leavesAt,
  membersOf,
  type Notes,
  objectAt,
  type ObjectNode,
  text
} from "./settingsNodes.ts"

const cliFields = new Set(Object.keys(CliSettings.fields))

/** The user's settings for one CLI. `sure`: its base, command and environment could be read. */
const cliOf = (id: string, node: ObjectNode, notes: Notes): { readonly cli: CliSettings; readonly sure: boolean } => {
  const path = `clis.${id}.`
  const found = membersOf(node, path, cliFields, notes)
  let sure = node.whole
  const needed = (name: string): string | null => {
    const value = text(found.get(name), `${path}${name}`, notes)
    if (value === null && found.has(name)) sure = false
    return value === "" ? null : value
  }
  const variables: Array<readonly [string, string]> = []
  const env = found.get("env")
  const environment = objectAt(env, `${path}env`, notes)
  if (env !== undefined && environment === null) sure = false
  for (const [name, value] of environment === null ? [] : membersOf(environment, `${path}env.`, null, notes)) {
    const given = leafOf(value)
    const problem =
      typeof given === "string"
        ? variableProblem(name, given)
        : `"${path}env.${name}" must be a text, it is ${describe(value)}`
    if (problem === null) variables.push([name, String(given)])
    else {
      notes.warn(value, problem)
      sure = false
    }
  }
  const hidden = found.get("hidden")
  const isHidden = leafAt(found, "hidden")
  if (hidden !== undefined && typeof isHidden !== "boolean") {
    notes.warn(hidden, `"${path}hidden" must be true or false, it is ${describe(hidden)}`)
  }
  const base = needed("base")
  const named = needed("command")
  const isRelative = named !== null && named.includes("/") && !/^[/~$]/.test(named)
  if (isRelative) {
    notes.warn(
      found.get("command") ?? node,
      `"${path}command" must be a name on PATH, or a path from / or ~: where would ${named} begin?`
    )
    sure = false
  }
  const command = isRelative ? null : named
  const flags = text(found.get("flags"), `${path}flags`, notes)
  const displayName = text(found.get("displayName"), `${path}displayName`, notes)
  const cli: CliSettings = {
    ...(base === null ? {} : { base }),
    ...(displayName === null || displayName.trim() === "" ? {} : { displayName: displayName.trim() }),
    ...(command === null ? {} : { command }),
    ...(flags === null ? {} : { flags }),
    ...(environment === null ? {} : { env: Object.fromEntries(variables) }),
    ...(typeof isHidden === "boolean" ? { hidden: isHidden } : {}),
    ...(found.has("unwired")
      ? { unwired: choice(found.get("unwired"), `${path}unwired`, UnwiredStart, "refuse", notes) }
      : {}),
    ...screenOf(found.get("screen"), `${path}screen`, notes.warn),
    ...keysOf(found.get("keys"), `${path}keys`, notes.warn)
  }
  return { cli, sure }
}

/** The usable CLIs: settings of leap's own, and the user's own with a valid id and base. */
export const clisOf = (
  node: LenientNode | undefined,
  _path: string,
  { builtin, notes }: Pick<Reading, "builtin" | "notes">
): Readonly<Record<string, CliSettings>> => {
  const object = objectAt(node, "clis", notes)
  if (object === null) return {}
  const clis: Array<readonly [string, CliSettings]> = []
  for (const [id, value] of membersOf(object, "clis.", null, notes)) {
    const leftOut = (why: string): void => notes.warn(value, `"clis.${id}" was left out: ${why}`)
    if (value.kind !== "object") {
      leftOut(`it must be an object, it is ${describe(value)}`)
      continue
    }
    const { cli, sure } = cliOf(id, value, notes)
    if (builtin.includes(id)) {
      if (cli.base === undefined) clis.push([id, cli])
      else leftOut("it is a CLI of leap's own, which has no base; a CLI of yours needs another id")
      continue
    }
    const problem = customIdProblem(id, builtin)
    if (problem !== null) leftOut(problem)
    else if (cli.base === undefined)
      leftOut(`it has no usable "base", the CLI of leap's that it is a variant of: ${builtin.join(", ")}`)
    else if (!builtin.includes(cli.base))
      leftOut(`its base '${cli.base}' is no CLI of leap's; those are ${builtin.join(", ")}`)
    // An incomplete definition would start another program, or use another account, than was meant.
    else if (!sure) leftOut("a part of it cannot be used")
    else clis.push([id, cli])
  }
  return Object.fromEntries(clis)
}

/** The ids of all CLIs: leap's own, and the user's that were read before. */
export const idsOf = ({ before, builtin }: Reading): ReadonlyArray<string> => [
  ...builtin,
  ...Object.keys((before["clis"] as object | undefined) ?? {})
]

const endpointFields = new Set(Object.keys(EndpointSettings.fields))

/** The usable servers. A server with an unusable part is left out: it might get what is not meant for it. */
export const endpointsOf = (
  node: LenientNode | undefined,
  _path: string,
  reading: Reading
): Readonly<Record<string, EndpointSettings>> => {
  const { notes } = reading
  const taken = [...idsOf(reading), "openai_compatible"]
  const endpoints: Array<readonly [string, EndpointSettings]> = []
  const object = objectAt(node, "endpoints", notes)
  for (const [id, value] of object === null ? [] : membersOf(object, "endpoints.", null, notes)) {
    const problem = customIdProblem(id, taken)
    const read = value.kind === "object" ? endpointOf(`endpoints.${id}.`, value, notes) : null
    if (problem !== null || read === null)
      notes.warn(value, `"endpoints.${id}" was left out: ${problem ?? "a part of it cannot be used"}`)
    else endpoints.push([id, read])
  }
  return Object.fromEntries(endpoints)
}

const endpointOf = (path: string, node: ObjectNode, notes: Notes): EndpointSettings | null => {
  const found = membersOf(node, path, endpointFields, notes)
  const part = (name: string) => text(found.get(name), `${path}${name}`, notes)
  const [baseUrl, model, apiKeyEnv] = [part("baseUrl"), part("model"), part("apiKeyEnv")]
  const headers = leavesAt(found.get("headers"), `${path}headers`, notes)
  const isWhole =
    node.whole &&
    node.members.every(({ key }) => endpointFields.has(key)) &&
    (model !== null || !found.has("model")) &&
    (apiKeyEnv !== null ? variableProblem(apiKeyEnv, "") === null : !found.has("apiKeyEnv")) &&
    headers !== null &&
    headers.every(([, value]) => typeof value === "string")
  if (!isWhole || headers === null || baseUrl === null || baseUrl === "") return null
  return {
    baseUrl,
    ...(model === null ? {} : { model }),
    ...(apiKeyEnv === null ? {} : { apiKeyEnv }),
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) as Record<string, string> })
  }
}
