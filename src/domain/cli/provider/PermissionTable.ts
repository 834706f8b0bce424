import type { ToolRequest } from "../../policy/ToolRequest.ts"
import { type Fields, fieldsOf, nonEmptyOf as text } from "../../words/reading/Fields.ts"
import { namesIn } from "../../words/text/namesIn.ts"
import { type HookPermissions, hookPermissions } from "./PermissionAnswers.ts"
import type { PermissionProtocol } from "./PermissionProtocol.ts"
import { proposedEdit } from "./EditReading.ts"
import { argumentsOf, globsOf, requestOf, texts } from "./RequestReading.ts"

type Kind = ToolRequest["kind"]

export interface Asking {
  readonly event: string
  readonly fields: Fields
  readonly tool: string
  readonly given: unknown
  readonly input: Fields
}

export interface Asked extends Asking {
  readonly kind: Kind
  readonly command: string | null
}

/** What a CLI's hooks decide, its tools, and the fields of its requests. Lists of names are texts with blanks. */
export interface PermissionTable extends Omit<HookPermissions, "edit" | "read" | "shape"> {
  readonly tools: Partial<Readonly<Record<Kind, string>>>
  /** The kind of this request if the tool's name does not decide it. `known`: the name's kind. */
  readonly kindOf?: (asking: Asking, known: Kind | null) => Kind | null
  /** The payload's fields for the tool's name and for its arguments; of several the first present one counts. */
  readonly names?: { readonly tool: string; readonly inputs: ReadonlyArray<string> }
  /** Finds both if their place depends on the event. */
  readonly find?: (event: string, fields: Fields) => { readonly tool: unknown; readonly given: unknown }
  /** The fields of the arguments, if they are never JSON in a string. */
  readonly argumentsOf?: (given: unknown) => Fields
  /** By default the field `command`. */
  readonly command?: (asking: Asking) => string | null
  readonly paths: (asked: Asked) => ReadonlyArray<string>
  readonly globs?: Readonly<Record<string, string>>
  /** The fields that this CLI alone has, or has in another form. */
  readonly more?: (asked: Asked) => Partial<ToolRequest>
  readonly inert: Readonly<Record<string, string>>
  readonly bare: string
  /** If it differs from the shape of `names`. */
  readonly shape?: Partial<HookPermissions["shape"]>
}

const usualNames = { tool: "tool_name", inputs: ["tool_input"] }

const fieldCommand = ({ input }: Asking): string | null => text(input["command"])

const kindsOf = (tools: PermissionTable["tools"]): ReadonlyMap<string, Kind> =>
  new Map(
    Object.entries(tools).flatMap(([kind, names]) => namesIn(names).map((name): [string, Kind] => [name, kind as Kind]))
  )

export const permissionsBy = (table: PermissionTable): PermissionProtocol => {
  const { bare, command: commandOf = fieldCommand, globs = {}, inert, kindOf, more, names = usualNames } = table
  const kinds = kindsOf(table.tools)
  const find =
    table.find ??
    ((_event: string, fields: Fields) => ({
      tool: fields[names.tool],
      given: names.inputs.map((name) => fields[name]).find((value) => value !== undefined && value !== null)
    }))
  const askingOf = (event: string, payload: unknown): Asking | null => {
    const fields = fieldsOf(payload)
    const { given, tool: name } = find(event, fields)
    const tool = text(name)
    return tool === null ? null : { event, fields, tool, given, input: (table.argumentsOf ?? argumentsOf)(given) }
  }
  return hookPermissions({
    ...table,
    edit: (event, payload, request) => {
      const asking = askingOf(event, payload)
      return asking === null ? null : proposedEdit(asking, request)
    },
    read: (event, payload) => {
      const asking = askingOf(event, payload)
      if (asking === null) return null
      const { fields, tool } = asking
      const known = kinds.get(tool) ?? null
      const kind = kindOf?.(asking, known) ?? known ?? "other"
      const command = kind === "command" ? commandOf(asking) : null
      const asked: Asked = { ...asking, kind, command }
      return requestOf({
        tool,
        kind,
        command,
        paths: table.paths(asked),
        ...(Object.hasOwn(globs, tool) ? globsOf(text(asking.input[globs[tool]!])) : {}),
        url: text(asking.input["url"]),
        cwd: text(fields["cwd"]) ?? "",
        ...more?.(asked)
      })
    },
    shape: {
      inputs: (_event, payload) => names.inputs.map((name) => fieldsOf(payload)[name]),
      envelope: () => [names.tool, ...names.inputs],
      inert: Object.fromEntries(Object.entries(inert).map(([tool, all]) => [tool, namesIn(all)])),
      bare: namesIn(bare),
      ...table.shape
    }
  })
}

export const named = (input: Fields, names: string): ReadonlyArray<string> =>
  namesIn(names).flatMap((name) => texts(input[name]))

export const usualAgent = (fields: Fields): string | null =>
  text(fields["agent_id"]) === null ? null : (text(fields["agent_type"]) ?? "subagent")
