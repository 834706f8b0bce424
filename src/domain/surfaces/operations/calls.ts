import { Schema } from "effect"
import { type Operation, type OperationName, operations, type StreamName } from "./operations.ts"

export type CallName = Exclude<OperationName, StreamName>

type Catalogue = typeof operations
type Fields<Name extends CallName> = Catalogue[Name] extends { readonly payload: infer P extends Schema.Struct.Fields }
  ? P
  : {}
type Result<Name extends CallName> = Catalogue[Name] extends { readonly result: infer R extends Schema.Top }
  ? R["Type"]
  : void

export type CallOf<Name extends CallName> = { readonly _tag: Name } & Schema.Struct.Type<Fields<Name>>
export type Call = { readonly [Name in CallName]: CallOf<Name> }[CallName]

export type DoneOf<Name extends CallName> = {
  readonly _tag: Name
  readonly call: CallOf<Name>
  readonly result: Result<Name>
}
export type Done = { readonly [Name in CallName]: DoneOf<Name> }[CallName]

const isCall = (name: OperationName): name is CallName => !("streams" in operations[name])

export const callNames: ReadonlyArray<CallName> = (Object.keys(operations) as ReadonlyArray<OperationName>).filter(
  isCall
)

const structOf = (name: CallName) => {
  const { payload = {} }: Operation = operations[name]
  return Schema.TaggedStruct(name, payload)
}

/** Any call, for decoding. The compiler cannot follow the catalogue's types here, so `Call` states them. */
export const Call = Schema.Union(callNames.map(structOf)) as unknown as Schema.Codec<Call>
