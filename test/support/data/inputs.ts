import { Schema } from "effect"
import type { InputPart } from "../../../src/domain/terminal/sequences/InputBytes.ts"
import { merge } from "./streams.ts"

/** Whole things that terminals send. */
export const Pieces = Schema.Array(
  Schema.Literals([
    "a",
    "hello",
    "\xc3\xa9",
    "\r",
    "\n",
    "\x03",
    "\x04",
    "\t",
    "\x7f",
    "\x00",
    "\x1b[A",
    "\x1bOA",
    "\x1b[1;5C",
    "\x1b[3~",
    "\x1b[Z",
    "\x1b[[A",
    "\x1b[13u",
    "\x1b[13;2u",
    "\x1b[99;5u",
    "\x1b[97;1:3u",
    "\x1b[27;5;99~",
    "\x1ba",
    "\x1b\r",
    "\x1b\x7f",
    "\x1b[200~",
    "\x1b[201~",
    "\x1b[200~x\ry\x1b[201~",
    "\x1b[I",
    "\x1b[O",
    "\x1b[<0;1;2M",
    "\x1b[M !!",
    "\x1b[?62;22c",
    "\x1b[1;1R",
    "\x1b[?1u",
    "\x1b]11;rgb:0/0/0\x1b\\",
    "\x1b]11;rgb:0/0/0\x07",
    "\x1bP1+r544e=78\x1b\\",
    "\x1b_Gi=1;OK\x1b\\",
    "\x1b]7501;?\x1b\\",
    "\x1b\x1b[A",
    `\x1b]52;c;${"A".repeat(9000)}\x07`,
    "\x1b[1 q",
    "\x1b[?"
  ])
)
/** Bits of them, in any order. */
export const Raw = Schema.Array(
  Schema.Literals([
    "\x1b",
    "[",
    "]",
    "O",
    "P",
    "_",
    "M",
    "0",
    "2",
    ";",
    "~",
    "u",
    "A",
    "\r",
    "\x07",
    "\\",
    "\x03",
    "\xff",
    "G",
    "<",
    "?",
    "$",
    "\x18"
  ])
)

/** Neighbours joined where their border means nothing. */
export const joined = (parts: ReadonlyArray<InputPart>) =>
  merge(parts, (a, b) =>
    a._tag === "Reply" && b._tag === "Reply"
      ? { ...a, data: a.data + b.data }
      : a._tag === "Keys" && b._tag === "Keys" && a.kind === b.kind && (a.kind === "text" || a.kind === "paste")
        ? { ...a, data: a.data + b.data }
        : null
  )
