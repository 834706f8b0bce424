import type { Schema } from "effect"
import { Rpc, RpcGroup, type RpcSchema } from "effect/rpc"
import { RefusedError } from "./HostProtocol.ts"
import { type Operation, type OperationName, operations } from "../domain/surfaces/operations/operations.ts"

export { AttachFrame, RecordFrame, TakenDraft } from "../domain/surfaces/operations/frames.ts"

type PayloadOf<O> = O extends { readonly payload: infer P extends Schema.Struct.Fields }
  ? Schema.Struct<P>
  : typeof Schema.Void
type ResultOf<O> = O extends { readonly result: infer R extends Schema.Top } ? R : typeof Schema.Void
type ErrorOf<O> = O extends { readonly refuses: true } ? typeof RefusedError : typeof Schema.Never

type RpcOf<Name extends string, O> = O extends { readonly streams: true }
  ? Rpc.Rpc<Name, PayloadOf<O>, RpcSchema.Stream<ResultOf<O>, ErrorOf<O>>, typeof Schema.Never>
  : Rpc.Rpc<Name, PayloadOf<O>, ResultOf<O>, ErrorOf<O>>

type Rpcs = { readonly [Name in OperationName]: RpcOf<Name, (typeof operations)[Name]> }[OperationName]

/** The compiler cannot infer a procedure's types from its operation, so `RpcOf` states them. */
const rpcOf = (name: OperationName): Rpcs => {
  const { payload, refuses, result, streams }: Operation = operations[name]
  return Rpc.make(name, {
    ...(payload === undefined ? {} : { payload }),
    ...(result === undefined ? {} : { success: result }),
    ...(refuses === undefined ? {} : { error: RefusedError }),
    ...(streams === undefined ? {} : { stream: streams })
  }) as Rpcs
}

/** The procedures of a session's host on its control socket (Effect RPC, NDJSON), one for each session operation. */
export class HostRpc extends RpcGroup.make(...(Object.keys(operations) as ReadonlyArray<OperationName>).map(rpcOf)) {}
